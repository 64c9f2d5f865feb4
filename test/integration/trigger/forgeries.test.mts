import fc from 'fast-check';

import type { Transaction } from '../../../dev/sandbox/index.mts';
import { NaiveTrigger } from '../../helpers/naive.mts';
import { markOf } from '../../helpers/marks.mts';
import { post, recordOf, SECRET, World, type PostOptions, type Served } from './support.mts';
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

/**
 * A forgery is accepted when an item on Callback says what the service does not: success for what
 * is not paid, another amount, currency or reference than the record's.
 */
function accepted(host: Served): unknown[] {
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

/** All of them are answered with this status. */
async function send(
	host: Served,
	status: number,
	forgeries: Array<[body: unknown, options?: PostOptions]>,
): Promise<void> {
	// A few at a time: the point is what is believed, not how much is borne.
	for (let next = 0; next < forgeries.length; next += 25) {
		const batch = forgeries.slice(next, next + 25);
		const answers = await Promise.all(batch.map((forgery) => post(host, ...forgery)));
		expect(answers.map((answer) => answer.status)).toEqual(batch.map(() => status));
	}
	await host.idle();
}

/** Whoever forges a mark starts nothing, and nothing is asked of the service. */
async function expectRefused(forgeries: Array<[body: unknown, options?: PostOptions]>) {
	const asked = world.asked;
	const host = await world.serve();
	await send(host, 401, forgeries);
	expect([host.stored, host.runs, world.asked - asked]).toEqual([[], [], 0]);
}

const success = (changes: Record<string, unknown> = {}) =>
	recordOf(pending, { status: 'success', status_code: '200', ...changes });

/** The mark of the order that was not paid, as the service was given it. */
const RIGHT = () => markOf(world.credential(), 'order-1');
const queryOf = (mark: string): PostOptions => ({ query: `upo=${mark}` });

/** By hand: thirty ways to come with a mark that is none of ours. */
const BAD_MARKS = (): PostOptions[] => {
	const right = RIGHT();
	const [said, code] = [right.slice(0, -16), right.slice(-16)];
	const altered = [...right].map((each, at) => (at % 4 === 3 ? right.replace(each, '~') : ''));
	const wrong = ['', '%20', 'x', SECRET, 'undefined', 'null', 'true', '0', '***', code, said];
	const cut = [right.slice(0, 1), right.slice(0, -1), right.slice(1), `${right}0`, right + right];
	const other = [
		markOf({ ...world.credential(), secretKey: 'another-key' }, 'order-1'),
		markOf({ ...world.credential(), clientId: 'another-client' }, 'order-1'),
		markOf(world.credential(), 'order-2').slice(0, -16) + code,
		markOf(world.credential(), 'order-1', '1').slice(0, -16) + code,
		said + [...code].reverse().join(''),
	];
	const all = [...wrong, ...cut, ...other, ...altered.filter((each) => each !== '')];
	return [
		...all.slice(0, 27).map(queryOf),
		{ query: `upo=${right}&upo=${right}` },
		{ query: `upo[]=${right}` },
		{ query: `upo=&upo=${right}` },
	];
};

const WITH_MARK = (): unknown[] => [
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
	it('30 with bad marks: no execution, no question to the service', async () => {
		await expectRefused(BAD_MARKS().map((options) => [recordOf(paid), options]));
	});

	it('30 at an address of our own: none is believed', async () => {
		const host = await world.serve();
		await send(
			host,
			200,
			WITH_MARK().map((body) => [body, { order: null }]),
		);
		expect(host.runs.map(({ status }) => status)).toEqual(Array(30).fill('success'));
		expect(accepted(host)).toEqual([]);
	}, 60_000);

	it('control: the naive trigger believes them', async () => {
		const host = await world.serve({}, { type: new NaiveTrigger() });
		await send(
			host,
			200,
			WITH_MARK().map((body) => [body, { order: null }]),
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

const badMark = () =>
	fc.oneof(
		fc.string().map((text) => `upo=${encodeURIComponent(text)}`),
		fc.nat({ max: RIGHT().length - 1 }).map((length) => `upo=${RIGHT().slice(0, length)}`),
		fc
			.nat({ max: RIGHT().length - 1 })
			.map((at) => `upo=${RIGHT().slice(0, at)}~${RIGHT().slice(at + 1)}`),
		fc.nat({ max: 3 }).map((more) => `upo=${RIGHT()}${'&upo=x'.repeat(more + 1)}`),
	);

describe('1,000 generated forgeries', () => {
	const seed = 20_260_101;

	it('500 with bad marks: no execution, no question to the service', async () => {
		const forgeries = fc.sample(fc.tuple(forgery(), badMark()), { numRuns: 500, seed });
		await expectRefused(forgeries.map(([body, query]) => [body, { query }]));
	}, 120_000);

	it('500 at an address of our own: none is believed, and none breaks anything', async () => {
		const host = await world.serve({ options: { skipRepeats: false } });
		const bodies = fc.sample(forgery(), { numRuns: 500, seed });
		await send(
			host,
			200,
			bodies.map((body) => [body, { order: null }]),
		);
		expect(host.runs.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(accepted(host)).toEqual([]);
		// Not everything is a forgery: what happens to be true is emitted, as the service tells it.
		const told = host.runs.filter(({ callback }) => callback.length > 0).length;
		const refused = host.runs.filter(({ rejected }) => rejected.length > 0).length;
		expect(told + refused).toBe(500);
		expect(told).toBeGreaterThan(0);
		expect(refused).toBeGreaterThan(250);
	}, 300_000);
});
