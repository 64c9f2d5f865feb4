import fc from 'fast-check';

import {
	amountField,
	amountIn,
	twoDecimalsOrNone,
} from '../../../nodes/UnifiedPayments/fields/amount.ts';

const readAmount = (given: unknown) => {
	const read = amountField.read(given);
	return read.ok ? { ...read, value: read.value.amount } : read;
};
const plain = (amount: string) => ({ amount, signs: [] });

const RUNS = { numRuns: 10_000 };
const ALLOWED = 'Enter a positive number with at most two decimals, e.g. 1500 or 1500.50.';

describe('readAmount', () => {
	it.each<[unknown, string]>([
		['1', '1'],
		['1500', '1500'],
		['1500.5', '1500.5'],
		['1500.50', '1500.5'],
		['1500.00', '1500'],
		['1500.', '1500'],
		['.5', '0.5'],
		['0.5', '0.5'],
		['0.01', '0.01'],
		['007', '7'],
		['  1500  ', '1500'],
		['\u00a01500\u202f', '1500'],
		['1,5', '1.5'],
		['12,50', '12.5'],
		['1500,50', '1500.5'],
		['1,000.50', '1000.5'],
		['1.000,50', '1000.5'],
		['1 000', '1000'],
		['1 000,50', '1000.5'],
		['1 000.50', '1000.5'],
		['1\u00a0000,50', '1000.5'],
		['1\u202f000\u202f000', '1000000'],
		['1\u2009000', '1000'],
		["1'000", '1000'],
		['1’000.50', '1000.5'],
		['1,000,000', '1000000'],
		['1.000.000', '1000000'],
		['1.000.000,5', '1000000.5'],
		['12,345,678.90', '12345678.9'],
		['999999999999999', '999999999999999'],
		['9999999999999.99', '9999999999999.99'],
		[1, '1'],
		[1500.5, '1500.5'],
		[0.01, '0.01'],
		[999999999999999, '999999999999999'],
		[9999999999999.99, '9999999999999.99'],
		// Numbers as binary arithmetic leaves them.
		[0.1 + 0.2, '0.3'],
		[1234.5600000000002, '1234.56'],
		[19.99 * 3, '59.97'],
		[4.35 * 100, '435'],
		[1.1 * 1.1 * 100, '121'],
		[Array.from({ length: 100 }, () => 0.1).reduce((sum, each) => sum + each, 0), '10'],
		[1e9 + 0.1 + 0.2, '1000000000.3'],
	])('reads %j as %s', (given, expected) => {
		expect(readAmount(given)).toEqual({ ok: true, value: expected });
	});

	it.each(['1,000', '1.000', '1.500', '12,345', '123.456', '1,500'])(
		'does not guess what %s means',
		(given) => {
			expect(readAmount(given)).toEqual({
				ok: false,
				reason: 'which could mean thousands or decimals',
				allowed:
					'Write it without a thousands separator and with a point before the decimals, e.g. 1500.50.',
			});
		},
	);

	it.each<[unknown, string]>([
		['', 'but an amount is needed'],
		['   ', 'but an amount is needed'],
		['\u00a0', 'but an amount is needed'],
		[null, 'which is not an amount'],
		[undefined, 'which is not an amount'],
		[true, 'which is not an amount'],
		[{}, 'which is not an amount'],
		[['5'], 'which is not an amount'],
		[10n, 'which is not an amount'],
		['abc', 'which is not an amount'],
		['5%', 'which is not an amount'],
		['+5', 'which is not an amount'],
		['1e3', 'which is not an amount'],
		['0x10', 'which is not an amount'],
		['Infinity', 'which is not an amount'],
		['1.2.3', 'which is not an amount'],
		['1,2,3', 'which is not an amount'],
		['1,000,50', 'which is not an amount'],
		['1.000.50', 'which is not an amount'],
		['1,000 000', 'which is not an amount'],
		['1 0000', 'which is not an amount'],
		['1  000', 'which is not an amount'],
		['1000,000', 'which is not an amount'],
		['0,500', 'which is not an amount'],
		['0,000.50', 'which is not an amount'],
		['1,000.', 'which is not an amount'],
		[',5', 'which is not an amount'],
		['.', 'which is not an amount'],
		['١٠٠', 'which is not an amount'],
		['1\n000', 'which is not an amount'],
		[Number.NaN, 'which is not an amount'],
		[Number.POSITIVE_INFINITY, 'which is not an amount'],
		[1e21, 'which is not an amount'],
		[1e-7, 'which is not an amount'],
		[0, 'which is not positive'],
		[-0, 'which is not positive'],
		['0', 'which is not positive'],
		['0.00', 'which is not positive'],
		['000', 'which is not positive'],
		[-5, 'which is not positive'],
		['-5', 'which is not positive'],
		['-1,000', 'which is not positive'],
		[Number.NEGATIVE_INFINITY, 'which is not positive'],
		[1.005, 'which has more than two decimals'],
		[1.001, 'which has more than two decimals'],
		[0.001, 'which has more than two decimals'],
		[0.304, 'which has more than two decimals'],
		[0.300001, 'which has more than two decimals'],
		[100 / 3, 'which has more than two decimals'],
		[10.0000000001, 'which has more than two decimals'],
		[123456789012.345, 'which has more than two decimals'],
		[123456789012.001, 'which has more than two decimals'],
		// Text is not computed: whoever wrote a third decimal meant something by it.
		['0.30000000000000004', 'which has more than two decimals'],
		['1,500.000', 'which has more than two decimals'],
		['1.500,000', 'which has more than two decimals'],
		['1 500.000', 'which has more than two decimals'],
		['1500.000', 'which has more than two decimals'],
		['1500.500', 'which has more than two decimals'],
		['0.500', 'which has more than two decimals'],
		['.500', 'which has more than two decimals'],
		['1500.555', 'which has more than two decimals'],
		['0.001', 'which has more than two decimals'],
		['1,000.005', 'which has more than two decimals'],
	])('refuses %p, %s', (given, reason) => {
		expect(readAmount(given)).toEqual({ ok: false, reason, allowed: ALLOWED });
	});

	it.each(['1000000000000000', '12345678901234.56', 1e15, '1,000,000,000,000,000'])(
		'refuses %j, which a number on the wire could not carry',
		(given) => {
			expect(readAmount(given)).toEqual({
				ok: false,
				reason: 'which is too large to be sent exactly',
				allowed: 'Give at most 15 digits.',
			});
		},
	);
});

