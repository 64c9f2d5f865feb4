interface Lanes<Row, Permission, Result> {
	rows: readonly Row[];
	/** The most rows under way at the same time. */
	lanes: number;
	/** The most rows that are claimed and not yet sent; two for each lane unless told. */
	ahead?: number;
	/** Called for a few rows before the first of them is sent. */
	claim(rows: readonly Row[]): Promise<Permission[]>;
	/** Called before a row is sent; it may wait. */
	turn(row: Row, permission: Permission): Promise<void>;
	send(row: Row, permission: Permission): Promise<Result>;
}

/**
 * Rows that are claimed and not yet sent are in doubt after a crash, so there are no more of them
 * than two for each lane, unless a claim takes long. Each claim is a write of the whole list of claims, so it is for as
 * many rows as that allows.
 */
const AHEAD = 2;
/** Claimed again when this part of them is left, so that no lane has to wait. */
const LOW = 0.25;

/** Sends rows in lanes, and gives back the results in the order of the rows. */
export async function runInLanes<Row, Permission, Result>(
	run: Lanes<Row, Permission, Result>,
): Promise<Result[]> {
	const { rows, lanes } = run;
	const ahead = run.ahead ?? AHEAD * lanes;
	const results = new Array<Result>(rows.length);
	const claimed: Array<{ index: number; permission: Permission }> = [];
	/** Rows that a lane has taken, and that wait for their turn. */
	let waiting = 0;
	let next = 0;
	let claiming: Promise<void> | undefined;

	async function claimMore(): Promise<void> {
		const from = next;
		const chunk = rows.slice(from, from + ahead - claimed.length - waiting);
		next += chunk.length;
		const permissions = await run.claim(chunk);
		permissions.forEach((permission, at) => claimed.push({ index: from + at, permission }));
		claiming = undefined;
	}
	const refill = async () => await (claiming ??= claimMore());

	async function lane(): Promise<void> {
		for (;;) {
			while (claimed.length === 0) {
				if (claiming === undefined && next === rows.length) return;
				await refill();
			}
			const { index, permission } = claimed.shift()!;
			waiting++;
			await run.turn(rows[index]!, permission);
			waiting--;
			const sending = run.send(rows[index]!, permission);
			if (claimed.length + waiting <= LOW * ahead && next < rows.length) void refill();
			results[index] = await sending;
		}
	}
	await Promise.all(Array.from({ length: Math.min(lanes, rows.length) }, lane));
	return results;
}

/** How often a long run says how far it is. */
const EVERY_MS = 3000;

/** Says now and then how far a run is; a short one says nothing. */
export function createProgress(total: number, now: () => number, say: (line: string) => void) {
	const counts = new Map<string, number>();
	const start = now();
	let done = 0;
	let last = start;
	return (outcome: string): void => {
		done++;
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		if (now() - last < EVERY_MS || done === total) return;
		last = now();
		const parts = [...counts].map(([word, count]) => `${count} ${word}`);
		const left = ((last - start) / done) * (total - done);
		say(
			`${done} of ${total} rows done (${Math.floor((done / total) * 100)} %), about ${duration(left)} left: ${parts.join(', ')}`,
		);
	};
}

/** "40 s", "12 min". */
export function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
