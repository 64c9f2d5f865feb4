import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import { findCountry, fold } from '../../../nodes/UnifiedPayments/countries/lookup.ts';
import { readMobile } from '../../../nodes/UnifiedPayments/fields/mobile.ts';
import type { Column } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { openSheet } from '../../../nodes/UnifiedPayments/sheet/sheet.ts';
import { readEmail, readInteger, readUrl } from '../../../nodes/UnifiedPayments/fields/text.ts';
import { readDecimal } from '../../../nodes/UnifiedPayments/payment/amount.ts';
import { markWithin, readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readState } from '../../../nodes/UnifiedPayments/payment/state.ts';
import { cut } from '../../../nodes/UnifiedPayments/protocol/limits.ts';
import { isInErrorTable } from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';
import { hidden, Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';

import { READER } from '../payment/reader.mts';

/** What a callback may hold in one field. */
const SIZE = 250_000;
/** Microseconds of work. Each takes some thousand; where nobody looked at the length, up to two minutes. */
const SOON = 1_000_000;

const filled = (text: string) => text.repeat(Math.ceil(SIZE / text.length));

const TOKEN = 'my-own-callback-token';
const redactor = new Redactor();
redactor.add(['the secret key of the service', TOKEN]);

/** Nearly the signature that was sent, over and over. */
function withoutSignature(): unknown {
	return hidden(filled(`${'0123456789abcdee'.repeat(999)} `), '0123456789abcdef'.repeat(4));
}

const COLUMNS: Column[] = [
	{ field: 'amount', label: 'Amount', required: true },
	{ field: 'phone', label: 'Customer Phone', required: false },
];
const withHeading = (heading: string) => openSheet([{ [heading]: 1, Amount: 2 }], COLUMNS);

/** Combining marks in the wrong order: Unicode's normalization sorts them one by one. */
const MARKS = `a${filled('\u0315\u0300')}`;

const HELD: Array<[what: string, read: () => unknown]> = [
	['a status', () => readState({ status: filled('- ') }, READER)],
	['addresses', () => markWithin(READER, filled('?upo[&upo%5b'))],
	['a mark', () => readMark(READER, `?upo=${filled('a.')}`)],
	['an amount', () => readDecimal(`1.${filled('0')}1`)],
	['a text with the end of a sentence', () => redactor.deep({ note: `a=${filled('.')}x` })],
	['the same, escaped', () => redactor.deep({ note: `a=b%3D${filled('.')}x` })],
	['the same in a message', () => redactor.text(`a=${filled('.')}x`)],
	['parameters', () => redactor.deep({ note: filled('a=b&') })],
	['parameters of a callback', () => redactor.deep({ callback_url: filled('?token=a&') })],
	['nearly the token', () => redactor.deep(`${TOKEN}x ${filled(`key = ${TOKEN.slice(1)}`)}`)],
	['hexadecimal digits', withoutSignature],
	['a heading of brackets', () => withHeading(filled('('))],
	['a heading of marks', () => withHeading(MARKS)],
	['a heading of words', () => withHeading(filled('to aA'))],
	['a country', () => findCountry(MARKS)],
	['a name', () => fold(MARKS)],
	['a phone number', () => readMobile(filled('0'), COUNTRIES[0]!)],
	['an e-mail address', () => readEmail(filled('a.'))],
	['a web address', () => readUrl(`https://${filled('/')}`)],
	['a whole number', () => readInteger(filled('1'))],
	['a sentence of the table', () => isInErrorTable(filled('user not found or '))],
	['one of many words', () => isInErrorTable(`${filled('a ')}user not found`)],
];

it.each(HELD)('%s of 250 KB is read at once', (_, read) => {
	const begin = process.cpuUsage();
	read();
	expect(process.cpuUsage(begin).user).toBeLessThan(SOON);
});

describe('what is too long is not read', () => {
	it('a state word says nothing, and is shown in part', () => {
		const long = `success${'_'.repeat(200)}`;
		expect(readState({ status: long }, READER)).toEqual({
			state: 'pending',
			status: `success${'_'.repeat(193)}…`,
		});
		expect(readState({ status: `${' '.repeat(500)}success` }, READER).state).toBe('success');
	});

	it('an amount is none beyond 40 characters, spaces around it aside', () => {
		expect(readDecimal(`${'0'.repeat(38)}12`)).toEqual({ value: '12' });
		expect(readDecimal(`${'0'.repeat(39)}12`)).toEqual({ problem: 'not a number' });
		expect(readDecimal(`${' '.repeat(99)}12`)).toEqual({ value: '12' });
	});

	it('a heading names no field, also where its beginning would', () => {
		const long = `Customer Phone${' '.repeat(500)}of somebody else`;
		expect(withHeading(long).heading('phone')).toBeUndefined();
		expect(withHeading(long).hint().message).toContain(
			`Ignored: "Customer Phone${' '.repeat(66)}…"`,
		);
	});

	it('the heading of an amount is none: its end may say that it is in cents', () => {
		const open = () => openSheet([{ [`Amount${' '.repeat(500)}(cents)`]: 1 }], COLUMNS);
		expect(open).toThrow("no column for 'Amount'");
	});

	it('of very many columns the first are named', () => {
		const row = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${at}`, 1]));
		expect(() => openSheet([row], COLUMNS)).toThrow(
			expect.objectContaining({
				description: expect.stringContaining('"c49", and 10 more. Rename'),
			}),
		);
	});

	it('a web address, an e-mail address, a phone number and a whole number are refused', () => {
		expect(readUrl(`https://example.com/${'a'.repeat(10_000)}`).ok).toBe(false);
		expect(readUrl(`https://example.com/${'a'.repeat(9000)}`).ok).toBe(true);
		expect(readEmail(`a@${'b.'.repeat(200)}com`).ok).toBe(false);
		expect(readMobile(`${' '.repeat(99)}0712345678`, COUNTRIES[0]!).ok).toBe(false);
		expect(readInteger(`${'0'.repeat(40)}1`).ok).toBe(false);
	});
});

it('a text is cut between characters', () => {
	const cuts = ['abcd', 'abcde', 'ab😀e', 'abc😀'].map((text) => cut(text, 4));
	expect(cuts).toEqual(['abcd', 'abcd…', 'ab😀…', 'abc…']);
});

describe('a long message', () => {
	it('is cut, and never through a secret', () => {
		const secret = `secret-${'0123456789'.repeat(20)}-end`;
		const own = new Redactor();
		own.add([secret, TOKEN]);
		for (const hidden of [secret, TOKEN]) {
			for (let at = 3700; at < 4010; at += 6) {
				const shown = own.text(`${'x '.repeat(at / 2)} ${hidden} ${'y'.repeat(5000)}`);
				expect(shown.length).toBeLessThanOrEqual(4001);
				expect(shown.replace(/^[x ]*(?:\*{1,3} ?)?y*…$/, '')).toBe('');
			}
		}
	});

	it('stays whole up to 4,000 characters, and does not end in half of one', () => {
		expect(redactor.text('m'.repeat(4000))).toBe('m'.repeat(4000));
		expect(redactor.text('m'.repeat(4001))).toBe(`${'m'.repeat(4000)}…`);
		for (const begin of ['', 'a'])
			expect(redactor.text(begin + '😀'.repeat(5000))).toMatch(/^\P{Surrogate}*…$/u);
	});
});

it('a text within data is kept, also a logo', () => {
	const logo = 'A'.repeat(3_000_000);
	expect(redactor.deep({ logo })).toEqual({ logo });
});
