import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, PATHS, signed, start } from './client.mts';

let spec: Sandbox;
let rich: Sandbox;
beforeAll(async () => {
	[spec, rich] = await Promise.all([start(), start({ mode: 'rich' })]);
});
afterAll(() => Promise.all([spec.close(), rich.close()]));

const collect = async (sandbox: Sandbox, params: object = {}): Promise<string> => {
	const reply = await signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });
	expect(reply.json).toMatchObject({ success: true });
	return (reply.json.data as { reference: string }).reference;
};

describe('submit collection', () => {
	it('answers empty data in spec mode and a reference in rich mode', async () => {
		const message = expect.stringMatching(/verification token was sent/);
		const plain = await signed(spec, PATHS.collection, COLLECTION);
		expect(plain).toMatchObject({ status: 200, json: { success: true, message } });
		expect(plain.json.data).toEqual({});
		expect(await collect(rich)).toMatch(/^CO-/);
	});

	it('takes every field of the specification and keeps it', async () => {
		const full = {
			amount: 12.5,
			mobile: '+260 97 123-4567',
			country_id: 12,
			currency: 'ZMW',
			payment_method_type: 'some operator',
			third_party_reference_1: 'A-1',
			third_party_reference_2: 'B-2',
		};
		const reference = await collect(rich, full);
		const [entry] = rich.state.ledger.of('A-1');
		expect(entry).toMatchObject({ reference, kind: 'collection', params: full });
		expect(rich.state.transactions.find(({ ref }) => ref === reference)).toMatchObject({
			amount: 12.5,
			currency: 'ZMW',
			country: 'Zambia',
			mobile: full.mobile,
			payment_channel: 'some operator',
			third_party_reference_1: 'A-1',
			third_party_reference_2: 'B-2',
		});
	});

	const rows = COUNTRIES.map((country) => [country.name, country] as const);
	it.each(rows)('%s, lenient and strict', async (_, { id, currency, collections }) => {
		const strict = await start({ strict: true });
		const params = { ...COLLECTION, country_id: id, currency };
		const no = { success: false, message: 'Country was not found' };
		const lenient = await signed(spec, PATHS.collection, params);
		expect(lenient.json).toMatchObject(collections === null ? no : { success: true });
		const refused = collections === null || !collections.supported;
		const reply = await signed(strict, PATHS.collection, params);
		expect(reply.json).toMatchObject(refused ? no : { success: true });
		await strict.close();
	});

	it.each([
		['amount as text', { amount: '500' }],
		['the classic float', { amount: 0.1 + 0.2 }],
		['a fraction of a currency without', { amount: 1.5, currency: 'XOF', country_id: 2 }],
		['zero', { amount: 0 }],
		['a negative amount', { amount: -1 }],
		['more than there is', { amount: 1e15 }],
		['a number as mobile', { mobile: 254712345678 }],
		['a word as mobile', { mobile: 'Amina' }],
		['no mobile', { mobile: undefined }],
		['no currency', { currency: undefined }],
		['another currency', { currency: 'UGX' }],
		['an unknown field', { note: 'x' }],
		['an empty callback', { callback_url: '' }],
		['null', { third_party_reference_1: null }],
	])('refuses %s', async (_, changed) => {
		const before = spec.state.ledger.accepted;
		const reply = await signed(spec, PATHS.collection, { ...COLLECTION, ...changed });
		expect(reply.json).toEqual({ success: false, message: 'Transaction was not created!' });
		expect(spec.state.ledger.accepted).toBe(before);
	});
});
