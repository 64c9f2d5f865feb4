import { isBlank } from '../../../nodes/UnifiedPayments/fields/field.ts';
import {
	readEmail,
	readInteger,
	readReferenceText,
	readText,
	readUrl,
} from '../../../nodes/UnifiedPayments/fields/text.ts';

it.each<[boolean, unknown[]]>([
	[true, [undefined, null, '', '  ', '\t\n']],
	[true, ['\u200b', ' \u2060\ufeff', '\u00ad', '\u3164', '\u0085']],
	[false, ['x', 0, false, [], {}, 'x\u200b', '\u0301']],
])('blank is %s for %j', (expected, all) => {
	for (const given of all) expect(isBlank(given)).toBe(expected);
});

describe('a text', () => {
	it.each([' kept as typed ', 'two\r\nlines\u0000', '🛍️', 42, 0, false, 'x'.repeat(10_000)])(
		'is %j',
		(given) => expect(readText(given)).toEqual({ ok: true, value: String(given) }),
	);

	it.each<[unknown[], string, string]>([
		[[{ a: 1 }, ['a']], 'which is not text', 'Give plain text.'],
		[[null, undefined, '', '  '], 'but a value is needed', 'Fill in this field.'],
		[['x'.repeat(10_001)], 'which is too long', 'Give at most 10000 characters.'],
		[
			['half \ud83d', '\udecd half'],
			'which holds half of a character',
			'Type or paste the text again.',
		],
	])('is not one of %p', (all, reason, allowed) => {
		for (const given of all) expect(readText(given)).toEqual({ ok: false, reason, allowed });
	});
});

describe('a web address', () => {
	it.each([
		...['https://example.com', 'http://localhost:5678/webhook/x?a=b#c', 'HTTPS://example.com/ünï'],
		...['https://user:pass@example.com/', 'http://[::1]:4010/'],
	])('%s is read as it is', (given) => {
		expect(readUrl(given)).toEqual({ ok: true, value: given });
		expect(readUrl(`  ${given}\n`)).toEqual({ ok: true, value: given });
	});

	it.each([
		...['example.com', '/webhook', 'ftp://example.com', 'data:https://example.com'],
		...['https:example.com', 'https:///example.com'],
		...['https://', 'https://example.com/a b', 'https://example.com/a\tb'],
		...['', 7, null, {}],
	])('%j is none', (given) => {
		expect(readUrl(given)).toEqual({
			ok: false,
			reason: 'which is not a web address',
			allowed: 'Enter a full address that begins with https:// or http://.',
		});
	});
});

it('a web address has at most 10,000 characters', () => {
	const longest = `https://example.com/${'x'.repeat(9_980)}`;
	expect(readUrl(longest).ok).toBe(true);
	expect(readUrl(`${longest}x`)).toMatchObject({
		reason: 'which is too long',
		allowed: 'Give at most 10000 characters.',
	});
});

describe('an order reference', () => {
	it.each(['A-1', ' 007 ', 42, Number.MAX_SAFE_INTEGER, '9'.repeat(20), '1E+5', 'x1E+15'])(
		'%j is sent as typed',
		(given) => expect(readReferenceText(given)).toEqual({ ok: true, value: String(given) }),
	);

	it.each([
		['which is too large to be an exact number, so that digits may be wrong', 2 ** 53],
		['which a sheet shortened, so that digits may be missing', ' 1.23457E+15 '],
	])('%s: %j', (reason, given) => {
		const allowed = 'Format the column as text and enter the whole number again.';
		expect(readReferenceText(given)).toEqual({ ok: false, reason, allowed });
	});
});

describe('an e-mail address', () => {
	it.each(['amina@example.com', 'a.b+c@sub.example.co.ke'])('%s is read', (given) => {
		expect(readEmail(` ${given} `)).toEqual({ ok: true, value: given });
	});

	it.each([
		...['amina', 'amina@', 'a@example.com, b@example.com', `${'a'.repeat(309)}@example.com`],
		...['Amina <a@example.com>', 7, null, ['a@example.com']],
	])('%j is none', (given) => {
		expect(readEmail(given)).toEqual({
			ok: false,
			reason: 'which is not an e-mail address',
			allowed: 'Give one address, e.g. amina@example.com.',
		});
	});
});

describe('a whole number', () => {
	it.each<[unknown, number]>([
		[1001, 1001],
		[' 1001 ', 1001],
		['-7', -7],
		['9007199254740991', Number.MAX_SAFE_INTEGER],
	])('is read from %j as %j', (given, value) => {
		expect(readInteger(given)).toEqual({ ok: true, value });
	});

	it.each([
		...['1.5', '1e3', '1 000', 'abc', '', '9007199254740993'],
		...[1.5, 2 ** 53, Number.NaN, true, null, [1], {}],
	])('is not %j', (given) => {
		expect(readInteger(given)).toEqual({
			ok: false,
			reason: 'which is not a whole number',
			allowed: 'Give a whole number, e.g. 1001.',
		});
	});
});
