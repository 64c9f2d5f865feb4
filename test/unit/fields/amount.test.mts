import fc from 'fast-check';

import {
	amountField,
	amountIn,
	twoDecimalsOrNone as forLink,
} from '../../../nodes/UnifiedPayments/fields/amount.ts';

const readAmount = (given: unknown) => {
	const read = amountField.read(given);
	return read.ok ? { ...read, value: read.value.amount } : read;
};

const RUNS = { numRuns: 10_000 };
const ALLOWED = 'Enter a positive number with at most two decimals, e.g. 1500 or 1500.50.';

// How a decimal is read is tested where it is read (payment/decimal.test.mts).
describe('an amount', () => {
	it.each<[unknown, string]>([
		['1500.50', '1500.5'],
		['\u00a01500\u202f', '1500'],
		['1.000,50', '1000.5'],
		['12,345,678.90', '12345678.9'],
		[999999999999999, '999999999999999'],
		// Numbers as binary arithmetic leaves them.
		[1234.5600000000002, '1234.56'],
		[19.99 * 3, '59.97'],
		[1e9 + 0.1 + 0.2, '1000000000.3'],
	])('is read from %j as %s', (given, expected) => {
		expect(readAmount(given)).toEqual({ ok: true, value: expected });
	});

	it.each([
		...['abc', '5%', '+5', '1e3', '0x10', 'Infinity', '1.2.3', '1,000 000', '1  000', '1\n000'],
		...['0,000.50', '١٠٠', null, undefined, true, {}, ['5'], 10n, Number.NaN, Infinity, 1e-7],
	])('is not %p', (given) => {
		const reason = 'which is not an amount';
		expect(readAmount(given)).toEqual({ ok: false, reason, allowed: ALLOWED });
	});

	it.each<[string, string, unknown[]]>([
		['but an amount is needed', ALLOWED, ['\u00a0']],
		['which is not positive', ALLOWED, ['-1,000', -Infinity, -0]],
		// Text is not computed: whoever wrote a third decimal meant something by it.
		[
			'which has more than two decimals',
			ALLOWED,
			[1.005, 100 / 3, 123456789012.001, '0.30000000000000004'],
		],
		['which could mean thousands or decimals', 'Write it without a thousands', ['1.500']],
		// What a person approves must be what is charged.
		[
			'which holds a character that nobody sees',
			'Empty the cell',
			['1\u200b5', '\u202e51', '15\ufeff'],
		],
		['which is too large to be sent exactly', 'Give at most 15', ['1,000,000,000,000,000']],
	])('is refused, %s', (reason, advice, all) => {
		const allowed = expect.stringContaining(advice) as string;
		for (const given of all) expect(readAmount(given)).toEqual({ ok: false, reason, allowed });
	});
});

/** Whole hundredths as an exact text, by integer arithmetic alone. */
function decimal(hundredths: bigint): string {
	const fraction = String(hundredths % 100n)
		.padStart(2, '0')
		.replace(/0+$/, '');
	return String(hundredths / 100n) + (fraction === '' ? '' : `.${fraction}`);
}

const grouped = (whole: string, mark: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, mark);

