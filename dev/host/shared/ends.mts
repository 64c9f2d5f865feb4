export type Ends = Array<() => Promise<unknown>>;

/**
 * Starts several things, each of which leaves its end. With `stop` they end, the last one first; they
 * also do when a later one does not start, so that nothing is left open.
 */
export async function withEnds<T extends object>(
	start: (ends: Ends) => Promise<T>,
): Promise<T & { stop: () => Promise<void> }> {
	const ends: Ends = [];
	const stop = async () => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	try {
		return Object.assign(await start(ends), { stop });
	} catch (error) {
		await stop();
		throw error;
	}
}
