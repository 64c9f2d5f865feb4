import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import { throughout } from '../../helpers/throughout.mts';
import { collect, COLLECTION, PATHS, signed, start } from './client.mts';

const spec = throughout(async () => await start());
const strict = throughout(async () => await start({ strict: true }));
const rich = throughout(async () => await start({ mode: 'rich' }));

it('answers empty data in spec mode', async () => {
	const message = expect.stringMatching(/verification token was sent/);
	const { status, json } = await signed(spec, PATHS.collection, COLLECTION);
	expect({ status, json }).toEqual({ status: 200, json: { success: true, message, data: {} } });
});

it('takes every field of the specification and keeps it; rich mode answers the reference', async () => {
	const kept = {
		amount: 12.5,
		mobile: '+260 97 123-4567',
		currency: 'ZMW',
		third_party_reference_1: 'A-1',
		third_party_reference_2: 'B-2',
	};
	const full = { ...kept, country_id: 12, payment_method_type: 'some operator' };
	const reference = await collect(rich, full);
	expect(reference).toMatch(/^CO-/);
	expect(rich.state.ledger.of('A-1')).toMatchObject([
		{ reference, kind: 'collection', params: full },
	]);
	const named = { country: 'Zambia', payment_channel: 'some operator' };
	const made = { ...kept, ...named, ref: reference };
	expect(rich.state.transactions).toMatchObject([made]);
});

it.each(COUNTRIES.map((country) => [country.name, country] as const))(
	'%s, lenient and strict',
	async (_, { id, currency, collections }) => {
		const params = { ...COLLECTION, country_id: id, currency };
		const no = { success: false, message: 'Country was not found' };
		const yes = { success: true };
		const lenient = await signed(spec, PATHS.collection, params);
		expect(lenient.json).toMatchObject(collections === null ? no : yes);
		const reply = await signed(strict, PATHS.collection, params);
		expect(reply.json).toMatchObject(collections?.supported === true ? yes : no);
	},
);

it.each([
	['amount as text', { amount: '500' }],
	['the classic float', { amount: 0.1 + 0.2 }],
	['a fraction of a currency without', { amount: 1.5, currency: 'XOF', country_id: 2 }],
	['zero', { amount: 0 }],
	['more than there is', { amount: 1e15 }],
	['a number as mobile', { mobile: 254712345678 }],
	['no mobile', { mobile: undefined }],
	['another currency', { currency: 'UGX' }],
	['an unknown field', { note: 'x' }],
	['null', { third_party_reference_1: null }],
])('refuses %s', async (_, changed) => {
	const before = spec.state.ledger.accepted;
	const reply = await signed(spec, PATHS.collection, { ...COLLECTION, ...changed });
	expect(reply.json).toEqual({ success: false, message: 'Transaction was not created!' });
	expect(spec.state.ledger.accepted).toBe(before);
});
