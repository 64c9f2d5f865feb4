import { parseJson, isRecord } from '../protocol/parse';

/** Texts below this size are parsed at once, which takes a few milliseconds. */
export const LARGE_REPLY = 1024 * 1024;

/** Stands for the list while the rest of the reply is parsed. */
const PLACE = 'the list stands here';

/**
 * The same as parsing the text as JSON, but a long list in `data` is parsed entry by entry: parsing
 * tens of thousands at once would keep the host from everything else. Null for what is no JSON.
 */
export async function parseLarge(text: string, yieldToHost: () => Promise<void>): Promise<unknown> {
	const entries: unknown[] = [];
	const list = findList(text);
	if (list === null) return parseJson(text);
	for (let from = list; ;) {
		const { end, isLast } = endOfEntry(text, from);
		if (end === -1) return parseJson(text);
		const entry = text.slice(from, end);
		if (entry.trim() !== '' || !isLast || entries.length > 0) {
			try {
				entries.push(JSON.parse(entry));
			} catch {
				return null;
			}
		}
		if (isLast) {
			const rest = parseJson(`${text.slice(0, list - 1)}"${PLACE}"${text.slice(end + 1)}`);
			// Said twice, the last one counts.
			return isRecord(rest) && rest.data === PLACE ? { ...rest, data: entries } : parseJson(text);
		}
		from = end + 1;
		await yieldToHost();
	}
}

/** Where the list in `data` begins, behind its bracket; null when `data` is no list. */
function findList(text: string): number | null {
	const isObject = /^\s*\{/.exec(text);
	if (!isObject) return null;
	for (let at = isObject[0].length; at < text.length;) {
		const key = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*/y;
		key.lastIndex = at;
		const found = key.exec(text);
		if (!found) return null;
		if (found[1] === 'data') return text[key.lastIndex] === '[' ? key.lastIndex + 1 : null;
		const { end, isLast } = endOfEntry(text, key.lastIndex);
		if (end === -1 || isLast) return null;
		at = end + 1;
	}
	return null;
}

/** Where a value ends: at a comma, or at the bracket that closes what it is in. */
function endOfEntry(text: string, from: number): { end: number; isLast: boolean } {
	const token = /["[\]{},]/g;
	token.lastIndex = from;
	let depth = 0;
	for (let found = token.exec(text); found; found = token.exec(text)) {
		switch (found[0]) {
			case '"': {
				const end = endOfString(text, found.index + 1);
				if (end === -1) return { end: -1, isLast: true };
				token.lastIndex = end + 1;
				break;
			}
			case '[':
			case '{':
				depth++;
				break;
			case ',':
				if (depth === 0) return { end: found.index, isLast: false };
				break;
			default:
				if (depth === 0) return { end: found.index, isLast: true };
				depth--;
		}
	}
	return { end: -1, isLast: true };
}

function endOfString(text: string, from: number): number {
	for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
		let backslashes = 0;
		while (text[quote - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return quote;
	}
	return -1;
}
