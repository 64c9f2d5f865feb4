import { confirm, fromPayload } from '../../../nodes/UnifiedPayments/trigger/execution/confirm.ts';
import type { Reply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf, type Failure } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

type Confirmation = Parameters<typeof confirm>[1];
type Said = Record<string, unknown> | Failure | null;

const yes = (data: unknown): Reply => ({ success: true, message: null, data });
const no = (serviceMessage: string | null, status = 200): Failure =>
	failureOf('refused', { serviceMessage, status });
const UNKNOWN = no('Transaction was not created!');

/** A service that answers by reference and type; the last answer holds on. */
function service(answers: Record<string, Said[]>) {
	const asked: string[] = [];
	const slept: number[] = [];
	const how = (changes: Partial<Confirmation> = {}): Confirmation => ({
		transactionType: 'auto',
		trusted: false,
		pauses: [1, 3],
		sleep: async (ms) => void slept.push(ms),
		client: {
			async query(_path, params) {
				const key = `${String(params.id)} ${String(params.type)}`;
				asked.push(key);
				const list = answers[key] ?? [UNKNOWN];
				const said = list.length > 1 ? list.shift()! : list[0]!;
				if (said !== null && 'kind' in said && 'retryAfterMs' in said) {
					throw new CallError(said as Failure, { name: 'it', creates: false });
				}
				return yes(said);
			},
		},
		...changes,
	});
	return { asked, slept, how };
}

const paid = { ref: 'TX-1', amount: '10.00', currency: 'KES', status: 'success' };
const pending = { ...paid, status: 'pending' };

describe('asking the service', () => {
	it('believes its record', async () => {
		const { how, asked } = service({ 'TX-1 payin': [paid] });
		const known = await confirm({ ref: 'TX-1', status: 'success' }, how());
		expect(known).toEqual({ rejected: false, reference: 'TX-1', record: paid });
		expect(asked).toEqual(['TX-1 payin']);
	});

	it('asks for the other type when it is not found', async () => {
		const { how, asked } = service({ 'TX-1 payout': [paid] });
		expect(await confirm({ ref: 'TX-1' }, how())).toMatchObject({ rejected: false });
		expect(asked).toEqual(['TX-1 payin', 'TX-1 payout']);
	});

	it.each(['payin', 'payout'] as const)('asks for %s only when told so', async (type) => {
		const { how, asked } = service({});
		await confirm({ ref: 'TX-1' }, how({ transactionType: type }));
		expect(asked).toEqual([`TX-1 ${type}`]);
	});

	it('asks for the likely type first', async () => {
		const { how, asked } = service({});
		await confirm({ ref: 'TX-1', payee: 'Jane' }, how());
		expect(asked).toEqual(['TX-1 payout', 'TX-1 payin']);
	});

	it('goes on with the next candidate', async () => {
		const { how, asked } = service({ 'TX-1 payin': [paid] });
		const known = await confirm({ transaction_id: 17, id: 'TX-1' }, how());
		expect(known).toMatchObject({ rejected: false, reference: 'TX-1' });
		expect(asked).toEqual(['17 payin', '17 payout', 'TX-1 payin']);
	});

	it('asks no more than six questions at once', async () => {
		const { how, asked } = service({});
		const body = { ref: 'a', reference: 'b', transaction_id: 'c', id: 'd', data: { ref: 'e' } };
		expect(await confirm(body, how())).toMatchObject({ rejected: true, reason: 'not_found' });
		expect(asked).toHaveLength(6);
	});

	it('asks nothing when there is no reference', async () => {
		const { how, asked } = service({});
		expect(await confirm({ hello: 'world' }, how())).toMatchObject({
			rejected: true,
			reason: 'no_reference',
			reference: null,
		});
		expect(asked).toEqual([]);
	});
});

