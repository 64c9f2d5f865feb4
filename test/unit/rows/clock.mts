/** Time that only passes when everybody waits: then who wakes first is woken. */
export function createClock() {
	const due: Array<{ at: number; wake: () => void }> = [];
	let now = 0;
	const sleep = async (ms: number, signal?: AbortSignal) => {
		if (signal?.aborted) throw new Error('aborted');
		await new Promise<void>((wake, reject) => {
			due.push({ at: now + ms, wake });
			signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
		});
	};
	/** Lets time pass until the work has ended. */
	const run = async <T,>(work: Promise<T>): Promise<T> => {
		let isOver = false;
		const over = () => (isOver = true);
		work.then(over, over);
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			due.sort((a, b) => a.at - b.at);
			const next = isOver ? undefined : due.shift();
			if (next === undefined) return await work;
			now = Math.max(now, next.at);
			next.wake();
		}
	};
	return { sleep, run, now: () => now };
}

export type Clock = ReturnType<typeof createClock>;
