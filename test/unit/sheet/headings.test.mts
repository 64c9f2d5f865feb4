import { readFileSync } from 'node:fs';

import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { columnsOf } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { SheetError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { fold } from '../../../nodes/UnifiedPayments/countries/lookup.ts';
import { isResult } from '../../../nodes/UnifiedPayments/payment/results.ts';
import { readAmountHeading } from '../../../nodes/UnifiedPayments/sheet/amountHeading.ts';
import { labelOfColumn, matchHeadings } from '../../../nodes/UnifiedPayments/sheet/headings.ts';
import { SYNONYMS } from '../../../nodes/UnifiedPayments/sheet/headingWords.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = columnsOf(link.properties);
const optional = LINK.map((column) => ({ ...column, required: false }));

const HEADINGS = readFileSync('test/fixtures/headings.tsv', 'utf8')
	.replace(/\n$/, '')
	.split('\n')
	.slice(1)
	.map((line) => line.split('\t') as [heading: string, fills: string, currency: string]);

/** What a heading fills when it stands alone. */
function filledBy(heading: string): [string, string] {
	try {
		const { byField, currency } = matchHeadings([heading], optional);
		return [[...byField.keys()].join() || '-', currency ?? ''];
	} catch (error) {
		if (!(error instanceof SheetError)) throw error;
		return [error.message.startsWith('The column') ? 'reference' : 'unclear', ''];
	}
}

it.each(HEADINGS)('%j fills %s (%s)', (heading, ...expected) => {
	expect(filledBy(heading)).toEqual(expected);
});

const refusal = (headings: readonly string[], columns = optional, cells: string[][] = []) => {
	try {
		matchHeadings(headings, columns, cells);
	} catch (error) {
		if (error instanceof SheetError) return `${error.message}. ${error.description}`;
		throw error;
	}
	return null;
};

it.each([
	['Amount', 'Amount_1'],
	['Amount (KES)', 'Amount (KES)_1'],
	['Amount', 'Amount (KES)'],
	['Amount (USD)', 'Total'],
	['Total', 'Amount due'],
	['Phone', 'Phone_1'],
	['Phone', 'Mobile'],
	['Order', 'Invoice'],
	['Order', 'Order_1'],
	['Email', 'Customer Email'],
])('two columns for one field are refused: %s and %s', (one, other) => {
	expect(refusal([one, other])).toContain(`"${one}", "${other}"`);
});

it.each([
	['Amount', 'Price', 'Amount paid'],
	['Amount', 'Line_1', 'Line'],
	['Order', 'Reference'],
])('what fills nothing is named: %j', (...headings) => {
	const { unused } = matchHeadings(headings, optional);
	expect(unused).toEqual(headings.slice(1));
});

it('what an earlier run has written fills nothing, and is not named', () => {
	const written = ['outcome', 'message', 'link', 'linkFrom', 'reference'];
	expect(matchHeadings(['Order', ...written], optional).unused).toEqual([]);
	expect(matchHeadings(['Order', 'message'], optional).unused).toEqual(['message']);
	const { byField, writtenOrder } = matchHeadings(['orderReference', 'Order'], optional);
	expect([byField.get('orderReference'), writtenOrder]).toEqual(['Order', 'orderReference']);
});

it('required fields that are nowhere are named, with the columns that there are', () => {
	expect(refusal(['Price', 'Phone'], COLLECTION)).toMatch(
		/no column for 'Country', 'Amount'\. Its columns are "Price", "Phone"\..*called "Amount"/,
	);
	expect(refusal([], LINK)).toContain('Its columns are none.');
	const many = Array.from({ length: 51 }, (_, n) => `c${n}`);
	expect(refusal(many, LINK)).toContain('"c49", and 1 more');
});

it('headings below a title are seen', () => {
	const headings = ['WANJIRU WATER - NOVEMBER', '__EMPTY', '__EMPTY_1'];
	const below = [
		['', '', ''],
		['Phone', 'Amount (KES)', 'Country'],
	];
	expect(refusal(headings, COLLECTION, below)).toMatch(
		/The headings stand further down: "Phone", "Amount \(KES\)", "Country"\. Make them the first row/,
	);
	const values = [['0712345678', '100', 'Kenya']];
	expect(refusal(headings, COLLECTION, values)).not.toContain('further down');
});

it('a sheet that has only a reference is refused with both ways out', () => {
	for (const columns of [optional, COLLECTION.map((column) => ({ ...column, required: false }))]) {
		expect(refusal(['Reference'], columns)).toMatch(/rename it to "Order".*to "Service Reference"/);
		expect(refusal(['Reference', 'Order'], columns)).toBeNull();
	}
});

it('no word stands for two fields of an operation, for a result, or for an amount', () => {
	for (const columns of [COLLECTION, LINK]) {
		const words = columns.flatMap(({ field, label }) => [
			...new Set([fold(field), fold(label), ...(SYNONYMS[field] ?? [])]),
		]);
		expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
		expect(columns.filter(({ field }) => isResult(field))).toEqual([]);
	}
	const all = Object.values(SYNONYMS).flat();
	expect(all.filter((word) => readAmountHeading(word) !== null || fold(word) !== word)).toEqual([]);
});

it.each([
	['Mobile', 'mobile', 'Mobile'],
	['Mobile', ' Mobile: ', 'Mobile'],
	['Amount', 'Amount (KES)', 'Amount (column "Amount (KES)")'],
])('%s in the column %j is called %j in errors', (label, heading, told) => {
	expect(labelOfColumn(label, heading)).toBe(told);
});

it('headings that are long, or many, are read in no time', () => {
	const long = ['Amount (', 'to '.repeat(2000), 'Mobile'.padEnd(5000), `A${'_1'.repeat(5000)}`];
	const many = Array.from({ length: 20_000 }, (_, n) => `Order_${n}`);
	expect(matchHeadings([...long, ...many], optional).byField.size).toBe(1);
});
