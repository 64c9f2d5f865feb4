import { readdirSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { evaluate, nodeOf, readWorkflow, runCode, runForItem } from './runExample.mts';
import type { Row } from './runExample.mts';

const FILES = [
	...readdirSync('examples'),
	...readdirSync('examples/desk').map((file) => `desk/${file}`),
].filter((file) => file.endsWith('.json'));

/** The sheet that two sheets of the desk make when somebody puts them together. */
const MERGED = [
	{ row_number: 1, Order: 'A-1', Name: 'Wanjiru', amount: 50 },
	{ row_number: 2, Order: 'A-2', Name: 'Amina', amount: 100 },
	{ row_number: 1, Order: 'B-1', Name: 'Okello', amount: 7 },
	{ row_number: 2, Order: 'B-2', Name: 'Kofi', amount: 99_999 },
];

/** What the desk keeps of an upload, with the ids that the table gives. */
function uploaded(sheet: Row[]): Row[] {
	const read = sheet.map(({ Order, Name, amount, row_number }) => ({
		row_number,
		orderReference: Order,
		request: { first_name: Name, amount: String(amount), currency: 'KES', email: `${Name}@x.yz` },
	}));
	return runCode('desk/upload.json', 'Values', read, {
		'Batch number': [{ batch: 'b' }],
		Rows: sheet,
	}).map(({ json }, at) => ({ ...json, id: 41 + at }));
}

/** Approve, from the table to what is written back to it; some rows come out of the error output, after the others. */
function sent(table: Row[], fails: (order: unknown) => boolean): Row[] {
	const rows = runCode('desk/approve.json', 'Rows to send', table);
	const results = rows.map(({ json, pairedItem }) => ({
		row: table[(pairedItem as { item: number }).item]!,
		json: fails(json.Order)
			? { ...json, error: { outcome: 'rejected', message: `No to ${String(json.Order)}` } }
			: {
					...json,
					orderReference: json.Order,
					outcome: 'accepted',
					link: `https://pay/${String(json.Order)}`,
				},
	}));
	const merged = [...results].sort((a, b) => Number('error' in a.json) - Number('error' in b.json));
	const { conditions } = nodeOf('desk/approve.json', 'Keep the results').parameters.filters as {
		conditions: Array<{ keyName: string; keyValue: string }>;
	};
	const after = structuredClone(table);
	for (const { row, json } of merged) {
		const result = runForItem('desk/approve.json', 'What became of them', json, {
			'Rows as they are now': row,
		});
		const wanted = conditions.map(({ keyName, keyValue }) => [
			keyName,
			evaluate('desk/approve.json', 'Keep the results', keyValue, { $json: [result] }),
		]);
		for (const each of after) {
			if (wanted.every(([key, value]) => each[String(key)] === value)) Object.assign(each, result);
		}
	}
	return after;
}

describe('the desk, with two result sheets that were put together', () => {
	it('gives each customer their own link', () => {
		const table = uploaded(MERGED);

		expect(sent(table, (order) => order === 'A-1')).toMatchObject([
			{ order: 'A-1', outcome: 'rejected', message: 'No to A-1', customer: 'Wanjiru' },
			{ order: 'A-2', link: 'https://pay/A-2', customer: 'Amina', amount: 100 },
			{ order: 'B-1', link: 'https://pay/B-1', customer: 'Okello', amount: 7 },
			{ order: 'B-2', link: 'https://pay/B-2', customer: 'Kofi', amount: 99_999 },
		]);
	});

	it('also when the table gives its rows in another order, or a row was numbered by hand', () => {
		const table = uploaded(MERGED).reverse();
		for (const row of table) row.row = 2;

		for (const { order, link } of sent(table, () => false)) {
			expect(link).toBe(`https://pay/${String(order)}`);
		}
	});

	it('calls each row by a number of its own, and gives none back', () => {
		const table = uploaded(MERGED);

		expect(table.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
		expect(uploaded(MERGED.slice(0, 2)).map(({ row }) => row)).toEqual([1, 2]);
		expect(uploaded([MERGED[1]!]).map(({ row }) => row)).toEqual([2]);
		expect(table.map(({ sheet }) => JSON.parse(String(sheet)) as IDataObject)).toEqual(
			MERGED.map(({ row_number: _, ...row }) => row),
		);
	});

	it('writes nothing when a result is that of another order', () => {
		const [amina, kofi] = uploaded(MERGED.slice(2)) as [Row, Row];
		const result = runForItem(
			'desk/approve.json',
			'What became of them',
			{ orderReference: 'B-2', outcome: 'accepted', link: 'https://pay/B-2' },
			{ 'Rows as they are now': amina },
		);

		expect(result).toMatchObject({ id: amina.id, order: kofi.order });
		expect(result.order).not.toBe(amina.order);
	});
});

describe('Google Sheets to payment links', () => {
	const FILE = 'google-sheets-to-payment-links.json';
	const rows = [
		{ Order: 'G-1', link: 'https://pay/1' },
		{ Order: 'G-1', link: '' },
		{ Order: '', link: '' },
		{ Order: 1003, link: '' },
	];

	it('sends only rows whose order no other row has; the others are to be corrected', () => {
		const outputs = { 'Read customers': rows };
		const told = runCode(FILE, 'One row per order', rows.slice(1), outputs);
		const { conditions } = nodeOf(FILE, 'Has its own order?').parameters.conditions as {
			conditions: Array<{ leftValue: string }>;
		};
		const goesOn = told.map(({ json }) =>
			evaluate(FILE, 'Has its own order?', conditions[0]!.leftValue, { $json: [json] }),
		);

		expect(told.map(({ json, pairedItem }) => [pairedItem, json.error])).toEqual([
			[{ item: 0 }, expect.objectContaining({ message: 'Several rows have the order G-1.' })],
			[{ item: 1 }, expect.objectContaining({ message: 'There is no order number.' })],
			[{ item: 2 }, undefined],
		]);
		expect(goesOn).toEqual([false, false, true]);
	});
});

describe.each(FILES)('%s', (file) => {
	const { nodes } = readWorkflow(file);

	it('finds no row by its number', () => {
		const keys = nodes.flatMap(({ name, parameters }) => {
			const { columns, filters } = parameters as {
				columns?: { matchingColumns?: string[] };
				filters?: { conditions?: Array<{ keyName: string }> };
			};
			const names = (filters?.conditions ?? []).map(({ keyName }) => keyName);
			return [...(columns?.matchingColumns ?? []), ...names].map((key) => `${name}: ${key}`);
		});

		expect(keys.filter((key) => /: (row|row_number)$/.test(key))).toEqual([]);
	});

	it('writes cells of Google Sheets as they are, so that none becomes a formula', () => {
		const writers = nodes.filter(
			({ type, parameters }) =>
				type === 'n8n-nodes-base.googleSheets' && parameters.operation !== 'read',
		);

		for (const { parameters } of writers) expect(parameters.options).toEqual({ cellFormat: 'RAW' });
	});
});
