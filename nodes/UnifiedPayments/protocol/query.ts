/** A parameter's name without its escapes. Names that are looked for are plain ASCII. */
const nameOf = (written: string): string =>
	written
		.replace(/=.*/s, '')
		.replace(/%[0-9a-f]{2}/gi, (each) => String.fromCharCode(parseInt(each.slice(1), 16)));

/** To whoever is called, `token[]` and its like are more of the same. */
const isNamed = (written: string, name: string): boolean => {
	const own = nameOf(written);
	return own === name || own.startsWith(`${name}[`);
};

/** What must not be shown of an address: a token, and n8n's proof that an execution may be resumed. */
export const isSecret = (written: string): boolean =>
	isNamed(written, 'token') || isNamed(written, 'signature');

const parts = (url: string) => {
	const [, address, query, fragment] = /([^?#]*)(?:\?([^#]*))?(.*)/s.exec(url)!;
	return { address, query, fragment };
};

const written = (query: string | undefined): string[] =>
	query === undefined ? [] : query.split('&');

/** Changes the parameters of an address and leaves every byte of the rest, fragment included. */
export function changeQuery(url: string, change: (parameters: string[]) => string[]): string {
	const { address, query, fragment } = parts(url);
	const changed = change(written(query));
	return `${address}${changed.length === 0 ? '' : `?${changed.join('&')}`}${fragment}`;
}

/** The address with this parameter, in place of any other of its name. */
export const withParameter = (url: string, name: string, value: string): string =>
	changeQuery(url, (parameters) => [
		...parameters.filter((each) => !isNamed(each, name)),
		`${name}=${value}`,
	]);

/** Whether an address itself has this parameter: one within another address does not count. */
export const hasParameter = (url: string, name: string): boolean =>
	written(parts(url).query).some((each) => isNamed(each, name));

/** `token=abc` → `token=***` */
export const maskValue = (written: string): string => written.replace(/=.*/s, '=***');
