/** The same JSON, compact and with sorted keys; the text itself when it cannot be written again. */
export function sortedJson(raw: string): string {
	try {
		return JSON.stringify(sortKeys(JSON.parse(raw)));
	} catch {
		return raw;
	}
}

/** Other ways in which libraries write the same params. A common mistake is to sign one and send another. */
export function serialisations(raw: string): [what: string, text: string][] {
	try {
		const value: unknown = JSON.parse(raw);
		const sorted = sortKeys(value);
		const compact = JSON.stringify(value);
		const forms: [string, string][] = [
			['compact JSON', compact],
			['JSON with a space after commas and colons (as Python writes it)', spaced(value)],
			['compact JSON with sorted keys', JSON.stringify(sorted)],
			['JSON with sorted keys and spaces', spaced(sorted)],
			['JSON indented by 2 spaces', JSON.stringify(value, null, 2)],
			['JSON indented by 4 spaces', JSON.stringify(value, null, 4)],
			['JSON indented by tabs', JSON.stringify(value, null, '\t')],
			['JSON with escaped slashes (as PHP writes it)', compact.replaceAll('/', '\\/')],
			['JSON with escaped non-ASCII characters', asciiOnly(compact)],
			[
				'JSON with escaped slashes and non-ASCII characters (as PHP writes it)',
				asciiOnly(compact.replaceAll('/', '\\/')),
			],
			['the base64 of the JSON text', Buffer.from(raw).toString('base64')],
			['values joined by "|"', joinedValues(value, '|')],
			['a query string', queryString(value)],
		];
		return forms.filter(([, text]) => text !== raw);
	} catch {
		// Nested too deep to be written again.
		return [];
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sortKeys(value[key])]),
	);
}

function spaced(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
	if (!isObject(value)) return JSON.stringify(value);
	const members = Object.entries(value).map(
		([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`,
	);
	return `{${members.join(', ')}}`;
}

const asciiOnly = (text: string): string =>
	text.replace(
		/[\u0080-\uffff]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

const joinedValues = (value: unknown, separator: string): string =>
	isObject(value) ? Object.values(value).map(String).join(separator) : '';

const queryString = (value: unknown): string =>
	isObject(value)
		? new URLSearchParams(
				Object.entries(value).map(([key, one]): [string, string] => [key, String(one)]),
			).toString()
		: '';
