import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import type { Client } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import {
	paymentsOf,
	readCreated,
	readItem,
	type AwaitedPayment,
} from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { canBeAsked, lookUp } from '../../../nodes/UnifiedPayments/waiting/status.ts';
import { addressOf, created, recordOf, SAVED } from './service.mts';

const account = readCredential(SAVED);

const OWN = addressOf('A-1');

const PAYER = { mobile: '254712345678' };
const item = (over: Json = {}, request: Json = {}): Json =>
	created('A-1', over, { ...PAYER, ...request });

const payment = (over: Json = {}, request: Json = {}): AwaitedPayment =>
	readCreated(item(over, request))!;

/** Links have no reference of ours, and may be tried again under another name. */
const link = (reference: string): AwaitedPayment =>
	payment({ reference }, { third_party_reference_1: undefined, mobile: undefined });

const PAID = recordOf('A-1', { ...PAYER, ref: 'TX-1' });

/** A service that knows records by these names. */
function service(records: Record<string, Json | Error>) {
	const asked: string[] = [];
	const client = {
		async query(_path: string, { id }: Json) {
			asked.push(String(id));
			const found = records[String(id)];
			if (found instanceof Error) throw found;
			if (found === undefined) {
				throw new CallError(
					failureOf('refused', { serviceMessage: 'Transaction was not created!' }),
					{ name: 'it', creates: false },
				);
			}
			return { success: true, message: null, data: found };
		},
	} as unknown as Client;
	return { asked, lookup: { client, account, options: { timeoutSeconds: 1, maxRetries: 0 } } };
}

describe('the item of a create', () => {
	it('says what is waited for', () => {
		expect(payment({ reference: 'TX-1', data: { id: 'TX-1' } })).toEqual({
			mark: OWN.slice(OWN.indexOf('upo=') + 4),
			kind: 'collection',
			callbackUrl: OWN,
			reference: 'TX-1',
			amount: '10',
			currency: 'KES',
			mobile: '254712345678',
			orderReference: 'A-1',
			isOneOfSeveral: false,
			sentEarlier: false,
			receivesCallback: true,
		});
	});

	it.each([
		['unknown', item({ outcome: 'unknown' })],
		['an error', { error: { message: 'x' } }],
		['called back elsewhere', item({}, { callback_url: 'https://n8n.example.com/webhook/x' })],
		['without a callback URL', item({}, { callback_url: undefined })],
	])('is not waited for: %s', (_, json) => {
		expect(readCreated(json)).toBeNull();
	});
});

it('a reference that two payments have names neither of them', () => {
	const other = { callback_url: addressOf('B-2') };
	const references = (...items: Json[]) =>
		[...paymentsOf(items.map(readItem)).values()].map(({ reference }) => reference);
	const [one, two] = [item({ reference: 'TX-1' }), item({ reference: 'TX-1' }, other)];
	expect(references(one, two)).toEqual([null, null]);
	expect(references(one, { ...two, reference: 'TX-2' })).toEqual(['TX-1', 'TX-2']);
});

describe('asking about a payment', () => {
	it('by the names in a callback, at last, and each name once', async () => {
		const { lookup, asked } = service({ 'TX-1': PAID });
		const callback = { data: { ref: 'TX-1', third_party_reference_1: 'A-1', status: 'failed' } };
		const found = await lookUp(payment(), lookup, callback);
		expect(found).toMatchObject({ state: 'success', canBeAskedAgain: false });
		expect(asked).toEqual(['A-1', 'TX-1']);
	});

	it('a payment that was tried again under another name counts by what is final', async () => {
		const second = { ...PAID, ref: 'TX-2' };
		const { lookup } = service({ 'TX-1': { ...PAID, status: 'pending' }, 'TX-2': second });
		const status = await lookUp(link('TX-1'), lookup, { ref: 'TX-2' });
		expect(status).toMatchObject({ state: 'success', reference: 'TX-2' });
	});

	it('asks by the other names, too, when one cannot be asked by', async () => {
		const error = new CallError(failureOf('serverFault'), { name: 'it', creates: false });
		const { lookup } = service({ 'PL-1': error, 'TX-1': PAID });
		expect(await lookUp(link('PL-1'), lookup, { ref: 'TX-1' })).toMatchObject({ state: 'success' });
		const open = service({ 'PL-1': error, 'TX-1': { ...PAID, status: 'pending' } });
		await expect(lookUp(link('PL-1'), open.lookup, { ref: 'TX-1' })).rejects.toBe(error);
	});

	it('needs a name', () => {
		expect(canBeAsked(payment({}, { third_party_reference_1: undefined }))).toBe(false);
		expect(canBeAsked(payment())).toBe(true);
	});
});

