import { orderKeyOf, orderOf as read } from '../../../nodes/UnifiedPayments/payment/order.ts';
import { readMark, withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readRecord } from '../../../nodes/UnifiedPayments/payment/record.ts';
import { READER } from './reader.mts';

const account = READER;
const stranger = { ...account, identity: { ...account.identity, secretKey: 'another' } };

const urlFor = (orderReference: string | null, amount = '1500', currency = 'KES', by = account) =>
	withMark(
		'https://shop.example/hook?token=t',
		writeMark(
			by,
			{
				...{ kind: 'link', orderReference, amount, currency, isOneOfSeveral: false },
				key: { key: `key of ${orderReference}`, by: 'orderReference', values: null },
			},
			{ workflowId: 'w', nodeId: 'n' },
		),
	);
const orderOf = (_: typeof account, raw: Record<string, unknown>, url = '') =>
	read(readRecord(raw, account), readMark(account, url));

const called = (url: string) => url.slice(url.indexOf('/hook'));

const record = (changes: Record<string, unknown> = {}) => ({
	ref: 'TX-1',
	amount: '1500.00',
	currency: 'KES',
	status: 'success',
	...changes,
});

const order = (orderReference: string | null, paidInFull: boolean | null = true) => ({
	is: 'order',
	order: { orderReference, asked: { amount: 1500, currency: 'KES' }, paidInFull },
});
const NO_ORDER = {
	is: 'order',
	order: { orderReference: null, asked: null, paidInFull: null },
};

describe('the order of a payment', () => {
	it.each([
		['the record alone', { callback_url: urlFor('A-1') }, '', order('A-1')],
		['the URL that was called', {}, called(urlFor('A-1')), order('A-1')],
		['both', { callback_url: urlFor('A-1') }, called(urlFor('A-1')), order('A-1')],
		[
			'the URL, when the record lost its query',
			{ callback_url: 'https://shop.example/hook' },
			called(urlFor('A-1')),
			order('A-1'),
		],
		['nobody', { callback_url: 'https://shop.example/hook?token=t' }, '/hook?token=t', NO_ORDER],
		['nobody, where the body says so', { orderReference: 'A-1', upo: 'A-1' }, '', NO_ORDER],
	])('comes from %s', (_, changes, url, expected) => {
		expect(orderOf(account, record(changes), url)).toEqual(expected);
	});

	it.each([
		...['&amp;', '&#38;', '&#x26;', '\\u0026'].map((and) => urlFor('A-1').replaceAll('&', and)),
		encodeURIComponent(urlFor('A-1')),
		urlFor('A-1').replaceAll('/', '\\/'),
	])('comes from %j', (callback_url) => {
		expect(orderOf(account, record({ callback_url }))).toEqual(order('A-1'));
	});

	it.each([
		['order "A-2" (1500 KES)', urlFor('A-2')],
		['order "A-1" (1500.01 KES)', urlFor('A-1', '1500.01')],
		['order "A-1" (1500 UGX)', urlFor('A-1', '1500', 'UGX')],
		['a payment without order reference (1500 KES)', urlFor(null)],
	])('is not believed when the URL that was called is that of %s', (name, ofCall) => {
		expect(orderOf(account, record({ callback_url: urlFor('A-1') }), ofCall)).toEqual({
			is: 'mismatch',
			reason: 'order_mismatch',
			message: `The callback came to the URL of ${name}, the service's record is about order "A-1" (1500 KES)`,
		});
	});

	it.each([
		['the record', urlFor('A-1', '1500', 'KES', stranger), urlFor('A-1'), /service's record/],
		['the called URL', urlFor('A-1'), urlFor('A-1', '1500', 'KES', stranger), /came to/],
		['a URL with two of them', undefined, `${urlFor('A-1')}&upo=x`, /came to/],
	])('is not believed when the code of %s does not hold', (_, ofRecord, ofCall, words) => {
		expect(orderOf(account, record({ callback_url: ofRecord }), ofCall)).toMatchObject({
			is: 'mismatch',
			reason: 'order_code_invalid',
			message: expect.stringMatching(words) as unknown,
		});
	});
});

describe('an order that the payment names itself', () => {
	const named = (value: unknown, changes = {}) =>
		record({ third_party_reference_1: value, ...changes });

	it.each([
		['the called URL', undefined, urlFor('B-2')],
		["the record's callback URL", urlFor('B-2'), ''],
		['both', urlFor('B-2'), urlFor('B-2')],
	])('is not that of %s', (_, callback_url, url) => {
		expect(orderOf(account, named('A-1', { callback_url }), url)).toEqual({
			is: 'mismatch',
			reason: 'order_mismatch',
			message:
				'The service\'s record names order "A-1", and its callback URL is that of order "B-2" (1500 KES)',
		});
	});

	it('is compared as people see it, and comes out as it was sent', () => {
		const sent = urlFor('Caf\u00e9 1');
		expect(orderOf(account, named('Cafe\u0301\u00a01\u200b'), sent)).toEqual(order('Caf\u00e9 1'));
		expect(orderOf(account, named('caf\u00e9 1'), sent)).toMatchObject({ is: 'mismatch' });
		expect(orderOf(account, named(1042), urlFor('1042'))).toEqual(order('1042'));
	});

	it('is no order by itself, and nothing against a URL that carries none', () => {
		expect(orderOf(account, named('A-1'), '/hook?token=t')).toEqual(NO_ORDER);
		expect(orderOf(account, named('A-1'), urlFor(null))).toEqual(order(null));
	});

	it('is shown on one line, and not at length', () => {
		const reading = orderOf(account, named(`A\n${'x'.repeat(300)}`), urlFor('B-2'));
		expect((reading as { message: string }).message).toMatch(
			/^The service's record names order "A x{78}", /,
		);
	});
});

describe('paid in full', () => {
	it.each([
		[{ amount: 1500 }, true],
		[{ amount: '1,500.00' }, true],
		[{ currency: ' kes ' }, true],
		[{ amount: '1499.99' }, false],
		[{ amount: 0 }, false],
		[{ currency: 'USD' }, null],
		[{ amount: 'much' }, null],
		[{ amount: '-1500' }, null],
		[{ amount: '1,500' }, true],
		[{ status: 'done' }, null],
		[{ failureReason: { failureMessage: 'No funds' } }, null],
	])('a record with %j: %j', (changes, paidInFull) => {
		expect(orderOf(account, record(changes), urlFor('A-1'))).toEqual(order('A-1', paidInFull));
	});
});

it('the key of an order tells apart what people see as different, if anything is known', () => {
	const of = (orderReference: string | null, amount = 1500) =>
		orderKeyOf({ orderReference, asked: { amount, currency: 'KES' }, paidInFull: true });
	expect(of('Caf\u00e9 1')).toBe(of('Cafe\u0301\u00a01'));
	expect(new Set([of('A-1'), of('A-1', 1), of('A-2'), of(null)]).size).toBe(4);
	expect(orderKeyOf({ orderReference: null, asked: null, paidInFull: null })).toBeNull();
});
