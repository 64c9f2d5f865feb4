const tails = new Map<string, Promise<unknown>>();

/** One at a time by name, in the order of the calls. Other processes know nothing of it. */
export async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
	const before = tails.get(name) ?? Promise.resolve();
	const mine = before.then(work, work);
	// What went wrong is told to the caller; the next in line must not hear of it.
	const tail = mine.then(
		() => undefined,
		() => undefined,
	);
	tails.set(name, tail);
	try {
		return await mine;
	} finally {
		if (tails.get(name) === tail) tails.delete(name);
	}
}
