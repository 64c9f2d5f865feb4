/** How often a long run says how far it is. */
const EVERY_MS = 3000;

/** Says now and then how far a run is; a short one says nothing. */
export function createProgress(total: number, now: () => number, say: (line: string) => void) {
	const counts = new Map<string, number>();
	let done = 0;
	let last = now();
	return (outcome: string): void => {
		done++;
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		if (now() - last < EVERY_MS || done === total) return;
		last = now();
		const parts = [...counts].map(([word, count]) => `${count} ${word}`);
		say(
			`${done} of ${total} rows done (${Math.floor((done / total) * 100)} %): ${parts.join(', ')}`,
		);
	};
}