/** Whole hundredths as an exact text, by integer arithmetic alone. */
function decimal(hundredths: bigint): string {
	const fraction = String(hundredths % 100n)
		.padStart(2, '0')
		.replace(/0+$/, '');
	return String(hundredths / 100n) + (fraction === '' ? '' : `.${fraction}`);
}

const grouped = (whole: string, mark: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, mark);

describe('readAmount as a whole', () => {
	const hundredths = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });

	it('equals exact arithmetic for every way of writing', () => {
		const writings = fc.constantFrom<[string, string]>(
			['', '.'],
			['', ','],
			[',', '.'],
			['.', ','],
			[' ', '.'],
			[' ', ','],
			["'", '.'],
			['\u202f', ','],
		);
		fc.assert(
			fc.property(hundredths, writings, (value, [thousands, point]) => {
				const whole = String(value / 100n);
				const cents = String(value % 100n).padStart(2, '0');
				const read = readAmount(`${grouped(whole, thousands)}${point}${cents}`);
				return read.ok && read.value === decimal(value);
			}),
			RUNS,
		);
	});

	it('equals exact arithmetic for numbers', () => {
		fc.assert(
			fc.property(hundredths, (value) => {
				const read = readAmount(Number(decimal(value)));
				return read.ok && read.value === decimal(value);
			}),
			RUNS,
		);
	});

	/** Whole hundredths, so small that what is left of a calculation with them has two decimals. */
	const part = fc.integer({ min: 1, max: 100_000_000 });

	it('reads a sum back exactly, whatever binary arithmetic made of it', () => {
		fc.assert(
			fc.property(fc.array(part, { minLength: 2, maxLength: 40 }), (parts) => {
				const sum = parts.reduce((total, each) => total + each / 100, 0);
				const exact = parts.reduce((total, each) => total + BigInt(each), 0n);
				const read = readAmount(sum);
				return read.ok && read.value === decimal(exact);
			}),
			RUNS,
		);
	});

	it('reads a price times a quantity back exactly', () => {
		fc.assert(
			fc.property(part, fc.integer({ min: 1, max: 100_000 }), (price, quantity) => {
				const read = readAmount((price / 100) * quantity);
				return read.ok && read.value === decimal(BigInt(price) * BigInt(quantity));
			}),
			RUNS,
		);
	});

	it('never takes a thousandth for noise', () => {
		const thousandths = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
		fc.assert(
			fc.property(thousandths, fc.integer({ min: 1, max: 9 }), (value, last) => {
				const text = `${value / 1000n}.${String(value % 100n).padStart(2, '0')}${last}`;
				return !readAmount(Number(text)).ok;
			}),
			RUNS,
		);
	});

	it('gives an exact, positive decimal or a reason, and reads its own text back', () => {
		const texts = fc.oneof(
			fc.string({ unit: fc.constantFrom(..."0123456789.,- \u00a0'e+"), maxLength: 18 }),
			fc.double(),
			fc.integer(),
			fc.anything({ maxDepth: 0 }),
		);
		fc.assert(
			fc.property(texts, (given) => {
				const read = readAmount(given);
				if (!read.ok) return read.reason !== '' && read.allowed !== '';
				const again = readAmount(read.value);
				const asNumber = readAmount(Number(read.value));
				return (
					/^(?:0|[1-9]\d*)(?:\.\d?[1-9])?$/.test(read.value) &&
					Number(read.value) > 0 &&
					again.ok &&
					again.value === read.value &&
					asNumber.ok &&
					asNumber.value === read.value
				);
			}),
			RUNS,
		);
	});
});

