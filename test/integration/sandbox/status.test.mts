import { throughout } from '../../helpers/throughout.mts';
import { collect, COLLECTION, PATHS, signed, start } from './client.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));

const TEXTS = [
	...['currency', 'status', 'payee', 'invoice_no', 'mobile', 'account_number', 'ref'],
	...['transaction_detail', 'payment_channel', 'transaction_date', 'created_at', 'updated_at'],
	'callback_url',
];
const NUMBERS = ['amount', 'fee', 'balance'];
const NO = { success: false, message: 'Transaction was not created!' };

const status = async (path: string, params: object) =>
	(await signed(sandbox, path, params)).json.data as Record<string, unknown>;

it('v3: every field is a string, but the reason of a failure', async () => {
	const id = await collect(sandbox, { amount: 990200 });
	const record = await status(PATHS.statusV3, { id, type: 'payin' });
	const { failureReason, ...texts } = record;
	expect(failureReason).toEqual({ failureCode: null, failureMessage: null });
	expect(Object.keys(texts).sort()).toEqual([...TEXTS, ...NUMBERS, 'status_code'].sort());
	for (const value of Object.values(texts)) expect(typeof value).toBe('string');
	expect(record).toMatchObject({ ref: id, amount: '990200.00', fee: '14853.00' });
	expect(record.transaction_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
	for (const field of ['created_at', 'updated_at'])
		expect(record[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

it('v2: numbers are numbers and the v3 fields are missing', async () => {
	const id = await collect(sandbox, { amount: 990200 });
	const record = await status(PATHS.statusV2, { id });
	expect(Object.keys(record).sort()).toEqual([...TEXTS, ...NUMBERS].sort());
	for (const field of TEXTS) expect(typeof record[field]).toBe('string');
	expect(record).toMatchObject({ ref: id, amount: 990200, fee: 14853, status: 'success' });
});

it('answers payouts as payouts only, payins as payins, and to their integration', async () => {
	const { ref } = sandbox.addPayout({ payee: 'Jane', invoice_no: 'INV-7' });
	const id = await collect(sandbox);
	const payout = await status(PATHS.statusV3, { id: ref, type: 'payout' });
	expect(payout).toMatchObject({ payee: 'Jane', invoice_no: 'INV-7' });
	for (const params of [
		{ id: ref, type: 'payin' },
		{ id, type: 'payout' },
		{ id, type: 'other' },
		{ id },
		{ id: 7, type: 'payin' },
	])
		expect((await signed(sandbox, PATHS.statusV3, params)).json).toEqual(NO);
	const [, integration] = sandbox.integrations;
	const other = await signed(sandbox, PATHS.statusV3, { id, type: 'payin' }, { integration });
	expect(other.json).toEqual(NO);
});

it('v2 demands the API key of an integration that has one', async () => {
	const [, integration] = sandbox.integrations;
	const reply = await signed(sandbox, PATHS.collection, COLLECTION, { integration });
	const { reference: id } = reply.json.data as { reference: string };
	const ask = (headers: Record<string, string>) =>
		signed(sandbox, PATHS.statusV2, { id }, { integration, headers });
	for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
		const message = 'Request was not verified.';
		expect(await ask(headers)).toMatchObject({ status: 403, json: { success: false, message } });
		expect(sandbox.state.requests[0]?.verdict?.reason).toBe('api_key_mismatch');
	}
	expect((await ask({ 'X-API-Key': 'second-api-key' })).json).toMatchObject({ success: true });
});
