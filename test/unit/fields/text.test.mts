import { z } from 'zod';

import { check, InputError, showGiven } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import * as field from '../../../nodes/UnifiedPayments/fields/text.ts';
import { bad, good } from '../../../nodes/UnifiedPayments/fields/read.ts';

const BLANKS = [undefined, null, '', '  ', '\t\n'];

describe('isBlank', () => {
	it.each(BLANKS)('is true for %j', (given) => {
		expect(field.isBlank(given)).toBe(true);
	});

	it.each([['x'], [0], [false], [Number.NaN], [[]], [{}]])('is false for %j', (given) => {
		expect(field.isBlank(given)).toBe(false);
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
		['half \ud83d', 'which holds half of a character', 'Type or paste the text anew.'],
		['\udecd half', 'which holds half of a character', 'Type or paste the text anew.'],
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
			allowed: 'Give a whole address that begins with https:// or http://.',
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

describe('readCountry', () => {
	it.each(['KE', 'Kenya', 1, 254])('finds Kenya by %j in both tables', (given) => {
		for (const table of ['paymentLinks', 'collections'] as const) {
			expect(field.readCountry(table)(given)).toMatchObject({ ok: true, value: { iso2: 'KE' } });
		}
	});

	it('says which countries there are', () => {
		const read = field.readCountry('collections')('Wakanda');
		expect(read).toEqual({
			ok: false,
			reason: 'which is not a country of this service',
			allowed:
				"Choose one of Kenya (KE, id 1), Benin (BJ, id 2), Cote D'Ivoire (CI, id 3), Cameroon (CM, id 4), " +
				'Senegal (SN, id 9), Tanzania (TZ, id 10), Uganda (UG, id 11), Zambia (ZM, id 12), Sierra Leone (SL, id 13).',
		});
	});

	it.each(BLANKS)('needs one where there is %j', (given) => {
		expect(field.readCountry('paymentLinks')(given)).toMatchObject({
			ok: false,
			reason: 'but a country is needed',
		});
	});

	it.each(['Ghana', 'NG'])('offers %s for links only', (given) => {
		expect(field.readCountry('paymentLinks')(given).ok).toBe(true);
		expect(field.readCountry('collections')(given)).toMatchObject({
			ok: false,
			reason: 'where collections are not offered',
			allowed: expect.stringMatching(/^Choose one of Kenya/) as unknown,
		});
	});
});

describe('readCurrency', () => {
	it.each<[unknown, string]>([
		['KES', 'KES'],
		['kes', 'KES'],
		[' xof ', 'XOF'],
		['auto', 'auto'],
		['', 'auto'],
		[undefined, 'auto'],
		[null, 'auto'],
		['GHS', 'GHS'],
	])('reads %j as %s', (given, value) => {
		expect(field.readCurrency(given)).toEqual({ ok: true, value });
	});

	it.each<[unknown]>([['EUR'], ['KE'], ['KESX'], [404], [{}], [['KES']], [true]])(
		'refuses %j',
		(given) => {
			expect(field.readCurrency(given)).toEqual({
				ok: false,
				reason: 'which is not a currency of this service',
				allowed: 'Choose one of KES, XOF, XAF, TZS, UGX, ZMW, SLE, GHS, NGN.',
			});
		},
	);
});

describe('check', () => {
	const schema = z
		.object({
			amount: field.amount,
			email: field.optionalEmail,
			name: field.text,
			wallet: field.optionalInteger,
			site: field.optionalUrl,
			note: field.optionalText,
			country: field.country('paymentLinks'),
			currency: field.currency,
		})
		.transform((row, issues) => ({
			...row,
			first: field.unwrap(row.name === 'x' ? bad('r1', 'a1') : good(1), issues, 'name'),
			second: field.unwrap(row.name === 'x' ? bad('r2', 'a2') : good(2), issues, 'note'),
		}));
	const row = { amount: '5', name: 'Amina', country: 'KE', email: ' ', wallet: '', note: null };

	const issuesOf = (changes: object, typed?: object) => {
		const raw = { ...row, ...changes };
		try {
			check(schema, raw, typed ? { ...raw, ...typed } : undefined);
		} catch (thrown) {
			expect(thrown).toBeInstanceOf(InputError);
			return (thrown as InputError).issues;
		}
		throw new Error('It was accepted');
	};

	it('gives back what was parsed, with blanks as undefined', () => {
		expect(check(schema, row)).toEqual({
			amount: '5',
			name: 'Amina',
			country: expect.objectContaining({ iso2: 'KE' }) as unknown,
			currency: 'auto',
			email: undefined,
			wallet: undefined,
			site: undefined,
			note: undefined,
			first: 1,
			second: 2,
		});
	});

	it('tells of every bad field, with what was given', () => {
		const issues = issuesOf({ amount: 'abc', email: 'nobody', name: '', wallet: 1.5, site: 'x' });
		expect(issues.map(({ field: name, given }) => [name, given])).toEqual([
			['amount', 'abc'],
			['email', 'nobody'],
			['name', ''],
			['wallet', 1.5],
			['site', 'x'],
		]);
		expect(issues[0]).toEqual({
			field: 'amount',
			given: 'abc',
			reason: 'which is not an amount',
			allowed: 'Give a positive number with at most two decimals, e.g. 1500 or 1500.50.',
		});
	});

	it('tells of every field that clashes with another', () => {
		expect(issuesOf({ name: 'x' })).toEqual([
			{ field: 'name', given: 'x', reason: 'r1', allowed: 'a1' },
			{ field: 'note', given: null, reason: 'r2', allowed: 'a2' },
		]);
	});

	it('shows what was typed where the row holds more than that', () => {
		expect(issuesOf({ amount: 'abc' }, { amount: 'typed' })[0]?.given).toBe('typed');
	});

	it('has words for an issue that comes from the library itself', () => {
		const strict = z.object({ name: z.string() });
		expect(() => check(strict, { name: 7 })).toThrow(InputError);
		try {
			check(strict, { name: 7 });
		} catch (thrown) {
			expect((thrown as InputError).issues[0]).toMatchObject({
				field: 'name',
				given: 7,
				allowed: 'Correct this field.',
			});
		}
		const whole = z.object({}).refine(() => false, 'never');
		try {
			check(whole, {});
		} catch (thrown) {
			expect((thrown as InputError).issues).toEqual([
				{ field: '', given: undefined, reason: 'never', allowed: 'Correct this field.' },
			]);
		}
		expect.assertions(3);
	});

	it('is an error with a name and the first reason', () => {
		const thrown = new InputError([{ field: 'a', given: 1, reason: 'because', allowed: '' }]);
		expect([thrown.name, thrown.message]).toEqual(['InputError', 'because']);
	});
});

describe('showGiven', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;

	it.each<[unknown, string]>([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		['abc', '"abc"'],
		[' ', '" "'],
		[7, '7'],
		[false, 'false'],
		[{ a: [1] }, '{"a":[1]}'],
		[() => 1, 'function'],
		[Symbol('x'), 'symbol'],
		[10n, 'bigint'],
		[circle, 'object'],
		['two\nlines\u0000\ud800', '"two�lines��"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(80)}… (81 characters)"`],
		[`${'x'.repeat(79)}😀y`, `"${'x'.repeat(79)}… (82 characters)"`],
		[`${'x'.repeat(78)}😀y`, `"${'x'.repeat(78)}😀… (81 characters)"`],
		[['x'.repeat(100)], `["${'x'.repeat(78)}… (104 characters)`],
	])('of %p is %s', (given, shown) => {
		expect(showGiven(given)).toBe(shown);
	});
});