describe('amountIn', () => {
	it('wants whole numbers where the currency has no minor unit', () => {
		expect(amountIn(plain('1500.5'), 'XOF')).toEqual({
			ok: false,
			reason: 'but XOF has no decimals',
			allowed: 'Give a whole number of XOF, e.g. 1500.',
		});
		expect(amountIn(plain('1500'), 'XOF')).toEqual({ ok: true, value: '1500' });
	});

	it('takes two decimals elsewhere', () => {
		expect(amountIn(plain('1500.55'), 'KES')).toEqual({ ok: true, value: '1500.55' });
	});
});

describe('twoDecimalsOrNone', () => {
	it.each([
		['1250.5', '1250.50'],
		['1250.50', '1250.50'],
		['0.05', '0.05'],
		['80', '80'],
		['80.00', '80'],
		['80.0', '80'],
	])('writes %s as %s', (amount, written) => {
		expect(twoDecimalsOrNone(amount)).toBe(written);
	});

	it('writes every amount so that it is read back, and itself when written again', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), (value) => {
				const written = twoDecimalsOrNone(decimal(value));
				const read = readAmount(written);
				return (
					/^\d+(?:\.\d\d)?$/.test(written) &&
					read.ok &&
					read.value === decimal(value) &&
					twoDecimalsOrNone(written) === written
				);
			}),
			RUNS,
		);
	});
});

describe('a currency beside an amount', () => {
	const inCurrency = (given: string, currency: string) => {
		const read = amountField.read(given);
		return read.ok ? amountIn(read.value, currency) : read;
	};

	it.each([
		['KES 3,400.00', 'KES', '3400'],
		['Ksh 780', 'KES', '780'],
		['Ksh.1,250.50', 'KES', '1250.5'],
		['kshs 2000/=', 'KES', '2000'],
		['45000 UGX', 'UGX', '45000'],
		['2000/=', 'UGX', '2000'],
		['2000/=', 'TZS', '2000'],
		['Shs 500', 'UGX', '500'],
		['₦5,000.00', 'NGN', '5000'],
		['GH₵ 20', 'GHS', '20'],
		['10000 FCFA', 'XOF', '10000'],
		['  KES  12 ', 'KES', '12'],
	])('%s is read in %s', (given, currency, value) => {
		expect(inCurrency(given, currency)).toEqual({ ok: true, value });
	});

	it.each([
		['KES 3,400.00', 'UGX'],
		['45000 UGX', 'KES'],
		['2000/=', 'GHS'],
		['USD 30', 'KES'],
		['$30', 'KES'],
		['KES 30 UGX', 'KES'],
	])('%s is refused in %s', (given, currency) => {
		expect(inCurrency(given, currency)).toMatchObject({
			ok: false,
			reason: `but the currency of this row is ${currency}`,
		});
	});

	it.each(['KES', 'KES -5', '-KES 5', '45k', 'ten 10', '10 each', 'KES 1,500', 'K 20', '5/=x'])(
		'%s is no amount that has one meaning',
		(given) => {
			expect(inCurrency(given, 'KES')).toMatchObject({ ok: false });
		},
	);
});
