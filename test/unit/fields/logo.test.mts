import { readLogoFile, readLogoText } from '../../../nodes/UnifiedPayments/fields/logo.ts';

const ALLOWED = 'Use a PNG, JPEG, GIF, WebP or SVG file of at most 2 MB.';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

const bad = (reason: string) => ({ ok: false, reason, allowed: ALLOWED });

describe('readLogoFile', () => {
	it.each<[string, string | Buffer]>([
		['PNG', PNG],
		['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])],
		['GIF 89', 'GIF89a...'],
		['WebP', 'RIFF\u0001\u0002\u0003\u0004WEBPVP8 '],
		['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
		['SVG with a declaration', '<?xml version="1.0"?>\n<svg >'],
		['SVG with a byte order mark', '\uFEFF \n<svg>'],
		['SVG with comments', '<?xml?><!-- a - b -- > --><!-- c -->\n<svg>'],
		['SVG with a doctype', '<!-- x --><!DOCTYPE svg PUBLIC "-//W3C//DTD" "x.dtd">\n<svg>'],
	])('knows %s by its content', (_, content) => {
		const bytes = Buffer.from(content);
		expect(readLogoFile(bytes)).toEqual({ ok: true, value: bytes.toString('base64') });
	});

	it.each<[string, string | Buffer]>([
		['a PDF', '%PDF-1.7'],
		['a web page', '<!DOCTYPE html><html><svg></svg></html>'],
		['XML of another kind', '<?xml version="1.0"?><svgs>'],
		['a PNG that was spoilt as text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a, 0])],
		['another GIF', 'GIF88a'],
		['sound', 'RIFF....WAVE'],
		['WEBP without RIFF', 'RIFX....WEBP'],
		['a comment without an end', '<!-- <svg>'],
	])('refuses %s', (_, content) => {
		const reason = 'which is not a picture of a known type';
		expect(readLogoFile(Buffer.from(content))).toEqual(bad(reason));
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
		['in lines', base64.replace(/(.{4})/g, '$1\r\n')],
		['behind a data prefix', `data:image/png;base64,${base64}`],
		['without padding', base64.replace(/=+$/, '')],
	])('reads %s', (_, text) => {
		expect(readLogoText(text)).toEqual({ ok: true, value: base64 });
	});

	it.each<[string, unknown[]]>([
		['which is an empty file', ['', ' \n', 'data:image/png;base64,']],
		['which is not base64 text', ['not base64!', 'abc===', 'ab=c', '==', 'abcde', 7, null, {}]],
		['which is not base64 text', ['https://example.com/logo.png']],
		['which is not a picture of a known type', [Buffer.from('hello').toString('base64')]],
	])('refuses text %s: %j', (reason, all) => {
		for (const given of all) expect(readLogoText(given)).toEqual(bad(reason));
	});
});
