import fc from 'fast-check';

import type { Transaction } from '../../../sandbox/index.mts';
import type { TriggerHost } from '../../../host/engine/index.mts';
import { NaiveTrigger } from '../../helpers/naive-trigger.mts';
import { post, recordOf, SECRET, TOKEN, World, type PostOptions } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
/** Not paid. Whoever makes the trigger say otherwise has forged a payment. */
let pending: Transaction;
/** Paid, for 700. */
let paid: Transaction;

beforeAll(async () => {
	pending = await world.collect({ amount: 1500, reference: 'order-1' });
	paid = await world.collect({ amount: 700, reference: 'order-2' });
	world.sandbox.settle(paid.ref, 'success');
});

interface Forgery {
	body: unknown;
	options?: PostOptions;
}

/**
 * A forgery is accepted when an item on Callback says what the service does not: success for what
 * is not paid, another amount, currency or reference than the record's.
 */
function accepted(host: TriggerHost): unknown[] {
	return host.runs
		.flatMap(({ callback }) => callback)
		.filter((item) => {
			const transaction = (item.transaction ?? {}) as Record<string, unknown>;
			const truth = world.sandbox.state.transactions.find(({ ref }) => ref === transaction.ref);
			return (
				truth === undefined ||
				truth.status !== transaction.status ||
				truth.state !== item.state ||
				Number(transaction.amount) !== truth.amount ||
				transaction.currency !== truth.currency
			);
		});
}

async function send(host: TriggerHost, forgeries: Forgery[]): Promise<number[]> {
	const statuses: number[] = [];
	// A few at a time: the point is what is believed, not how much is borne.
	for (let next = 0; next < forgeries.length; next += 25) {
		const batch = forgeries.slice(next, next + 25);
		const answers = batch.map(({ body, options }) => post(host.url, body, options));
		statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
	}
	await host.idle();
	return statuses;
}

const success = (changes: Record<string, unknown> = {}) =>
	recordOf(pending, { status: 'success', status_code: '200', ...changes });

/** By hand: thirty ways to come without the token, thirty with it. */
const BAD_TOKENS = (): PostOptions[] => [
	{ token: null },
	{ token: '' },
	{ token: ' ' },
	{ token: 'x' },
	{ token: TOKEN.slice(0, 1) },
	{ token: TOKEN.slice(0, -1) },
	{ token: TOKEN.slice(1) },
	{ token: `${TOKEN}0` },
	{ token: ` ${TOKEN}` },
	{ token: `${TOKEN}\n` },
	{ token: `${TOKEN}\0` },
	{ token: TOKEN.toUpperCase() },
	{ token: [...TOKEN].reverse().join('') },
	{ token: SECRET },
	{ token: 'undefined' },
	{ token: 'null' },
	{ token: 'true' },
	{ token: '0' },
	{ token: '***' },
	{ token: '{{ $credentials.callbackToken }}' },
	{ token: [TOKEN, TOKEN] },
	{ token: [TOKEN, ''] },
	{ token: ['', TOKEN] },
	{ query: `token[]=${TOKEN}` },
	{ query: `token[0]=${TOKEN}` },
	{ query: `token[length]=${TOKEN}` },
	{ query: `Token=${TOKEN}` },
	{ query: `x=1%26token=${TOKEN}` },
	{ token: null, headers: { 'x-token': TOKEN, authorization: `Bearer ${TOKEN}` } },
	{ token: null, headers: { cookie: `token=${TOKEN}` }, signWith: SECRET },
];

const WITH_TOKEN = (): unknown[] => [
	success(),
	success({ status: 'SUCCESS' }),
	success({ status: 'paid' }),
	success({ status: 'Completed' }),
	success({ status: ['success'] }),
	success({ status: { toString: 'success' } }),
	success({ status: 'pending', status_code: '200', paid: true }),
	{ data: success() },
	{ transaction: success() },
	{ data: { transaction: success() } },
	{ event: 'payment.success', payload: success() },
	{ success: true, message: 'Transaction found.', data: success() },
	{ status: 'success', data: { ref: pending.ref } },
	{ reference: pending.ref, status: 'success' },
	{ transaction_id: pending.ref, status: 'success' },
	{ id: pending.ref, status: 'success' },
	{ third_party_reference_1: pending.ref, status: 'success' },
	recordOf(paid, { amount: '1500' }),
	recordOf(paid, { amount: '700.01' }),
	recordOf(paid, { amount: 7e2 + 1 }),
	recordOf(paid, { amount: '-700' }),
	recordOf(paid, { amount: [700] }),
	recordOf(paid, { currency: 'USD' }),
	recordOf(paid, { currency: 'XOF' }),
	recordOf(paid, { status: 'failed' }),
	{ ref: paid.ref, data: success() },
	{ ...success(), id: paid.ref },
	{ ...success(), ref: `${paid.ref}\u200b` },
	success({ ref: `${pending.ref}`.toLowerCase() }),
	success({ ref: `../${paid.ref}` }),
];

