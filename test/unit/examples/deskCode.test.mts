import { readFileSync } from 'node:fs';

import type { NewWorkflow } from '../../../host/n8n/client.mts';

type Row = Record<string, unknown>;

/** Runs the code of a node with what other nodes gave, as the host does. */
function run(file: string, node: string, input: Row[], others: Record<string, Row[]>): Row[] {
	const { nodes } = JSON.parse(readFileSync(`examples/desk/${file}`, 'utf8')) as NewWorkflow;
	const code = String(nodes.find(({ name }) => name === node)!.parameters.jsCode);
	const items = (rows: Row[]) => ({
		all: () => rows.map((json) => ({ json })),
		first: () => ({ json: rows[0] }),
	});
	const body = new Function('$', '$input', code) as (
		$: (name: string) => unknown,
		$input: unknown,
	) => Array<{ json: Row }>;
	return body((name) => items(others[name]!), items(input)).map(({ json }) => json);
}

describe('Paid: the sum of the payments of an order', () => {
	const payment = (reference: string, state: string, amount: number, currency = 'KES') => ({
		reference,
		order: 'A',
		state,
		amount,
		currency,
		asked: 0.3,
		askedCurrency: 'KES',
		at: `2026-01-0${reference}`,
	});
	const sum = (change: Row, ...payments: Row[]) =>
		run('paid.json', 'Sum up', payments, { 'Payments to keep': [change] })[0];

	it.each([
		[
			'two parts make a whole',
			[payment('1', 'success', 0.1), payment('2', 'success', 0.2)],
			'paid',
			0.3,
		],
		['a part is a part', [payment('1', 'success', 0.1)], 'part payment', 0.1],
		[
			'a try that failed does not undo a payment',
			[payment('1', 'success', 0.3), payment('2', 'failed', 0.3)],
			'paid',
			0.3,
		],
		[
			'another currency counts as nothing',
			[payment('1', 'success', 5, 'UGX')],
			'paid in another currency',
			0,
		],
		['a try that failed', [payment('1', 'failed', 0.3)], 'failed', 0],
	])('%s', (_, payments, state, paid) => {
		expect(sum(payments.at(-1)!, ...payments)).toMatchObject({ order: 'A', state, paid });
	});
});

describe('Paid: what the service says about open orders', () => {
	const notFound = { reference: 'R', error: { serviceMessage: 'Transaction not found' } };
	const answered = (answer: Row, listedAs = 'open') =>
		run('paid.json', 'Orders with an answer', [answer], {
			'To look up': [{ reference: 'R', order: 'A', listedAs }],
		}).map(({ order }) => order);

	it('a link that nobody has paid is an answer, a payment of the order is one, too', () => {
		expect(answered(notFound)).toEqual(['A']);
		expect(answered({ ref: 'R', orderReference: 'A', state: 'failed' })).toEqual(['A']);
	});

	it('is no answer when it contradicts the list, proves nothing, or is an error', () => {
		expect(answered(notFound, 'paid')).toEqual([]);
		expect(answered({ ref: 'R', orderReference: null, state: 'success' })).toEqual([]);
		expect(answered({ ref: 'R', orderReference: 'B', state: 'success' })).toEqual([]);
		expect(answered({ reference: 'R', error: { message: 'Timeout' } })).toEqual([]);
	});
});
