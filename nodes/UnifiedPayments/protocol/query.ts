/** The token must be alone: to whoever is called, `token[]` and its like are more of the same. */
const TOKEN = /^token(?:\[|$)/;

/** By the rules of URLs; the `&` keeps a leading `?` from being taken for the start of a query. */
export const isToken = (written: string): boolean =>
	[...new URLSearchParams(`&${written}`).keys()].some((name) => TOKEN.test(name));

/** The value of a parameter without its escapes; what is no escape stays as it is. */
export const readValue = (written: string): string => new URLSearchParams(`=${written}`).get('')!;

/** Changes the parameters of an address and leaves every byte of the rest, fragment included. */
export function changeQuery(url: string, change: (parameters: string[]) => string[]): string {
	const [, address, query, fragment] = /([^?#]*)(?:\?([^#]*))?(.*)/s.exec(url)!;
	const changed = change(query === undefined ? [] : query.split('&'));
	return `${address}${changed.length === 0 ? '' : `?${changed.join('&')}`}${fragment}`;
}

/** `token=abc` → `token=***` */
export const maskValue = (written: string): string => written.replace(/=.*/s, '=***');
