/**
 * What the tests of a file use together: started before the first of them, closed after the last.
 * Only tests and hooks may look at it, because it is not there before.
 */
export function throughout<T extends { close(): Promise<void> }>(start: () => Promise<T>): T {
	let running: T | undefined;
	beforeAll(async () => {
		running = await start();
	});
	afterAll(async () => await running?.close());
	return new Proxy({} as T, {
		get(_, key) {
			if (running === undefined) throw new Error('It is started before the tests, not before that');
			const member: unknown = Reflect.get(running, key, running);
			return typeof member === 'function' ? (member.bind(running) as unknown) : member;
		},
	});
}
