import { evaluate, fieldsOf, FILES, nodeOf, readWorkflow, runCode } from './runExample.mts';
import type { Row } from './runExample.mts';

/** The sheet that two sheets of the desk make when somebody puts them together. */
const MERGED = [
	{ row_number: 1, Order: 'A-1', Name: 'Wanjiru', amount: 50 },
	{ row_number: 2, Order: 'A-2', Name: 'Amina', amount: 100 },
	{ row_number: 1, Order: 'B-1', Name: 'Okello', amount: 7 },
	{ row_number: 2, Order: 'B-2', Name: 'Kofi', amount: 99_999 },
];

/** What the desk keeps of an upload, with the ids that the table gives. */
function uploaded(sheet: Row[]): Row[] {
	const read = sheet.map(({ Order, Name, amount }) => ({
		outcome: 'valid',
		orderReference: Order,
		request: { first_name: Name, amount: String(amount), currency: 'KES', email: `${Name}@x.yz` },
	}));
	return runCode('desk/links.json', 'Look at the sheet', [], {
		'Upload a sheet': [{ Sheet: { filename: 'x.csv' } }],
		'Batch number': [{ batch: 'b' }],
		'Read XLSX': sheet,
		'Read the rows': read,
	}).map(({ json }, at) => ({ ...json, id: 41 + at }));
}

const KEEP = 'Keep the results';

/** What is written for a result, and which rows it is written to. */
function written(result: Row, row: Row): { cells: Row; isFor: (row: Row) => boolean } {
	const outputs = { $json: [result], 'Rows as they are now': [row] };
	const { conditions } = nodeOf('desk/links.json', KEEP).parameters.filters as {
		conditions: Array<{ keyName: string; keyValue: string }>;
	};
	const wanted = conditions.map(({ keyName, keyValue }) => {
		// n8n finds the row that a result belongs to; here there is only that one.
		const value = keyValue.replaceAll('.item.', '.first().');
		return [keyName, evaluate('desk/links.json', KEEP, value, outputs)] as const;
	});
	return {
		cells: fieldsOf('desk/links.json', KEEP, outputs),
		isFor: (each) => wanted.every(([key, value]) => each[key] === value),
	};
}

/** From the table to what is written back to it. */
function sent(table: Row[], fails: (order: string) => boolean): Row[] {
	const after = structuredClone(table);
	for (const row of table) {
		const order = String(row.order);
		const result = fails(order)
			? { ...row, error: { outcome: 'rejected', message: `No to ${order}` } }
			: { ...row, orderReference: order, outcome: 'accepted', link: `https://pay/${order}` };
		const { cells, isFor } = written(result, row);
		for (const each of after.filter(isFor)) Object.assign(each, cells);
	}
	return after;
}

describe('the desk, with two result sheets that were put together', () => {
	it('gives each customer their own link', () => {
		const table = uploaded(MERGED);
		expect(sent(table, (order) => order === 'A-1')).toMatchObject([
			{ order: 'A-1', outcome: 'rejected', message: 'No to A-1', firstName: 'Wanjiru' },
			{ order: 'A-2', link: 'https://pay/A-2', firstName: 'Amina', amount: 100 },
			{ order: 'B-1', link: 'https://pay/B-1', firstName: 'Okello', amount: 7 },
			{ order: 'B-2', link: 'https://pay/B-2', firstName: 'Kofi', amount: 99_999 },
		]);
	});

	it('writes nothing when a result is that of another order', () => {
		const [okello] = uploaded(MERGED.slice(2)) as [Row];
		const result = { orderReference: 'B-2', outcome: 'accepted', link: 'https://pay/B-2' };
		expect(written(result, okello).isFor(okello)).toBe(false);
		expect(written({ ...result, orderReference: 'B-1' }, okello).isFor(okello)).toBe(true);
	});

	it('a link that was found once is kept', () => {
		const [row] = uploaded(MERGED) as [Row];
		const known = { ...row, link: 'https://pay/1', sentAt: '2026-01-01T00:00:00Z' };
		for (const result of [
			{ outcome: 'duplicate', link: null },
			{ error: { outcome: 'unknown' } },
		]) {
			expect(written({ ...result, order: row.order }, known).cells).toMatchObject({
				link: 'https://pay/1',
				sentAt: '2026-01-01T00:00:00Z',
			});
		}
	});

	it('a row that was sent stays sent, whatever a later look at it says', () => {
		const approvedAt = new Date().toISOString();
		const kept = (outcome: string | null, now: Row) => {
			const { cells } = written(now, { outcome, message: 'before', approvedAt });
			return [cells.outcome, cells.approval, cells.message];
		};
		const refused = { error: { outcome: 'rejected', message: 'No' } };
		const unknown = { outcome: 'unknown', message: 'now' };
		expect(kept('accepted', refused)).toEqual(['accepted', 'done', 'before']);
		expect(kept('accepted', unknown)).toEqual(['accepted', 'done', 'before']);
		expect(kept('unknown', refused)).toEqual(['rejected', 'done', 'No']);
		// Not sent by this try, which says nothing about the one before.
		const notSent = { error: { outcome: 'not_sent', message: 'No' } };
		expect(kept('unknown', notSent)).toEqual(['unknown', 'approved', 'before']);
		expect(kept(null, notSent)).toEqual(['not_sent', 'done', 'No']);
		expect(kept(null, unknown)).toEqual(['unknown', 'approved', 'now']);
	});
});

describe('Google Sheets to payment links', () => {
	const FILE = 'google-sheets-to-payment-links.json';
	const rows = [
		{ Order: 'G-1', link: 'https://pay/1' },
		{ Order: 'G-1\u200b', link: '' },
		{ Order: ' \u2060', link: '' },
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