describe('60 written forgeries', () => {
	it('there are 60 of them', () => {
		expect([BAD_TOKENS().length, WITH_TOKEN().length]).toEqual([30, 30]);
	});

	it('30 without the token: no execution, no question to the service', async () => {
		const asked = world.asked;
		const host = await world.serve();
		const statuses = await send(
			host,
			BAD_TOKENS().map((options) => ({ body: recordOf(paid), options })),
		);
		expect(statuses).toEqual(Array(30).fill(401));
		expect([host.stored, host.runs, world.asked - asked]).toEqual([[], [], 0]);
	});

	it('30 with the token: none is believed', async () => {
		const host = await world.serve();
		const statuses = await send(
			host,
			WITH_TOKEN().map((body) => ({ body })),
		);
		expect(statuses).toEqual(Array(30).fill(200));
		expect(host.runs).toHaveLength(30);
		expect(host.runs.map(({ status }) => status)).toEqual(Array(30).fill('success'));
		expect(accepted(host)).toEqual([]);
	}, 60_000);

	it('control: the naive trigger believes them', async () => {
		const host = await world.serve({}, { type: new NaiveTrigger() });
		await send(
			host,
			WITH_TOKEN().map((body) => ({ body })),
		);
		expect(accepted(host).length).toBeGreaterThan(20);
	}, 60_000);
});

/** Records that mix what is true with what is not, in shapes that may be read. */
const forgery = () => {
	const field = <T,>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
	const record = fc.record(
		{
			ref: fc.oneof(
				fc.constantFrom<unknown>(pending.ref, paid.ref, `${paid.ref} `, [paid.ref], null, 'TX-0'),
				fc.string({ maxLength: 12 }),
			),
			reference: field(pending.ref, paid.ref, 'order-1'),
			id: field<unknown>(pending.ref, paid.ref, 7),
			third_party_reference_1: field('order-1', 'order-2', paid.ref),
			status: field<unknown>('success', 'SUCCESS', 'failed', 'paid', 'pending', 'x', true, [
				'success',
			]),
			status_code: field<unknown>('200', 200, 'success'),
			amount: fc.oneof(
				fc.constantFrom<unknown>(700, '700.00', 1500, '1', null),
				fc.float(),
				fc.string(),
			),
			currency: field<unknown>('KES', 'kes', 'USD', '', 1),
			type: field('payin', 'payout'),
			payee: field('', 'Jane'),
		},
		{ requiredKeys: ['ref', 'amount'] },
	);
	return fc
		.tuple(record, record, fc.constantFrom('flat', 'data', 'transaction', 'both', 'odd'))
		.map(([inner, outer, shape]): unknown => {
			if (shape === 'flat') return inner;
			if (shape === 'data') return { ...outer, data: inner };
			if (shape === 'transaction') return { transaction: inner };
			return shape === 'both' ? { data: { ...outer, transaction: inner } } : { payload: inner };
		});
};

const token = () =>
	fc.oneof(
		fc.string(),
		fc.nat({ max: TOKEN.length - 1 }).map((length) => TOKEN.slice(0, length)),
		fc.nat({ max: TOKEN.length - 1 }).map((at) => `${TOKEN.slice(0, at)}~${TOKEN.slice(at + 1)}`),
		fc.array(fc.constantFrom(TOKEN, '', 'x'), { minLength: 2, maxLength: 4 }),
		fc.constant(null),
	);

describe('1,000 generated forgeries', () => {
	const seed = 20_260_101;

	it('500 with bad tokens: no execution, no question to the service', async () => {
		const asked = world.asked;
		const host = await world.serve();
		const forgeries = fc.sample(fc.tuple(forgery(), token()), { numRuns: 500, seed });
		const statuses = await send(
			host,
			forgeries.map(([body, bad]) => ({ body, options: { token: bad } })),
		);
		expect(statuses).toEqual(Array(500).fill(401));
		expect([host.stored, host.runs, world.asked - asked]).toEqual([[], [], 0]);
	}, 120_000);

	it('500 with the right token: none is believed, and none breaks anything', async () => {
		const host = await world.serve({ options: { skipRepeats: false } });
		const bodies = fc.sample(forgery(), { numRuns: 500, seed });
		const statuses = await send(
			host,
			bodies.map((body) => ({ body })),
		);
		expect(statuses).toEqual(Array(500).fill(200));
		expect(host.runs).toHaveLength(500);
		expect(host.runs.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(accepted(host)).toEqual([]);
		// Not everything is a forgery: what happens to be true is emitted, as the service tells it.
		const told = host.runs.filter(({ callback }) => callback.length > 0).length;
		const refused = host.runs.filter(({ rejected }) => rejected.length > 0).length;
		expect(told + refused).toBe(500);
		expect(told).toBeGreaterThan(0);
		expect(refused).toBeGreaterThan(250);
	}, 300_000);

	it('control: the naive trigger believes most of them', async () => {
		const host = await world.serve({}, { type: new NaiveTrigger() });
		const bodies = fc.sample(forgery(), { numRuns: 500, seed });
		await send(
			host,
			bodies.map((body) => ({ body })),
		);
		expect(accepted(host).length).toBeGreaterThan(250);
	}, 120_000);
});
