import { agreeOnOrder, orderOf } from '../../../nodes/UnifiedPayments/payment/order.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';

const account = {
	baseUrl: 'https://pay.example',
	identity: { clientId: 'client', sender: 'Shop', secretKey: 'a-secret-key' },
};
const stranger = { ...account, identity: { ...account.identity, secretKey: 'another' } };

const urlFor = (orderReference: string | null, amount = '1500', currency = 'KES', by = account) =>
	withMark(
		'https://shop.example/hook?token=t',
		writeMark(
			by,
			{ orderReference, amount, currency },
			{ key: `key of ${orderReference}`, by: 'orderReference' },
			{ workflowId: 'w', nodeId: 'n' },
		),
	);
const called = (url: string) => url.slice(url.indexOf('/hook'));

const record = (changes: Record<string, unknown> = {}) => ({
	ref: 'TX-1',
	amount: '1500.00',
	currency: 'KES',
	status: 'success',
	...changes,
});

const order = (orderReference: string | null, paidInFull: boolean | null = true) => ({
	kind: 'order',
	orderReference,
	asked: { amount: 1500, currency: 'KES' },
	paidInFull,
});
const NO_ORDER = { kind: 'order', orderReference: null, asked: null, paidInFull: null };

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
		['the URL, when the record states none', { callback_url: null }, urlFor('A-1'), order('A-1')],
		['a payment without order', {}, urlFor(null), order(null)],
		['the URL, when the record states no text', { callback_url: 7 }, urlFor('A-1'), order('A-1')],
		['nobody', { callback_url: 'https://shop.example/hook?token=t' }, '/hook?token=t', NO_ORDER],
		['nobody, where the body says so', { orderReference: 'A-1', upo: 'A-1' }, '', NO_ORDER],
	])('comes from %s', (_, changes, url, expected) => {
		expect(orderOf(account, record(changes), url)).toEqual(expected);
	});

	it.each([
		['another order', urlFor('A-1'), urlFor('A-2')],
		['another amount', urlFor('A-1'), urlFor('A-1', '1500.01')],
		['another currency', urlFor('A-1'), urlFor('A-1', '1500', 'UGX')],
		['no order', urlFor('A-1'), urlFor(null)],
	])('is not believed when the URL that was called says %s', (_, ofRecord, ofCall) => {
		expect(orderOf(account, record({ callback_url: ofRecord }), ofCall)).toMatchObject({
			kind: 'mismatch',
			reason: 'order_mismatch',
		});
	});

	it.each([
		['the record', urlFor('A-1', '1500', 'KES', stranger), urlFor('A-1'), /service's record/],
		['the called URL', urlFor('A-1'), urlFor('A-1', '1500', 'KES', stranger), /came to/],
		['the called URL alone', undefined, '/hook?upo=1A-1.150000KES.AAAAAAAAAAAAAAAA', /came to/],
		['a URL with two of them', undefined, `${urlFor('A-1')}&upo=x`, /came to/],
	])('is not believed when the code of %s does not hold', (_, ofRecord, ofCall, words) => {
		const reading = orderOf(account, record({ callback_url: ofRecord }), ofCall);
		expect(reading).toMatchObject({ kind: 'mismatch', reason: 'order_code_invalid' });
		expect(reading).toHaveProperty('message', expect.stringMatching(words));
	});

	it('says both orders when they differ', () => {
		expect(orderOf(account, record({ callback_url: urlFor('A-1') }), urlFor(null))).toHaveProperty(
			'message',
			'The callback came to the URL of a payment without order reference (1500 KES), the service\'s record is about order "A-1" (1500 KES)',
		);
	});
});

describe('paid in full', () => {
	it.each([
		[{}, true],
		[{ amount: 1500 }, true],
		[{ amount: '1,500.00' }, true],
		[{ amount: '1500.0000' }, true],
		[{ amount: '1500.01' }, true],
		[{ currency: ' kes ' }, true],
		[{ amount: '1499.99' }, false],
		[{ amount: 0 }, false],
		[{ currency: 'USD' }, null],
		[{ currency: undefined }, null],
		[{ amount: undefined }, null],
		[{ amount: 'much' }, null],
		[{ amount: '-1500' }, null],
		[{ amount: ['1500'] }, null],
		[{ status: 'pending' }, null],
		[{ status: 'failed' }, null],
		[{ status: 'refund requested' }, null],
		[{ status_code: 'FAILED' }, null],
	])('a record with %j: %j', (changes, paidInFull) => {
		expect(orderOf(account, record(changes), urlFor('A-1'))).toEqual(order('A-1', paidInFull));
	});

	it('goes by the state that the caller read', () => {
		const done = record({ status: 'done' });
		expect(orderOf(account, done, urlFor('A-1'), 'success')).toEqual(order('A-1'));
		expect(orderOf(account, done, urlFor('A-1'))).toEqual(order('A-1', null));
	});

	it('compares cents exactly', () => {
		const mark = { kind: 'valid', orderReference: 'A-1' } as const;
		const absent = { kind: 'absent' } as const;
		for (let hundredths = 1; hundredths < 30_000; hundredths += 7) {
			const text = (hundredths / 100).toFixed(2);
			const asked = { amount: Number(text), currency: 'KES' };
			const less = ((hundredths - 1) / 100).toFixed(2);
			const paid = (amount: string) =>
				agreeOnOrder(absent, { ...mark, asked }, record({ amount }), 'success');
			expect([paid(text), paid(less)]).toMatchObject([{ paidInFull: true }, { paidInFull: false }]);
		}
	});
});
