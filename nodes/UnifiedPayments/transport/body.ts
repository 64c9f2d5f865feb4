/** The longest reply that is read, in bytes after decompression. A logo may come back in one. */
export const MOST_BYTES = 4 * 1024 * 1024;
/** A list may hold tens of thousands of links, of some 500 bytes each. */
export const MOST_LIST_BYTES = 40 * 1024 * 1024;

/** Small pieces are put together now and then: each of them alone may hold a buffer of 64 KB. */
const MOST_PIECES = 64;

type Pieces = AsyncIterable<Uint8Array>;

const isStream = (body: unknown): body is Pieces =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * The whole text of a reply that the host hands over as a stream; `tooLong` when it has more bytes
 * than that, and then the rest is not read. A body that is no stream is given back as it is.
 */
export async function readBody(
	body: unknown,
	mostBytes: number,
): Promise<{ body: unknown; tooLong: boolean }> {
	if (!isStream(body)) return { body, tooLong: false };
	const blocks: Uint8Array[] = [];
	let pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of body) {
		size += piece.length;
		if (size > mostBytes) return { body: null, tooLong: true };
		pieces.push(piece);
		if (pieces.length === MOST_PIECES) {
			blocks.push(Buffer.concat(pieces));
			pieces = [];
		}
	}
	const text = Buffer.concat([...blocks, ...pieces]).toString();
	return { body: withoutMark(text), tooLong: false };
}

/** A byte order mark is no JSON. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
