/**
 * Slices the exact text of one top-level member out of a JSON object's text.
 *
 * The signature covers the text of `params` as it was sent. Parsing it and writing it again would lose
 * spacing, key order, escapes and number formats, so a client that signs one text and sends another
 * would pass. Expects text that `JSON.parse` has already accepted, because it does not validate.
 */
export function rawMember(json: string, name: string): string | undefined {
	let found: string | undefined;
	let at = skipSpace(json, 0);
	if (json[at] !== '{') return undefined;
	at = skipSpace(json, at + 1);
	while (at < json.length && json[at] !== '}') {
		const keyEnd = endOfString(json, at);
		// A key may be written with escapes ("par\u0061ms"), so it is decoded before it is compared.
		const key: unknown = JSON.parse(json.slice(at, keyEnd));
		const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
		const end = endOfValue(json, start);
		// The last of repeated keys counts, as it does for JSON.parse.
		if (key === name) found = json.slice(start, end);
		at = skipSpace(json, end);
		if (json[at] === ',') at = skipSpace(json, at + 1);
	}
	return found;
}

const isSpace = (char: string | undefined) =>
	char === ' ' || char === '\n' || char === '\r' || char === '\t';

function skipSpace(json: string, from: number): number {
	let at = from;
	while (isSpace(json[at])) at++;
	return at;
}

/** From an opening quote to the position after the closing one. */
function endOfString(json: string, from: number): number {
	let at = from + 1;
	for (;;) {
		const quote = json.indexOf('"', at);
		if (quote === -1) return json.length;
		let backslashes = 0;
		while (json[quote - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return quote + 1;
		at = quote + 1;
	}
}

/** Counts brackets instead of recursing, so that depth cannot exhaust the stack. */
function endOfValue(json: string, from: number): number {
	let depth = 0;
	let at = from;
	while (at < json.length) {
		const char = json[at];
		if (char === '"') {
			at = endOfString(json, at);
			if (depth === 0) return at;
			continue;
		}
		if (char === '{' || char === '[') depth++;
		else if (char === '}' || char === ']') {
			// A bare number or literal ends where its object does.
			if (depth === 0) return at;
			if (--depth === 0) return at + 1;
		} else if (depth === 0 && (char === ',' || isSpace(char))) return at;
		at++;
	}
	return at;
}
