import fc from 'fast-check';

import { columnsOf } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as createLink } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { readCurrency } from '../../../nodes/UnifiedPayments/fields/country.ts';
import { SheetError, showGiven } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { openSheet } from '../../../nodes/UnifiedPayments/fields/sheet.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = columnsOf(createLink.properties);

const sheetWith = (headings: readonly string[]) =>
	openSheet([{ Country: 'KE', Mobile: '0712345678', ...rowOf(headings) }], COLLECTION);

const rowOf = (headings: readonly string[]) =>
	Object.fromEntries(headings.map((heading) => [heading, 100]));

/** The sheet is refused as a whole: what the user is told. */
function refusal(...headings: string[]): SheetError {
	try {
		sheetWith(headings);
	} catch (error) {
		if (error instanceof SheetError) return error;
		throw error;
	}
	throw new Error(`not refused: ${headings.join(', ')}`);
}

/** Where the amount and its currency come from, when these headings stand beside a complete sheet. */
function amountIn(...headings: string[]) {
	const none = { heading: null, currency: null, why: null, several: null, missing: null };
	try {
		const sheet = sheetWith(headings);
		const { currency = null } = sheet.fields(0, {});
		return { ...none, heading: sheet.heading('amount') ?? null, currency };
	} catch (error) {
		if (!(error instanceof SheetError)) throw error;
		const told = (pattern: RegExp) => pattern.exec(error.message)?.[1] ?? null;
		return {
			...none,
			why: told(/ does not say clearly what to send: (.*)$/s),
			several: told(/^Several columns fit 'Amount': (.*)$/s),
			missing: told(/^The input has no column for (.*)$/s),
		};
	}
}

describe('the heading of the amount is understood', () => {
	it.each([
		'Amount',
		' AMOUNT ',
		'amount:',
		'Amount *',
		'Amount due',
		'amount_due',
		'amountdue',
		'amountDue',
		'Due amount',
		'Amount payable',
		'Payable amount',
		'Amount to pay',
		'Amount [to pay]',
		'Amount (due)',
		'Amount to be paid',
		'AMOUNT-TO-PAY',
		'amount_to_pay',
		'amountToPay',
		'amounttopay',
		'Total',
		'Grand total',
		'Total amount',
		'TotalAmount',
		'totalamount',
		'Total due',
		'Total to pay',
		'Total price',
		'Amount (total)',
		'Sum',
		'Sum total',
		'Price',
		'Payment',
		'Payment amount',
		'Amount of payment',
	])('without a currency: %j', (heading) => {
		expect(amountIn(heading)).toMatchObject({ heading, currency: null, why: null });
	});

	it.each([
		['Amount (KES)', 'KES'],
		['Amount (kes)', 'KES'],
		['Amount（KES）', 'KES'],
		['Amount due (KES)', 'KES'],
		['amount_kes', 'KES'],
		['amountKES', 'KES'],
		['amountToPayKES', 'KES'],
		['KESAmount', 'KES'],
		['KES amount', 'KES'],
		['Amount KES', 'KES'],
		['Amount, KES', 'KES'],
		['Amount in UGX', 'UGX'],
		['Total (TZS)', 'TZS'],
		['total_ghs', 'GHS'],
		['Price [XOF]', 'XOF'],
		['Amount (KES) to pay', 'KES'],
		['Amount (KSh)', 'KES'],
		['Amount (Ksh.)', 'KES'],
		['Amount in Kshs', 'KES'],
		['Amount (KES, KSh)', 'KES'],
		['Amount (USh)', 'UGX'],
		['Amount (TSh)', 'TZS'],
		['Amount (GH₵)', 'GHS'],
		['Amount GH₵', 'GHS'],
		['Amount (₵)', 'GHS'],
		['Amount (₦)', 'NGN'],
		['Amount₦', 'NGN'],
		['₦ Amount', 'NGN'],
		['Amount (Le)', 'SLE'],
		['Amount (NLe)', 'SLE'],
	])('with its currency: %j is in %s', (heading, currency) => {
		expect(amountIn(heading)).toMatchObject({ heading, currency, why: null });
	});
});

