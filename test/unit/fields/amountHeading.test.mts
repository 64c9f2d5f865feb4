import fc from 'fast-check';

import { columnsOf } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as createLink } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { SheetError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { openSheet } from '../../../nodes/UnifiedPayments/fields/sheet.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = columnsOf(createLink.properties);

const sheetWith = (headings: readonly string[]) =>
	openSheet([{ Country: 'KE', Mobile: '0712345678', ...rowOf(headings) }], COLLECTION);

const rowOf = (headings: readonly string[]) =>
	Object.fromEntries(headings.map((heading) => [heading, 100]));

/** Where the amount and its currency come from, when these headings stand beside a complete sheet. */
function amountIn(...headings: string[]) {
	let sheet: ReturnType<typeof sheetWith> | undefined;
	let message = '';
	try {
		sheet = sheetWith(headings);
	} catch (error) {
		if (!(error instanceof SheetError)) throw error;
		({ message } = error);
	}
	const told = (pattern: RegExp) => pattern.exec(message)?.[1] ?? null;
	return {
		heading: sheet?.heading('amount') ?? null,
		currency: sheet?.fields(0, {}).currency ?? null,
		why: told(/ does not say clearly what to send: (.*)$/s),
		several: told(/^Several columns fit 'Amount': (.*)$/s),
		missing: told(/^The input has no column for (.*)$/s),
	};
}

/** Several headings in one text. */
const listed = (text: string) => text.split(' | ');

describe('the heading of the amount is understood', () => {
	it.each([
		...listed(
			'Amount |  AMOUNT  | amount: | Amount * | Amount due | amount_due | amountdue | amountDue',
		),
		...listed('Due amount | Amount payable | Payable amount | Amount to pay | Amount [to pay]'),
		...listed('Amount (due) | Amount to be paid | AMOUNT-TO-PAY | amount_to_pay | amountToPay'),
		...listed(
			'amounttopay | Total | Grand total | Total amount | TotalAmount | totalamount | Total due',
		),
		...listed('Total to pay | Total price | Amount (total) | Sum | Sum total | Price | Payment'),
		...listed('Payment amount | Amount of payment'),
	])('without a currency: %j', (heading) => {
		expect(amountIn(heading)).toMatchObject({ heading, currency: null, why: null });
	});

	it.each([
		[
			'KES',
			'Amount (KES) | Amount (kes) | Amount（KES） | Amount due (KES) | amount_kes | amountKES',
		],
		[
			'KES',
			'amountToPayKES | KESAmount | KES amount | Amount KES | Amount, KES | Amount (KES) to pay',
		],
		['KES', 'Amount (KSh) | Amount (Ksh.) | Amount in Kshs | Amount (KES, KSh)'],
		['UGX', 'Amount in UGX | Amount (USh)'],
		['GHS', 'total_ghs | Amount (GH₵) | Amount GH₵ | Amount (₵)'],
		['NGN', 'Amount (₦) | Amount₦ | ₦ Amount'],
		['SLE', 'Amount (Le) | Amount (NLe)'],
	])('in %s: %s', (currency, headings) => {
		for (const heading of listed(headings))
			expect(amountIn(heading)).toMatchObject({ heading, currency, why: null });
	});
});

describe('the heading of the amount is refused', () => {
	it.each([
		['USD is not a currency of this service', 'Amount (USD) | Amount USD | amount_usd | amountUSD'],
		[
			'USD is not a currency of this service',
			'USD amount | Amount due (USD) | Amount (KES or USD)',
		],
		['$ is not a currency of this service', 'Amount ($) | Amount $ | Amount (US$)'],
		['CFA may mean XOF or XAF', 'Amount (CFA) | Amount (FCFA) | Amount (F CFA)'],
		['it names KES and UGX', 'Amount (KES/UGX)'],
		['it names KES and TZS', 'Amount KES (KSh or TSh)'],
		['"cents" was not understood', 'Amount (cents) | Amount in cents | Amount (KES, cents)'],
		['"000" was not understood', "Amount ('000) | amount_000 | Amount000 | Amount (KES '000)"],
		['"%" was not understood', 'Amount (%)'],
		['"excl VAT" was not understood', 'Amount (excl. VAT) | Price (excl. VAT)'],
		['"Net" was not understood', 'Net amount'],
		['"paid" was not understood', 'Amount paid'],
		['"not" was not understood', 'Amount (not due)'],
		['it is the price of one unit', 'Amount (per unit) | Price (per unit) | Price per unit'],
		[
			'it is the price of one unit',
			'Price/unit | Unit Price | unitPrice | unit_price_kes | Price each',
		],
		['"ACFA" was not understood', 'Amount ACFA'],
		['"CFAS" was not understood', 'Amount CFAS'],
		['it is longer than 500 characters', `Amount (cents) ${' '.repeat(486)}`],
		['"cents" was not understood', `Amount (cents)${' '.repeat(486)}`],
	])('since %s: %s', (why, headings) => {
		for (const heading of listed(headings))
			expect(amountIn(heading)).toMatchObject({ heading: null, currency: null, why });
	});

	it('with the heading, the reason, and what to do', () => {
		const refusal = (heading: string, advice: RegExp) =>
			expect(() => sheetWith([heading])).toThrow(
				expect.objectContaining({
					message: expect.stringContaining(`The heading "${heading}" does not say`) as string,
					description: expect.stringMatching(advice) as string,
				}),
			);
		refusal(
			'Amount (USD)',
			/^Once its values are plain amounts.* "Amount \(KES\)"\. The service takes KES, XOF,.* Nothing was sent\.$/,
		);
		refusal(
			'Unit Price',
			/^Add a column with the amount to pay, price times.* Nothing was sent\.$/,
		);
	});
});

describe('a price beside a quantity', () => {
	it.each([
		...listed(
			'Quantity | qty | QTY. | Units | Count | Pieces | pcs | Order quantity | Quantity (kg)',
		),
		...listed('Item Count | Number of items | No. of tickets | Hours | Nights'),
	])('%j is refused, since it may be that of one unit', (quantity) => {
		for (const price of ['Price', 'Price (KES)']) {
			expect(amountIn(price, quantity)).toMatchObject({
				heading: null,
				why: `beside "${quantity}" it may be the price of one unit`,
			});
		}
	});

	it.each(['Total', 'Amount due', 'Amount', 'Total (KES)', 'Total price', 'Sum', 'Payment'])(
		'gives way to %j, which is the amount to pay',
		(heading) => {
			for (const price of ['Price', 'Unit Price', 'Price per unit', 'Price (KES)']) {
				expect(amountIn(price, 'Quantity', heading).heading).toBe(heading);
			}
		},
	);

	it('is an amount beside what is no quantity', () => {
		for (const other of listed(
			'Country code | Account | Days overdue | Unit | Item | Discount code | Hours %',
		)) {
			expect(amountIn('Price', other).heading).toBe('Price');
		}
	});
});

describe('several amounts', () => {
	it('one that is clear is used, whatever else the sheet has', () => {
		for (const [headings, heading] of [
			['Amount (USD) | Amount (KES)', 'Amount (KES)'],
			['Amount (USD) | Amount', 'Amount'],
			['Amount | Amount paid | Price', 'Amount'],
			['Amount (excl. VAT) | VAT | Total', 'Total'],
			['Payment Date | Payment Status | Total', 'Total'],
			['Payment Date | Amount in words | Price', 'Price'],
		] as const) {
			const currency = heading === 'Amount (KES)' ? 'KES' : null;
			expect(amountIn(...listed(headings))).toMatchObject({ heading, currency });
		}
	});

	it('two that could both be it are refused', () => {
		for (const headings of [
			...['Amount (KES) | Amount (UGX)', 'Amount | Amount (KES)', 'Total | Amount due'],
			...['Amount | Total', 'Amount | Amount due', 'Price | Payment'],
		]) {
			const several = `"${headings.replace(' | ', '", "')}"`;
			expect(amountIn(...listed(headings)).several).toBe(several);
		}
	});

	it('a poorer word does not stand in for a better one that was not understood', () => {
		expect(amountIn('Amount (cents)', 'Price').why).toBe('"cents" was not understood');
		expect(amountIn('Payment', 'Total (USD)').why).toBe('USD is not a currency of this service');
	});

	it('a total beside amounts of another currency may be in that currency', () => {
		const why = 'USD is not a currency of this service';
		expect(amountIn('Amount (USD)', 'Total')).toMatchObject({ heading: null, why });
		expect(amountIn('Amount (USD)', 'Total (KES)')).toMatchObject({ currency: 'KES', why: null });
		expect(amountIn('Amount (USD)', 'Total', 'Currency')).toMatchObject({ heading: 'Total' });
	});

	it('what is no amount is not taken for an unclear one', () => {
		const others = listed('Payment Date | Payment due | Payment Method | Total Quantity | Summary');
		expect(amountIn(...others)).toMatchObject({ why: null, missing: "'Amount'" });
	});
});

it('remarks in other headings are harmless', () => {
	const headings = ['Phone (mobile)', 'Country (of the customer)', 'Amount', 'Reference (ours)'];
	const sheet = openSheet([rowOf(headings)], COLLECTION);
	const used = ['mobile', 'country', 'amount', 'orderReference'].map(sheet.heading);
	expect(used).toEqual(headings);
	const optional = LINK.map((column) => ({ ...column, required: false }));
	const link = openSheet([rowOf(['First Name (customer)', 'Item (USD)'])], optional);
	expect(link.heading('firstName')).toBe('First Name (customer)');
	expect(link.heading('itemName')).toBe('Item (USD)');
});

describe('any heading', () => {
	const words = fc.constantFrom(
		...['Amount', 'Price', 'Total', 'due', 'to', 'pay', 'KES', 'USD', 'KSh', '₦', '$', 'cents'],
		...['000', 'in', 'per', 'unit', '(', ')', '[', '%', 'Quantity', "'", '_', 'Payment', 'CFA'],
	);
	const heading = fc.oneof(
		fc.array(words, { maxLength: 6 }).chain((all) => fc.constantFrom(all.join(' '), all.join(''))),
		fc.string({ unit: 'binary', maxLength: 20 }),
	);

	it('is used only when every one of its words is known', () => {
		const KNOWN =
			/^(?:amount|total|sum|price|payment|due|payable|to|be|pay|paid|grand|in|of|the|kes|xof|xaf|tzs|ugx|zmw|sle|ghs|ngn|kshs?|ush|tsh|gh₵|₵|₦|n?le|[\s()[\]{}_'’".,:;*?/|-])+$/;
		fc.assert(
			fc.property(heading, (given) => {
				const found = amountIn(given);
				return found.heading === null || KNOWN.test(given.normalize('NFKC').toLowerCase());
			}),
			{ numRuns: 10_000 },
		);
	});
});

describe('the currency of a cell', () => {
	const currencyFor = (cell: string | null) =>
		openSheet(
			[{ Country: 'KE', 'Amount (KES)': 5, Mobile: '0712345678', Currency: cell }],
			COLLECTION,
		).fields(0, {}).currency;

	it('may repeat that of the heading, or be left to it', () => {
		for (const cell of ['KES', ' kes ', '', null, 'auto']) {
			expect(currencyFor(cell)).toBe('KES');
		}
	});

	it('must not be another one', () => {
		expect(currencyFor('UGX')).toEqual({
			given: 'UGX',
			reason: 'but the heading "Amount (KES)" states another currency',
			allowed: 'Correct the cell, or rename the column of the amount to "Amount".',
		});
	});
});
