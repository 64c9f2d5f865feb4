/** Null instead of a throw: an address that cannot be read is a case, not an accident. */
export function parseUrl(text: string): URL | null {
	try {
		return new URL(text);
	} catch {
		return null;
	}
}