describe('any amount', () => {
	const hundredths = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
	/** Whole hundredths, so small that what is left of a calculation with them has two decimals. */
	const part = fc.integer({ min: 1, max: 100_000_000 });
	const isRead = (given: unknown, value: bigint) => {
		const read = readAmount(given);
		return read.ok && read.value === decimal(value);
	};

	it('equals exact arithmetic for every way of writing, and as a number', () => {
		const writings = fc.constantFrom<[string, string]>(
			...([',', '.', ' ', "'", ''] as const).map((mark): [string, string] => [
				mark,
				mark === '.' ? ',' : '.',
			]),
			...(['', ' ', '\u202f'] as const).map((mark): [string, string] => [mark, ',']),
		);
		fc.assert(
			fc.property(hundredths, writings, (value, [thousands, point]) => {
				const cents = String(value % 100n).padStart(2, '0');
				const text = `${grouped(String(value / 100n), thousands)}${point}${cents}`;
				return isRead(text, value) && isRead(Number(decimal(value)), value);
			}),
			RUNS,
		);
	});

	it('is read back exactly from a sum and from a product, whatever binary arithmetic made of it', () => {
		fc.assert(
			fc.property(fc.array(part, { minLength: 2, maxLength: 40 }), (parts) =>
				isRead(
					parts.reduce((total, each) => total + each / 100, 0),
					parts.reduce((total, each) => total + BigInt(each), 0n),
				),
			),
			RUNS,
		);
		fc.assert(
			fc.property(part, fc.integer({ min: 1, max: 100_000 }), (price, quantity) =>
				isRead((price / 100) * quantity, BigInt(price) * BigInt(quantity)),
			),
			RUNS,
		);
	});

	it('never has a thousandth that is taken for noise', () => {
		fc.assert(
			fc.property(hundredths, fc.integer({ min: 1, max: 9 }), (value, last) => {
				const text = `${value / 1000n}.${String(value % 100n).padStart(2, '0')}${last}`;
				return !readAmount(Number(text)).ok;
			}),
			RUNS,
		);
	});

	it('is an exact, positive decimal or refused with a reason, and reads its own text back', () => {
		const anything = fc.oneof(
			fc.string({ unit: fc.constantFrom(..."0123456789.,- \u00a0'e+"), maxLength: 18 }),
			fc.double(),
			fc.integer(),
			fc.anything({ maxDepth: 0 }),
		);
		fc.assert(
			fc.property(anything, (given) => {
				const read = readAmount(given);
				if (!read.ok) return read.reason !== '' && read.allowed !== '';
				const again = [readAmount(read.value), readAmount(Number(read.value))];
				return (
					/^(?:0|[1-9]\d*)(?:\.\d?[1-9])?$/.test(read.value) &&
					Number(read.value) > 0 &&
					again.every((each) => each.ok && each.value === read.value)
				);
			}),
			RUNS,
		);
	});

	it('is written for a link so that it is read back, and itself when written again', () => {
		fc.assert(
			fc.property(hundredths, (value) => {
				const written = forLink(decimal(value));
				const isPlain = /^\d+(?:\.\d\d)?$/.test(written);
				return isPlain && isRead(written, value) && forLink(written) === written;
			}),
			RUNS,
		);
	});
});

it.each([
	['1250.5', '1250.50'],
	['0.05', '0.05'],
	['80', '80'],
	['80.00', '80'],
])('%s is written for a link as %s', (amount, written) => {
	expect(forLink(amount)).toBe(written);
});

describe('the currency of an amount', () => {
	const inCurrency = (given: string, currency: string) => {
		const read = amountField.read(given);
		return read.ok ? amountIn(read.value, currency) : read;
	};

	it.each([
		['KES', { 'KES 3,400.00': '3400', 'Ksh 780': '780', 'Ksh.1,250.50': '1250.5' }],
		['KES', { 'kshs 2000/=': '2000', '  KES  12 ': '12', 'Ksh 3,400': '3400', '12,500': '12500' }],
		['UGX', { '45000 UGX': '45000', '2000/=': '2000', 'Shs 500': '500' }],
		['TZS', { '2000/=': '2000' }],
		['NGN', { '₦5,000.00': '5000' }],
		['GHS', { 'GH₵ 20': '20' }],
		['XOF', { '10000 FCFA': '10000', '1500': '1500' }],
	])('is %s in %j', (currency, amounts) => {
		for (const [given, value] of Object.entries(amounts))
			expect(inCurrency(given, currency)).toEqual({ ok: true, value });
	});

	it.each([
		['UGX', ['KES 3,400.00']],
		['KES', ['45000 UGX', 'USD 30', '$30', 'KES 30 UGX']],
		['GHS', ['2000/=']],
	])('is not %s in %j', (currency, all) => {
		const reason = `but the currency of this row is ${currency}`;
		for (const given of all)
			expect(inCurrency(given, currency)).toMatchObject({ ok: false, reason });
	});

	it.each(['KES', 'KES -5', '-KES 5', '45k', 'ten 10', '10 each', 'KES 1.500', 'K 20', '5/=x'])(
		'%s is no amount that has one meaning',
		(given) => {
			expect(inCurrency(given, 'KES')).toMatchObject({ ok: false });
		},
	);

	it('has no decimals where it has no minor unit', () => {
		expect(inCurrency('1500.5', 'XOF')).toEqual({
			ok: false,
			reason: 'but XOF has no decimals',
			allowed: 'Give a whole number of XOF, e.g. 1500.',
		});
	});
});
