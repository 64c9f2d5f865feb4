import { readLogoFile, readLogoText } from '../../../nodes/UnifiedPayments/fields/logo.ts';

const ALLOWED = 'Use a PNG, JPEG, GIF, WebP or SVG file of at most 2 MB.';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]);
const WEBP = Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'latin1');

const bad = (reason: string) => ({ ok: false, reason, allowed: ALLOWED });

describe('readLogoFile', () => {
	it.each([
		['PNG', PNG],
		['JPEG', JPEG],
		['GIF 87', Buffer.from('GIF87a...')],
		['GIF 89', Buffer.from('GIF89a...')],
		['WebP', WEBP],
		['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
		['SVG in capitals', Buffer.from('<SVG>')],
		['SVG without attributes', Buffer.from('<svg/>')],
		['SVG with a declaration', Buffer.from('<?xml version="1.0"?>\n<svg >')],
		['SVG with a byte order mark', Buffer.from('\uFEFF \n<svg>')],
		['SVG with comments', Buffer.from('<?xml?><!-- a - b -- > --><!-- c -->\n<svg>')],
		[
			'SVG with a doctype',
			Buffer.from('<!-- x --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n<svg>'),
		],
		[
			'SVG with a comment after the doctype',
			Buffer.from('<?xml?>\n<!DOCTYPE svg>\n<!-- Creator: x -->\n<svg>'),
		],
	])('knows %s by its content', (_, bytes) => {
		expect(readLogoFile(bytes)).toEqual({ ok: true, value: bytes.toString('base64') });
	});

	it.each([
		['text', Buffer.from('hello')],
		['a PDF', Buffer.from('%PDF-1.7')],
		['a web page', Buffer.from('<!DOCTYPE html><html><svg></svg></html>')],
		['XML of another kind', Buffer.from('<?xml version="1.0"?><svgs>')],
		['half a PNG mark', PNG.subarray(0, 7)],
		['a PNG that was spoilt as text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a, 0])],
		['half a JPEG mark', Buffer.from([0xff, 0xd8])],
		['another GIF', Buffer.from('GIF88a')],
		['a GIF behind a space', Buffer.from(' GIF89a')],
		['sound', Buffer.from('RIFF....WAVE')],
		['WEBP without RIFF', Buffer.from('RIFX....WEBP')],
		['a comment without an end', Buffer.from('<!-- <svg>')],
	])('refuses %s', (_, bytes) => {
		expect(readLogoFile(bytes)).toEqual(bad('which is not a picture of a known type'));
	});

	it('takes 2 MB and not a byte more', () => {
		const limit = 2_097_152;
		const full = Buffer.concat([PNG, Buffer.alloc(limit - PNG.length)]);
		expect(readLogoFile(full).ok).toBe(true);
		expect(readLogoFile(Buffer.concat([full, Buffer.alloc(1)]))).toEqual(bad('which is 2.0 MB'));
		expect(readLogoFile(Buffer.alloc(5_000_000))).toEqual(bad('which is 4.8 MB'));
	});

	it('refuses an empty file', () => {
		expect(readLogoFile(Buffer.alloc(0))).toEqual(bad('which is an empty file'));
	});
});

describe('readLogoText', () => {
	const base64 = PNG.toString('base64');

	it.each([
		['base64', base64],
		['with space around it', `  ${base64}\n`],
		['in lines', base64.replace(/(.{4})/g, '$1\r\n')],
		['behind a data prefix', `data:image/png;base64,${base64}`],
		['without padding', base64.replace(/=+$/, '')],
	])('reads %s', (_, text) => {
		expect(readLogoText(text)).toEqual({ ok: true, value: base64 });
	});

	it.each([
		['nothing', '', 'which is an empty file'],
		['blank text', ' \n', 'which is an empty file'],
		['an empty data prefix', 'data:image/png;base64,', 'which is an empty file'],
		['words', 'not base64!', 'which is not base64 text'],
		['too much padding', 'abc===', 'which is not base64 text'],
		['padding in the middle', 'ab=c', 'which is not base64 text'],
		['only padding', '==', 'which is not base64 text'],
		['a length that cannot be', 'abcde', 'which is not base64 text'],
		['an address', 'https://example.com/logo.png', 'which is not base64 text'],
		['a number', 7, 'which is not base64 text'],
		['null', null, 'which is not base64 text'],
		['an object', {}, 'which is not base64 text'],
		[
			'a text file',
			Buffer.from('hello').toString('base64'),
			'which is not a picture of a known type',
		],
	])('refuses %s', (_, given, reason) => {
		expect(readLogoText(given)).toEqual(bad(reason));
	});
});