describe('the heading of the amount is refused', () => {
	it.each([
		['Amount (USD)', 'USD is not a currency of this service'],
		['Amount USD', 'USD is not a currency of this service'],
		['amount_usd', 'USD is not a currency of this service'],
		['amountUSD', 'USD is not a currency of this service'],
		['USD amount', 'USD is not a currency of this service'],
		['Total (EUR)', 'EUR is not a currency of this service'],
		['Amount (SLL)', 'SLL is not a currency of this service'],
		['Amount due (USD)', 'USD is not a currency of this service'],
		['Amount ($)', '$ is not a currency of this service'],
		['Amount $', '$ is not a currency of this service'],
		['Amount(€)', '€ is not a currency of this service'],
		['Amount (US$)', '$ is not a currency of this service'],
		['Amount (CFA)', 'CFA may mean XOF or XAF'],
		['Amount (FCFA)', 'CFA may mean XOF or XAF'],
		['Amount (F CFA)', 'CFA may mean XOF or XAF'],
		['Amount (KES/UGX)', 'it names KES and UGX'],
		['Amount KES (KSh or TSh)', 'it names KES and TZS'],
		['Amount (KES or USD)', 'USD is not a currency of this service'],
		['Amount (GHC)', '"GHC" was not understood'],
		['Amount (Sh)', '"Sh" was not understood'],
		['Amount (K)', '"K" was not understood'],
		['Amount (shillings)', '"shillings" was not understood'],
		['Amount (cents)', '"cents" was not understood'],
		['Amount in cents', '"cents" was not understood'],
		['amountCents', '"Cents" was not understood'],
		['Amount (KES cents)', '"cents" was not understood'],
		['Amount (KES, cents)', '"cents" was not understood'],
		["Amount ('000)", '"000" was not understood'],
		['amount_000', '"000" was not understood'],
		['Amount000', '"000" was not understood'],
		['Amount (KES 000)', '"000" was not understood'],
		["Amount (KES '000)", '"000" was not understood'],
		['Amount (thousands)', '"thousands" was not understood'],
		['Amount (%)', '"%" was not understood'],
		['Amount (excl. VAT)', '"excl VAT" was not understood'],
		['Price (excl. VAT)', '"excl VAT" was not understood'],
		['Price ex VAT', '"ex VAT" was not understood'],
		['Amount (constructor)', '"constructor" was not understood'],
		['Net amount', '"Net" was not understood'],
		['Sub-total', '"Sub" was not understood'],
		['Amount paid', '"paid" was not understood'],
		['Amount (not due)', '"not" was not understood'],
		['Amount (per unit)', 'it is the price of one unit'],
		['Price (per unit)', 'it is the price of one unit'],
		['Price per unit', 'it is the price of one unit'],
		['Price/unit', 'it is the price of one unit'],
		['Unit Price', 'it is the price of one unit'],
		['unitPrice', 'it is the price of one unit'],
		['unit_price_kes', 'it is the price of one unit'],
		['Price each', 'it is the price of one unit'],
	])('%j: %s', (heading, why) => {
		expect(amountIn(heading)).toMatchObject({ heading: null, currency: null, why, missing: null });
	});

	it('with the heading, the reason, and what to do', () => {
		expect(refusal('Amount (USD)')).toMatchObject({
			message:
				'The heading "Amount (USD)" does not say clearly what to send: USD is not a currency of this service',
			description:
				'Once its values are plain amounts to pay, rename the column to "Amount" (in the currency of the country) or, for example, "Amount (KES)". The service takes KES, XOF, XAF, TZS, UGX, ZMW, SLE, GHS, NGN. Or set \'Mapping Column Mode\' to \'Map Each Column Manually\'. Nothing was sent.',
		});
		expect(refusal('Unit Price')).toMatchObject({
			message:
				'The heading "Unit Price" does not say clearly what to send: it is the price of one unit',
			description:
				"Add a column with the amount to pay, price times quantity, and call it \"Amount\". Or set 'Mapping Column Mode' to 'Map Each Column Manually'. Nothing was sent.",
		});
	});
});

