import type { Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, PATHS, signed, start } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));

const collect = async (sandbox: Sandbox, params: object = {}): Promise<string> => {
	const reply = await signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });
	expect(reply.json).toMatchObject({ success: true });
	return (reply.json.data as { reference: string }).reference;
};

const STRING_FIELDS = [
	'currency',
	'status',
	'payee',
	'invoice_no',
	'mobile',
	'account_number',
	'ref',
	'transaction_detail',
	'payment_channel',
	'transaction_date',
	'created_at',
	'updated_at',
	'callback_url',
];
const NUMBER_FIELDS = ['amount', 'fee', 'balance'];
const V3_FIELDS = ['status_code', 'failureReason'];

describe('transaction status', () => {
	const status = async (path: string, params: object) =>
		(await signed(sandbox, path, params)).json.data as Record<string, unknown>;

	it('v3: every field is a string, but the reason of a failure', async () => {
		const id = await collect(sandbox, { amount: 990200 });
		const record = await status(PATHS.statusV3, { id, type: 'payin' });
		const { failureReason, ...rest } = record;
		expect(failureReason).toEqual({ failureCode: null, failureMessage: null });
		expect(Object.keys(record).sort()).toEqual(
			[...STRING_FIELDS, ...NUMBER_FIELDS, ...V3_FIELDS].sort(),
		);
		for (const value of Object.values(rest)) expect(typeof value).toBe('string');
		expect(record).toMatchObject({ ref: id, amount: '990200.00', fee: '14853.00' });
	});

	it('v2: numbers are numbers and the v3 fields are missing', async () => {
		const id = await collect(sandbox, { amount: 990200 });
		const record = await status(PATHS.statusV2, { id });
		expect(Object.keys(record).sort()).toEqual([...STRING_FIELDS, ...NUMBER_FIELDS].sort());
		for (const field of STRING_FIELDS) expect(typeof record[field]).toBe('string');
		for (const field of NUMBER_FIELDS) expect(typeof record[field]).toBe('number');
		expect(record).toMatchObject({ ref: id, amount: 990200, fee: 14853, status: 'success' });
	});

	it('writes dates as specified', async () => {
		const id = await collect(sandbox);
		const record = await status(PATHS.statusV3, { id, type: 'payin' });
		expect(record.transaction_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
		for (const field of ['created_at', 'updated_at'])
			expect(record[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
	});

	it('answers payouts as payouts only, and payins as payins', async () => {
		const { ref } = sandbox.addPayout({ payee: 'Jane', invoice_no: 'INV-7' });
		const id = await collect(sandbox);
		expect(await status(PATHS.statusV3, { id: ref, type: 'payout' })).toMatchObject({
			payee: 'Jane',
			invoice_no: 'INV-7',
		});
		for (const params of [
			{ id: ref, type: 'payin' },
			{ id, type: 'payout' },
			{ id, type: 'other' },
			{ id },
			{ id: 7, type: 'payin' },
		]) {
			const { json } = await signed(sandbox, PATHS.statusV3, params);
			expect(json).toEqual({ success: false, message: 'Transaction was not created!' });
		}
	});

	it('hides the transactions of other integrations', async () => {
		const id = await collect(sandbox);
		const [, second] = sandbox.integrations;
		const { json } = await signed(
			sandbox,
			PATHS.statusV3,
			{ id, type: 'payin' },
			{ integration: second },
		);
		expect(json).toEqual({ success: false, message: 'Transaction was not created!' });
	});

	it('v2 demands the API key of an integration that has one', async () => {
		const [, second] = sandbox.integrations;
		const reply = await signed(sandbox, PATHS.collection, COLLECTION, { integration: second });
		const { reference: id } = reply.json.data as { reference: string };
		const ask = (headers: Record<string, string>) =>
			signed(sandbox, PATHS.statusV2, { id }, { integration: second, headers });
		for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
			const refused = await ask(headers);
			expect(refused).toMatchObject({
				status: 403,
				json: { success: false, message: 'Request was not verified.' },
			});
			expect(sandbox.state.requests[0]?.verdict).toMatchObject({
				ok: false,
				reason: 'api_key_mismatch',
			});
		}
		expect((await ask({ 'X-API-Key': 'second-api-key' })).json).toMatchObject({ success: true });
	});
});
