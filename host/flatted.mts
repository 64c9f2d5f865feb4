/**
 * Reads the form in which n8n stores executions: a list in which every string that stands for a
 * value is the index of that value, so that what is shared or circular is written once.
 */
export function unflatten(text: string): unknown {
	const list = JSON.parse(text) as unknown[];
	const built = new Map<number, unknown>();

	const at = (index: number): unknown => {
		if (built.has(index)) return built.get(index);
		const value = list[index];
		if (typeof value !== 'object' || value === null) return value;
		const target: unknown = Array.isArray(value) ? [] : {};
		built.set(index, target);
		for (const [key, entry] of Object.entries(value)) {
			(target as Record<string, unknown>)[key] =
				typeof entry === 'string' ? at(Number(entry)) : entry;
		}
		return target;
	};
	return at(0);
}
