import { confirm, fromPayload } from '../../../nodes/UnifiedPayments/trigger/execution/confirm.ts';
import type { Reply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import { READER, readerWith } from '../payment/reader.mts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf, type Failure } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

type Confirmation = Parameters<typeof confirm>[1];
type Said = Record<string, unknown> | Failure | null;

const yes = (data: unknown): Reply => ({
	success: true,
	message: null,
	data,
	body: { data } as never,
});
const no = (serviceMessage: string) => failureOf('refused', { serviceMessage, status: 200 });
const UNKNOWN = no('Transaction was not created!');

/** A service that answers by reference and type; the last answer holds on. */
function service(answers: Record<string, Said[]>) {
	const asked: string[] = [];
	const slept: number[] = [];
	const how = (changes: Partial<Confirmation> = {}): Confirmation => ({
		transactionType: 'payin',
		account: READER,
		isFromService: false,
		orderReference: null,
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
		const { how } = service({ 'TX-1 payin': [{ ...paid, status: 'credited' }] });
		const account = readerWith({ successStatuses: 'credited, success' });
		const told = await confirm({ ref: 'TX-1', status: 'success' }, how({ account }));
		expect(told).toMatchObject({ rejected: false, record: { state: 'success' } });
		const other = await confirm({ ref: 'TX-1', status: 'credited' }, how());
		expect(other).toMatchObject({ record: { state: 'pending', status: 'credited' } });
	});

	it.each([
		['amount', 1, '1', '10', 'amount_mismatch'],
		['currency', 'USD', '"USD"', '"KES"', 'currency_mismatch'],
		['third_party_reference_1', 'A-2', '"A-2"', '"A-1"', 'reference_mismatch'],
	])('rejects a callback with another %s', async (field, stated, shown, actual, reason) => {
		const record = { ...paid, third_party_reference_1: 'A-1' };
		const { how } = service({ 'TX-1 payin': [record] });
		const message = `The callback states ${shown}, the service ${actual}`;
		const rejection = { reason, message, reference: 'TX-1', mayBecomeTrue: false };
		expect(await confirm({ ref: 'TX-1', [field]: stated }, how())).toMatchObject(rejection);
	});

	it.each(['payin', 'payout'] as const)('asks for %s only when told so', async (type) => {
		const { how, asked } = service({});
		await confirm({ ref: 'TX-1' }, how({ transactionType: type }));
		expect(asked).toEqual([`TX-1 ${type}`]);
	});

	it.each([{ payee: 'Jane' }, { invoice_no: 'INV-1' }])(
		'does not take money that went out for money that came in: %j',
		async (changes) => {
			const { how } = service({ 'TX-1 payin': [{ ...paid, ...changes }] });
			const told = await confirm({ ref: 'TX-1' }, how({ transactionType: 'payin' }));
			expect(told).toMatchObject({ rejected: true, reason: 'wrong_type' });
		},
	);

	it('asks by the names of the credential, in the data or beside it, then by our order', async () => {
		const bodies = [
			{ ref: 'EVT-1', data: { reference: 'TX-1', id: 'X' } },
			{ id: 'X', transaction_id: 'Y', third_party_reference_1: 'A-1' },
			{ data: { payment: { ref: 'X' }, third_party_reference_1: 'A-2' } },
		];
		const { how, asked } = service({});
		for (const body of bodies) await confirm(body, how());
		expect(asked).toEqual(['TX-1 payin', 'A-1 payin', 'A-2 payin']);
	});

	it('does not take another payment for the one of our order, which it is called by chance', async () => {
		const { how } = service({ '17 payin': [{ ...paid, ref: '17' }] });
		const answer = await confirm({ third_party_reference_1: '17' }, how());
		expect(answer).toMatchObject({ rejected: true, reason: 'not_found' });
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
		['a word', pending, 'emitted'],
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
		['not_found', true, {}, [1, 3, 9], 4],
		['not_found', false, {}, [], 1],
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

	it.each([
		['of the mark', 'A-1', {}],
		['of the record', null, { third_party_reference_1: 'A-1' }],
	])(
		'names our order in place of a transaction, which contradicts none: %s',
		async (_, orderReference, stated) => {
			const { how } = service({ 'A-1 payin': [{ ...paid, ...stated }] });
			const answer = await confirm({ ref: 'A-1', status: 'success' }, how({ orderReference }));
			expect(answer).toMatchObject({ rejected: false, reference: 'TX-1' });
		},
	);

	it('is not confirmed by a record of another transaction', async () => {
		const { how } = service({ 'TX-1 payin': [{ ...paid, ref: 'TX-2' }] });
		for (const orderReference of [null, 'A-1']) {
			expect(await confirm({ ref: 'TX-1' }, how({ orderReference }))).toMatchObject({
				rejected: true,
				reason: 'reference_mismatch',
			});
		}
	});
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
	const how = (transactionType: 'payin' | 'payout' = 'payin') => ({
		transactionType,
		account: READER,
	});

	it('the record is the one in the payload', () => {
		const data = { ref: 'TX-1', status: 'success' };
		expect(fromPayload({ data }, how())).toMatchObject({
			...{ rejected: false, reference: 'TX-1', type: 'payin' },
			record: { raw: data, state: 'success', status: 'success' },
		});
	});

	it('a payout is no payin', () => {
		const body = { ref: 'TX-1', payee: 'Jane' };
		expect(fromPayload(body, how('payout'))).toMatchObject({ rejected: false, type: 'payout' });
		expect(fromPayload(body, how())).toMatchObject({ rejected: true, reason: 'wrong_type' });
	});

	it('a payload without a reference is rejected', () => {
		expect(fromPayload({ status: 'success' }, how())).toMatchObject({ reason: 'no_reference' });
	});
});
