/** The token must be alone: to whoever is called, `token[]` and its like are more of the same. */
const TOKEN = /^token(?:\[|$)/;

/** By the rules of URLs; the `&` keeps a leading `?` from being taken for the start of a query. */
const read = (written: string): [name: string, value: string] =>
	[...new URLSearchParams(`&${written}`)][0] ?? ['', ''];

/** The name of a written parameter, without its escapes. */
export const nameOf = (written: string): string => read(written)[0];

export const isToken = (written: string): boolean => TOKEN.test(nameOf(written));

/** The value of a parameter without its escapes; what is no escape stays as it is. */
export const readValue = (written: string): string => read(`=${written}`)[1];

const parts = (url: string): [address: string, query: string | undefined, fragment: string] => {
	const [, address, query, fragment] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url)!;
	return [address!, query, fragment!];
};

const written = (query: string | undefined): string[] =>
	query === undefined ? [] : query.split('&');

/** The parameters of an address, each as it is written there. */
export const parametersIn = (url: string): string[] => written(parts(url)[1]);

/** Changes the parameters of an address and leaves every byte of the rest, fragment included. */
export function changeQuery(url: string, change: (parameters: string[]) => string[]): string {
	const [address, query, fragment] = parts(url);
	const changed = change(written(query));
	return `${address}${changed.length === 0 ? '' : `?${changed.join('&')}`}${fragment}`;
}

/** `token=abc` → `token=***` */
export const maskValue = (written: string): string => written.replace(/=.*$/s, '=***');
