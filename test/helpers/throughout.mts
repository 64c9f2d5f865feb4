interface Closable {
	close(): Promise<void>;
}

/** Stands for what is not there yet. */
export const lazily = <T extends object>(get: () => T): T =>
	new Proxy({} as T, {
		get(_, key) {
			const target = get();
			const member: unknown = Reflect.get(target, key, target);
			return typeof member === 'function' ? (member.bind(target) as unknown) : member;
		},
	});

/**
 * What the tests of a file use together: started before the first of them, closed after the last.
 * Only tests and hooks may look at it, because it is not there before.
 */
export function throughout<T extends Closable>(start: () => Promise<T>): T {
	let running: T | undefined;
	beforeAll(async () => {
		running = await start();
	});
	afterAll(async () => await running?.close());
	return lazily(() => {
		if (running === undefined) throw new Error('It is started before the tests, not before that');
		return running;
	});
}

/** What a test starts by itself is passed through this, and closed after the test. */
export function closing(): <T extends Closable>(started: T) => T {
	const open: Closable[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (each) => await each.close()));
	});
	return (started) => {
		open.push(started);
		return started;
	};
}
