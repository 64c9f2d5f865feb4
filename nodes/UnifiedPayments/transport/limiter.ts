import { sleep } from 'n8n-workflow';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most so many pieces of work run at the same time; the others wait in the order of the calls. */
export function createLimiter(max: number): Limiter {
	const waiting: Array<() => void> = [];
	let running = 0;
	return async (work) => {
		// Whoever ends hands the place on, so that nobody comes in between.
		if (running >= max) await new Promise<void>((begin) => waiting.push(begin));
		else running++;
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}

const locks = new Map<string, { limiter: Limiter; users: number }>();

/** One at a time by name, in the order of the calls. Other processes know nothing of it. */
export async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
	const lock = locks.get(name) ?? { limiter: createLimiter(1), users: 0 };
	locks.set(name, lock);
	lock.users++;
	try {
		return await lock.limiter(work);
	} finally {
		if (--lock.users === 0) locks.delete(name);
	}
}

/** Null when it takes longer, or the signal ends the waiting; the work itself goes on. */
export async function within<T>(
	ms: number,
	work: Promise<T>,
	signal?: AbortSignal,
): Promise<T | null> {
	const done = new AbortController();
	const end = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
	const late = sleep(ms, end).then(
		() => null,
		() => null,
	);
	try {
		return await Promise.race([work, late]);
	} finally {
		done.abort();
	}
}

const LONGEST_WORK_MS = 20;

/** A turn of the event loop now and then: long work must not block n8n. */
export function createYield(): () => Promise<void> {
	let last = Date.now();
	return async () => {
		if (Date.now() - last < LONGEST_WORK_MS) return;
		await sleep(0);
		last = Date.now();
	};
}
