/** Makes a value on first use and keeps it; what was thrown then is thrown each time. */
export function lazy<T>(make: () => T): () => T {
	let made: { value: T } | { error: unknown } | undefined;
	return () => {
		if (made === undefined) {
			try {
				made = { value: make() };
			} catch (error) {
				made = { error };
			}
		}
		if ('error' in made) throw made.error;
		return made.value;
	};
}