describe('whose record it is', () => {
	const withoutUrl = { ...PAID, callback_url: undefined };
	const OTHER = addressOf('B-1');
	const cut = OWN.slice(0, -5);
	const by = {
		service: async (record: Json) =>
			await lookUp(payment({ reference: 'TX-1' }), service({ 'TX-1': record }).lookup),
		ourselves: async (record: Json) => await lookUp(payment(), service({ 'A-1': record }).lookup),
		callback: async (record: Json) =>
			await lookUp(payment(), service({ 'TX-1': record }).lookup, { ref: 'TX-1' }),
	};

	// What makes a record ours is in payment/whose.test.mts; here, what it was asked by.
	it.each<[string, Json, boolean, boolean, boolean]>([
		['its own URL', PAID, true, true, true],
		['the URL of another order', { ...PAID, callback_url: OTHER }, false, false, false],
		['a URL that was cut', { ...PAID, callback_url: cut }, true, true, false],
		['no URL', withoutUrl, true, true, true],
		['no URL, another amount', { ...withoutUrl, amount: '9.99' }, true, false, false],
		['another order reference', { ...PAID, third_party_reference_1: 'B-1' }, false, false, false],
	])('with %s', async (_, record, ofService, ofOurselves, ofCallback) => {
		expect((await by.service(record)) !== null).toBe(ofService);
		expect((await by.ourselves(record)) !== null).toBe(ofOurselves);
		expect((await by.callback(record)) !== null).toBe(ofCallback);
	});

	it('that is called by our order is believed when a callback calls it that', async () => {
		const record = { ...withoutUrl, ref: 'A-1' };
		expect(await by.ourselves(record)).toBeNull();
		const { lookup } = service({ 'A-1': record });
		expect(await lookUp(payment(), lookup, { ref: 'A-1' })).toMatchObject({ by: 'callback' });
	});

	it('of another transaction of the order is not believed without our address in it', async () => {
		const pending = { ...withoutUrl, status: 'pending' };
		const other = { ...withoutUrl, ref: 'TX-2' };
		const { lookup } = service({ 'TX-1': pending, 'A-1': other });
		const found = await lookUp(payment({ reference: 'TX-1' }), lookup);
		expect(found).toMatchObject({ state: 'pending', reference: 'TX-1' });
	});

	it('says what was asked for by our own address, whatever it states itself', async () => {
		expect(await by.service({ ...PAID, callback_url: cut, amount: '4.00' })).toMatchObject({
			order: { orderReference: 'A-1', asked: { amount: 10, currency: 'KES' }, paidInFull: false },
		});
	});
});

describe('a reply whose reference is not that of the record', () => {
	it.each<[string, unknown]>([
		['is a number that was rounded', Number('12345678901234567890')],
		['names a request that the service knows nothing of', 'REQ-1'],
	])('because it %s, does not hide the payment', async (_, reference) => {
		const named = payment({ reference });
		const known = { 'TX-1': PAID, 'A-1': PAID };
		expect(await lookUp(named, service(known).lookup)).toMatchObject({ state: 'success' });
		// Where the service knows it by its own name alone, the callback tells that name.
		const { lookup } = service({ 'TX-1': PAID });
		expect(await lookUp(named, lookup, { ref: 'TX-1' })).toMatchObject({ reference: 'TX-1' });
	});

	it('leads to none, where the record of the order is that of another request', async () => {
		for (const other of [
			{ amount: '11.00' },
			{ third_party_reference_1: 'B-1' },
			{ callback_url: addressOf('A-1', 1) },
		]) {
			const { lookup } = service({ 'A-1': { ...PAID, callback_url: undefined, ...other } });
			expect(await lookUp(payment({ reference: 'REQ-1' }), lookup)).toBeNull();
		}
	});
});
