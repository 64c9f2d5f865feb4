/** For each key, the index of the first row that has it, when that is an earlier row. */
export function findRepeats(keys: ReadonlyArray<string | null>): Array<number | null> {
	const first = new Map<string, number>();
	return keys.map((key, index) => {
		if (key === null) return null;
		const earlier = first.get(key);
		if (earlier === undefined) first.set(key, index);
		return earlier ?? null;
	});
}