describe('a price beside a quantity', () => {
	it.each([
		'Quantity',
		'qty',
		'QTY.',
		'Units',
		'Count',
		'Pieces',
		'pcs',
		'Order quantity',
		'Quantity (kg)',
		'Item Count',
		'Number of items',
		'No. of tickets',
		'Hours',
		'Nights',
	])('%j is refused, since it may be that of one unit', (quantity) => {
		for (const price of ['Price', 'Price (KES)']) {
			expect(amountIn(price, quantity)).toMatchObject({
				heading: null,
				why: `beside "${quantity}" it may be the price of one unit`,
			});
		}
	});

	it('says to add a column with the amount to pay', () => {
		expect(refusal('Price', 'Quantity')).toMatchObject({
			message:
				'The heading "Price" does not say clearly what to send: beside "Quantity" it may be the price of one unit',
			description: expect.stringMatching(/^Add a column with the amount to pay, /) as string,
		});
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
		for (const other of [
			'Country code',
			'Account',
			'Days overdue',
			'Unit',
			'Item',
			'Discount code',
			'Hours %',
		]) {
			expect(amountIn('Price', other).heading).toBe('Price');
		}
	});
});

describe('several amounts', () => {
	it('one that is clear is used, whatever else the sheet has', () => {
		expect(amountIn('Amount (USD)', 'Amount (KES)')).toMatchObject({
			heading: 'Amount (KES)',
			currency: 'KES',
			why: null,
		});
		expect(amountIn('Amount (USD)', 'Amount').heading).toBe('Amount');
		expect(amountIn('Amount', 'Amount paid', 'Price').heading).toBe('Amount');
		expect(amountIn('Amount (excl. VAT)', 'VAT', 'Total').heading).toBe('Total');
		expect(amountIn('Payment Date', 'Payment Status', 'Total').heading).toBe('Total');
		expect(amountIn('Payment Date', 'Amount in words', 'Price').heading).toBe('Price');
	});

	it('two that could both be it are refused', () => {
		for (const headings of [
			['Amount (KES)', 'Amount (UGX)'],
			['Amount', 'Amount (KES)'],
			['Total', 'Amount due'],
			['Amount', 'Total'],
			['Amount', 'Amount due'],
			['Price', 'Payment'],
		]) {
			expect(amountIn(...headings).several).toBe(headings.map((each) => `"${each}"`).join(', '));
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
		const { why, missing } = amountIn(
			'Payment Date',
			'Payment Method',
			'Total Quantity',
			'Summary',
		);
		expect(why).toBeNull();
		expect(missing).toBe("'Amount'");
	});
});

it('remarks in other headings are harmless', () => {
	const headings = ['Phone (mobile)', 'Country (of the customer)', 'Amount', 'Reference (ours)'];
	const sheet = openSheet([rowOf(headings)], COLLECTION);
	expect(COLLECTION.map(({ field }) => sheet.heading(field))).toEqual([
		'Country (of the customer)',
		undefined,
		'Amount',
		'Phone (mobile)',
		undefined,
		'Reference (ours)',
		undefined,
		undefined,
	]);
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

	it('is read without failing, into at most one of found, unclear, several and missing', () => {
		fc.assert(
			fc.property(fc.array(heading, { maxLength: 4 }), (all) => {
				const found = amountIn(...new Set(all));
				const ends = [
					found.heading !== null,
					found.why !== null,
					found.several !== null,
					found.missing !== null,
				];
				return ends.filter(Boolean).length === 1;
			}),
			{ numRuns: 10_000 },
		);
	});

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
		const currency = currencyFor('UGX');
		expect(showGiven(currency)).toBe('"UGX"');
		expect(readCurrency(currency)).toEqual({
			ok: false,
			reason: 'but the heading "Amount (KES)" states another currency',
			allowed: 'Correct the cell, or rename the column of the amount to "Amount".',
		});
	});

	it('is refused in the usual words when it is none', () => {
		expect(currencyFor('Shillings')).toBe('Shillings');
	});
});