describe('what the callback claims', () => {
	it.each([
		['pending', pending, 'emitted'],
		['pending', paid, 'emitted'],
		[undefined, paid, 'emitted'],
		['something', paid, 'emitted'],
		['success', paid, 'emitted'],
		['PAID', paid, 'emitted'],
		['failed', { ...paid, status: 'failed' }, 'emitted'],
		['success', pending, 'state_not_confirmed'],
		['success', { ...paid, status: 'failed' }, 'state_not_confirmed'],
		['success', { ...paid, status: 'strange' }, 'state_not_confirmed'],
		['failed', paid, 'state_not_confirmed'],
		['failed', pending, 'state_not_confirmed'],
	])('says %s, the record %j: %s', async (status, record, outcome) => {
		const { how } = service({ 'TX-1 payin': [record] });
		const answer = await confirm({ ref: 'TX-1', status }, how());
		expect(answer.rejected ? answer.reason : 'emitted').toBe(outcome);
	});

	it('is looked at again when the service may only lag behind', async () => {
		const { how, slept } = service({ 'TX-1 payin': [pending, pending, paid] });
		expect(await confirm({ ref: 'TX-1', status: 'success' }, how())).toMatchObject({
			rejected: false,
			record: paid,
		});
		expect(slept).toEqual([1, 3]);
	});

	it('is not looked at again when the record is final', async () => {
		const { how, slept, asked } = service({ 'TX-1 payin': [paid] });
		await confirm({ ref: 'TX-1', status: 'failed' }, how());
		expect([slept, asked]).toEqual([[], ['TX-1 payin']]);
	});

	it.each([
		[true, [1, 3], 6],
		[false, [], 2],
	])(
		'from a sender who knows a secret (%s), waits %j for an unknown one',
		async (trusted, waits, questions) => {
			const { how, slept, asked } = service({});
			expect(await confirm({ ref: 'TX-1' }, how({ trusted }))).toMatchObject({
				reason: 'not_found',
			});
			expect(slept).toEqual(waits);
			expect(asked).toHaveLength(questions);
		},
	);

	it.each([
		[{ ref: 'TX-1', amount: 11 }, 'amount_mismatch'],
		[{ ref: 'TX-1', currency: 'USD' }, 'currency_mismatch'],
		[{ ref: 'TX-9', id: 'TX-1' }, 'reference_mismatch'],
		[{ ref: 'TX-9', data: { ref: 'TX-1' } }, 'reference_mismatch'],
	])('%j: %s', async (body, reason) => {
		const { how } = service({ 'TX-1 payin': [paid] });
		expect(await confirm(body, how())).toMatchObject({ rejected: true, reason });
	});

	it('goes on under the reference of the record', async () => {
		const { how } = service({ '17 payin': [{ ...paid, id: 17 }] });
		expect(await confirm({ id: 17 }, how())).toMatchObject({ rejected: false, reference: 'TX-1' });
	});

	// Only the first states something that could be compared with the record.
	it.each([{ ref: 'TX-1' }, { id: 'TX-1' }])(
		'%j is not confirmed by a record of another transaction',
		async (body) => {
			const { how } = service({ 'TX-1 payin': [{ ...paid, ref: 'TX-2' }] });
			expect(await confirm(body, how())).toMatchObject({
				rejected: true,
				reason: 'reference_mismatch',
				reference: 'TX-1',
				message: 'Asked about "TX-1", the service told about another transaction',
			});
		},
	);
});

describe('what the service says instead of a record', () => {
	it.each([
		no('Transaction was not created!', 400),
		no('Service user not found or Transaction was not created!'),
		no('Transaction not found'),
		no('No such transaction'),
		no('Invalid reference'),
		no('The record does not exist', 422),
		no(null, 404),
		null,
		{},
	])('%j is taken for: not found', async (said) => {
		const { how } = service({ 'TX-1 payin': [said], 'TX-1 payout': [said] });
		expect(await confirm({ ref: 'TX-1' }, how())).toMatchObject({ reason: 'not_found' });
	});

	it.each([
		no('Entity integration record not found or Client id not matched or Request was not verified.'),
		no('Entity integration record not found'),
		no('Client id not matched', 404),
		no('Request was not verified.'),
		no('Service user not found'),
		no('User not found!'),
		no('Payment service is being maintained'),
		no(null),
		failureOf('notAuthorized', { status: 403, serviceMessage: 'Transaction not found' }),
		failureOf('serverFault', { status: 500, serviceMessage: 'Transaction not found' }),
		failureOf('notConnected'),
		failureOf('noReply'),
		failureOf('rateLimited', { status: 429 }),
		failureOf('redirected', { status: 302 }),
		failureOf('invalidReply', { status: 404 }),
	])('%j is thrown', async (said) => {
		const { how } = service({ 'TX-1 payin': [said] });
		await expect(confirm({ ref: 'TX-1' }, how())).rejects.toBeInstanceOf(CallError);
	});

	it.each(['text', 7, [1], true])('a record %j is thrown as an invalid reply', async (data) => {
		const { how } = service({});
		const odd = how({ client: { query: async () => yes(data) } });
		await expect(confirm({ ref: 'TX-1' }, odd)).rejects.toMatchObject({
			failure: { kind: 'invalidReply' },
		});
	});

	it('something else thrown stays what it is', async () => {
		const bug = new TypeError('a bug');
		const odd = service({}).how({ client: { query: async () => Promise.reject(bug) } });
		await expect(confirm({ ref: 'TX-1' }, odd)).rejects.toBe(bug);
	});
});

describe('without a question to the service', () => {
	it('the record is the one in the payload', () => {
		const data = { ref: 'TX-1', status: 'success' };
		expect(fromPayload({ data })).toEqual({ rejected: false, reference: 'TX-1', record: data });
	});

	it('a payload without a reference is rejected', () => {
		expect(fromPayload({ status: 'success' })).toMatchObject({ reason: 'no_reference' });
	});
});
