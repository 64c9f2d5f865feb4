import { confirm, fromPayload } from '../../../nodes/UnifiedPayments/trigger/execution/confirm.ts';
import type { Reply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf, type Failure } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

type Confirmation = Parameters<typeof confirm>[1];
type Said = Record<string, unknown> | Failure | null;

const yes = (data: unknown): Reply => ({ success: true, message: null, data });
const no = (serviceMessage: string) => failureOf('refused', { serviceMessage, status: 200 });
const UNKNOWN = no('Transaction was not created!');

/** A service that answers by reference and type; the last answer holds on. */
function service(answers: Record<string, Said[]>) {
	const asked: string[] = [];
	const slept: number[] = [];
	const how = (changes: Partial<Confirmation> = {}): Confirmation => ({
		transactionType: 'auto',
		statuses: { success: [], failed: [] },
		isFromService: false,
		patience: [1, 3, 9],
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
	it('reads its record by the words of the user, as the callback', async () => {
		const record = { ...paid, status: 'credited' };
		const statuses = { success: ['credited'], failed: [] };
		const { how } = service({ 'TX-1 payin': [record] });
		const told = await confirm({ ref: 'TX-1', status: 'success' }, how({ statuses }));
		expect(told).toMatchObject({ rejected: false, said: { state: 'success', status: 'credited' } });
		const other = await confirm({ ref: 'TX-1', status: 'credited' }, how());
		expect(other).toMatchObject({ said: { state: 'other' } });
	});

	it.each([
		['amount', 1, '1', '"10.00"', 'amount_mismatch'],
		['currency', 'USD', '"USD"', '"KES"', 'currency_mismatch'],
		['third_party_reference_1', 'A-2', '"A-2"', '"A-1"', 'reference_mismatch'],
	])('rejects a callback with another %s', async (field, stated, shown, actual, reason) => {
		const record = { ...paid, third_party_reference_1: 'A-1' };
		const { how } = service({ 'TX-1 payin': [record] });
		const message = `The callback states ${shown} as ${field}, the service ${actual}`;
		const rejection = { reason, message, reference: 'TX-1', mayBecomeTrue: false };
		expect(await confirm({ ref: 'TX-1', [field]: stated }, how())).toMatchObject(rejection);
	});

	it('compares what names the transaction, and neither events nor placeholders', async () => {
		const { how } = service({ 'TX-1 payin': [{ ...paid, third_party_reference_1: 'A-1' }] });
		const data = { transaction_id: 'TX-1', third_party_reference_1: 'N/A' };
		const told = await confirm({ ref: 'EVT-9', data }, how());
		expect(told).toMatchObject({ rejected: false, reference: 'TX-1' });
		const other = await confirm({ data: { ...data, ref: 'TX-2' } }, how());
		expect(other).toMatchObject({ rejected: true, reason: 'reference_mismatch' });
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

	it.each([{ type: 'pay_out' }, { payee: 'Jane', invoice_no: 'INV-1' }])(
		'does not take money that went out for money that came in: %j',
		async (changes) => {
			const { how } = service({ 'TX-1 payin': [{ ...paid, ...changes }] });
			const told = await confirm({ ref: 'TX-1' }, how({ transactionType: 'payin' }));
			expect(told).toMatchObject({ rejected: true, reason: 'wrong_type' });
		},
	);

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
		const rejection = { rejected: true, reason: 'no_reference', reference: null };
		expect(await confirm({ hello: 'world' }, how())).toMatchObject(rejection);
		expect(asked).toEqual([]);
	});
});

describe('what the callback claims', () => {
	it.each([
		['pending', paid, 'emitted'],
		[undefined, paid, 'emitted'],
		['success', paid, 'emitted'],
		['failed', { ...paid, status: 'failed' }, 'emitted'],
		['success', pending, 'state_not_confirmed'],
		['success', { ...paid, status: 'failed' }, 'state_not_confirmed'],
		['failed', paid, 'state_not_confirmed'],
		['success', { ...paid, status_code: 'FAILED' }, 'state_not_confirmed'],
	])('says %s, the record %j: %s', async (status, record, outcome) => {
		const { how } = service({ 'TX-1 payin': [record] });
		const answer = await confirm({ ref: 'TX-1', status }, how());
		expect(answer.rejected ? answer.reason : 'emitted').toBe(outcome);
	});

	it('is not looked at again when the record is final', async () => {
		const { how, slept, asked } = service({ 'TX-1 payin': [paid] });
		await confirm({ ref: 'TX-1', status: 'failed' }, how());
		expect([slept, asked]).toEqual([[], ['TX-1 payin']]);
	});

	it.each([
		['state_not_confirmed', true, { 'TX-1 payin': [pending] }, [1, 3, 9], 4],
		['state_not_confirmed', false, { 'TX-1 payin': [pending] }, [], 1],
		['not_found', true, {}, [1, 3, 9], 8],
		['not_found', false, {}, [], 2],
	])(
		'that is %s, from the service (%s), is waited for before it is rejected',
		async (reason, isFromService, answers, waits, questions) => {
			const { how, slept, asked } = service(answers);
			const body = { ref: 'TX-1', status: 'paid' };
			expect(await confirm(body, how({ isFromService }))).toMatchObject({
				reason,
				mayBecomeTrue: true,
				message: expect.stringMatching(/may still become true/i) as unknown,
			});
			expect(slept).toEqual(waits);
			expect(asked).toHaveLength(questions);
		},
	);

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

// What else is taken for such an answer is tested in transport/status.test.mts.
it.each([
	no('Service user not found'),
	failureOf('serverFault', { status: 500, serviceMessage: 'Transaction not found' }),
])('%j instead of a record is thrown', async (said) => {
	const { how } = service({ 'TX-1 payin': [said] });
	await expect(confirm({ ref: 'TX-1' }, how())).rejects.toBeInstanceOf(CallError);
});

describe('without a question to the service', () => {
	const how = (transactionType: 'auto' | 'payin' | 'payout' = 'payin') => ({
		transactionType,
		statuses: { success: ['credited'], failed: [] },
	});

	it('the record is the one in the payload', () => {
		const data = { ref: 'TX-1', status: 'success' };
		expect(fromPayload({ data }, how())).toEqual({
			rejected: false,
			reference: 'TX-1',
			type: 'payin',
			record: data,
			told: [{ data }, data],
			said: { state: 'success', status: 'success' },
		});
	});

	it.each([
		[{ ref: 'TX-1', type: 'payout' }, 'payout'],
		[{ ref: 'TX-1', payee: 'Jane' }, 'payout'],
		[{ ref: 'TX-1', type: 'payin', payee: 'Jane' }, 'payin'],
	])('%j is a %s, and nothing else', (body, type) => {
		expect(fromPayload(body, how('auto'))).toMatchObject({ rejected: false, type });
		const other = type === 'payin' ? 'payout' : 'payin';
		expect(fromPayload(body, how(other))).toMatchObject({ rejected: true, reason: 'wrong_type' });
	});

	it('a payload without a reference is rejected', () => {
		expect(fromPayload({ status: 'success' }, how())).toMatchObject({ reason: 'no_reference' });
	});
});
