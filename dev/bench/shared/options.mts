/** An option that takes a text, for `parseArgs`. */
export const text = (initial: string) => ({ type: 'string', default: initial }) as const;

export function numberIn(given: string, name: string): number {
	if (/^[1-9]\d*$/.test(given)) return Number(given);
	throw new Error(`${name} takes whole numbers above 0, not '${given}'.`);
}

export const namesIn = (given: string | undefined): string[] | null =>
	given?.split(',').map((name) => name.trim()) ?? null;
