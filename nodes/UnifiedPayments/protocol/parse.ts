export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Also the text that expressions and the balance endpoint give. Null for anything else, which is never guessed. */
export function readBoolean(given: unknown): boolean | null {
	if (given === true || given === 'true') return true;
	return given === false || given === 'false' ? false : null;
}

/** Null if it is not JSON, or JSON's own null. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return null;
	}
}

/** The time of a header, always in GMT. `Date.parse` alone would also see a date in "in 5 minutes". */
export const httpDate = (text: string): number => (text.endsWith(' GMT') ? Date.parse(text) : NaN);

/** Null if it is not an address. */
export function parseUrl(text: string): URL | null {
	try {
		return new URL(text);
	} catch {
		return null;
	}
}

/** A text without certain characters at its end. A pattern such as `/\.+$/` takes quadratic time. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
