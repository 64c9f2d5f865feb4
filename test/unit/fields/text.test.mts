import { isBlank } from '../../../nodes/UnifiedPayments/fields/field.ts';
import * as field from '../../../nodes/UnifiedPayments/fields/text.ts';

const BLANKS = [undefined, null, '', '  ', '\t\n'];

describe('isBlank', () => {
	it.each(BLANKS)('is true for %j', (given) => {
		expect(isBlank(given)).toBe(true);
	});

	it.each([['x'], [0], [false], [Number.NaN], [[]], [{}]])('is false for %j', (given) => {
		expect(isBlank(given)).toBe(false);
	});
});

describe('readText', () => {
	it.each<[unknown, string]>([
		['Amina Shop', 'Amina Shop'],
		[' kept as typed ', ' kept as typed '],
		['two\r\nlines\u0000', 'two\r\nlines\u0000'],
		['🛍️', '🛍️'],
		[42, '42'],
		[0, '0'],
		[true, 'true'],
		[false, 'false'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
	])('reads %j', (given, value) => {
		expect(field.readText(given)).toEqual({ ok: true, value });
	});

	it.each<[unknown, string, string]>([
		[null, 'which is not text', 'Give plain text.'],
		[undefined, 'which is not text', 'Give plain text.'],
		[{ a: 1 }, 'which is not text', 'Give plain text.'],
		[['a'], 'which is not text', 'Give plain text.'],
		['', 'but a value is needed', 'Fill in this field.'],
		['  ', 'but a value is needed', 'Fill in this field.'],
		['x'.repeat(10_001), 'which is too long', 'Give at most 10000 characters.'],
		['half \ud83d', 'which holds half of a character', 'Type or paste the text again.'],
		['\udecd half', 'which holds half of a character', 'Type or paste the text again.'],
	])('refuses %p', (given, reason, allowed) => {
		expect(field.readText(given)).toEqual({ ok: false, reason, allowed });
	});
});

describe('readUrl', () => {
	it.each([
		'https://example.com',
		'http://localhost:5678/webhook/x?a=b#c',
		'HTTPS://example.com/ünï',
		'https://user:pass@example.com/',
		'http://[::1]:4010/',
	])('reads %s as it is', (given) => {
		expect(field.readUrl(given)).toEqual({ ok: true, value: given });
		expect(field.readUrl(`  ${given}\n`)).toEqual({ ok: true, value: given });
	});

	it.each<[unknown]>([
		['example.com'],
		['/webhook'],
		['//example.com'],
		['ftp://example.com'],
		['javascript:alert(1)'],
		['mailto:a@example.com'],
		['https:example.com'],
		['https:/example.com'],
		['https:///example.com'],
		['https://'],
		['https://exa mple.com'],
		['https://example.com/a b'],
		['https://example.com/a\tb'],
		['see https://example.com'],
		['http://:80'],
		[''],
		[7],
		[null],
		[{}],
	])('refuses %j', (given) => {
		expect(field.readUrl(given)).toEqual({
			ok: false,
			reason: 'which is not a web address',
			allowed: 'Enter a full address that begins with https:// or http://.',
		});
	});
});

describe('readEmail', () => {
	it.each(['amina@example.com', 'a.b+c@sub.example.co.ke'])('reads %s', (given) => {
		expect(field.readEmail(` ${given} `)).toEqual({ ok: true, value: given });
	});

	it.each<[unknown]>([
		['amina'],
		['amina@'],
		['@example.com'],
		['a@b'],
		['a@example.com, b@example.com'],
		['Amina <a@example.com>'],
		[7],
		[null],
		[['a@example.com']],
	])('refuses %j', (given) => {
		expect(field.readEmail(given)).toEqual({
			ok: false,
			reason: 'which is not an e-mail address',
			allowed: 'Give one address, e.g. amina@example.com.',
		});
	});
});

describe('readInteger', () => {
	it.each<[unknown, number]>([
		[1001, 1001],
		['1001', 1001],
		[' 1001 ', 1001],
		['0042', 42],
		[0, 0],
		['-7', -7],
		[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		['9007199254740991', Number.MAX_SAFE_INTEGER],
	])('reads %j as %j', (given, value) => {
		expect(field.readInteger(given)).toEqual({ ok: true, value });
	});

	it.each<[unknown]>([
		[1.5],
		['1.5'],
		['1e3'],
		['0x10'],
		['1 000'],
		['+1'],
		['abc'],
		[''],
		['--1'],
		['1-'],
		['9007199254740993'],
		[2 ** 53],
		[Number.NaN],
		[Number.POSITIVE_INFINITY],
		[true],
		[null],
		[[1]],
		[{}],
	])('refuses %j', (given) => {
		expect(field.readInteger(given)).toEqual({
			ok: false,
			reason: 'which is not a whole number',
			allowed: 'Give a whole number, e.g. 1001.',
		});
	});
});
