import { bad, good, type Read } from './field';
import { asGiven, optionalTextField } from './text';

const LOGO_LIMIT_BYTES = 2 * 1024 * 1024;

const ALLOWED = 'Use a PNG, JPEG, GIF, WebP or SVG file of at most 2 MB.';

const startsWith = (bytes: Buffer, ...prefix: number[]) =>
	prefix.every((byte, index) => bytes[index] === byte);

const KINDS: ReadonlyArray<[type: string, recognise: (bytes: Buffer) => boolean]> = [
	['PNG', (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
	['JPEG', (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)],
	['GIF', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
	[
		'WebP',
		(bytes) =>
			bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
	],
	[
		'SVG',
		(bytes) =>
			// A comment ends at its first end mark, so that no file makes this search for long.
			/^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:(?:<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE svg[^>]*>)\s*)*<svg[\s/>]/i.test(
				bytes.toString('utf8', 0, 4096),
			),
	],
];

/** Checks the decoded file by its content, not its name, and gives back the base64 to send. */
function readLogoBytes(bytes: Buffer): Read<string> {
	if (bytes.length === 0) return bad('which is an empty file', ALLOWED);
	if (bytes.length > LOGO_LIMIT_BYTES) {
		const megabytes = (bytes.length / 1024 / 1024).toFixed(1);
		return bad(`which is ${megabytes} MB`, ALLOWED);
	}
	if (!KINDS.some(([, recognise]) => recognise(bytes))) {
		return bad('which is not a picture of a known type', ALLOWED);
	}
	return good(bytes.toString('base64'));
}

/** Base64 as text, with or without the `data:` prefix that web pages put before it. */
export function readLogoText(given: unknown): Read<string> {
	if (typeof given !== 'string') return bad('which is not base64 text', ALLOWED);
	const base64 = given
		.trim()
		.replace(/^data:[^,]*,/, '')
		.replace(/\s+/g, '');
	if (base64 === '') return bad('which is an empty file', ALLOWED);
	if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) {
		return bad('which is not base64 text', ALLOWED);
	}
	return readLogoBytes(Buffer.from(base64, 'base64'));
}

/** The file's content stands where its name stood, once it has been fetched from n8n. */
export const readLogoFile = (given: unknown): Read<string> =>
	Buffer.isBuffer(given)
		? readLogoBytes(given)
		: bad('which is not a file of this row', 'Name a binary field of the input, e.g. data.');

export const logoBase64Field = optionalTextField(
	{
		displayName: 'Logo (Base64)',
		name: 'logoBase64',
		placeholder: 'e.g. iVBORw0KGgo…',
		description: 'Your logo as base64 text: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
	},
	asGiven,
);

export const logoBinaryField = optionalTextField(
	{
		displayName: 'Logo Binary Field',
		name: 'logoBinaryProperty',
		placeholder: 'e.g. data',
		hint: 'The name of the input field with the logo file',
		description: 'Your logo from a file of the input: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
	},
	asGiven,
);
