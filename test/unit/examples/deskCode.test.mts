import { runCode } from './runExample.mts';
import type { Outputs, Row } from './runExample.mts';

const run = (file: string, node: string, input: Row[], others: Outputs): Row[] =>
	runCode(`desk/${file}`, node, input, others).map(({ json }) => json);

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
