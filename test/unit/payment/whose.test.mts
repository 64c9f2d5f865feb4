import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readRecord } from '../../../nodes/UnifiedPayments/payment/record.ts';
import {
	givenAlike,
	ofAnother,
	whose,
	type FoundBy,
} from '../../../nodes/UnifiedPayments/payment/whose.ts';
import { readerWith, READER } from './reader.mts';
import { markOf, paymentWith, urlOf } from './payment.mts';

const OURS = paymentWith({ kind: 'collection', mobile: '254712345678' });
const LINK = paymentWith();
const RECORD = { ref: 'TX-1', amount: '100.00', currency: 'KES', mobile: '+254 712 345 678' };

const ask = (
	raw: Record<string, unknown>,
	payment = OURS,
	foundBy: FoundBy = 'order',
	reader = READER,
) => whose(readRecord(raw, reader), payment, foundBy);
const mine = (by: string) => ({ is: 'mine', by });
const another = (because: string) => ({ is: 'another', because });
const CANNOT_TELL = { is: 'cannotTell' };

describe('by the mark', () => {
	const other = paymentWith({ orderReference: 'B-2' });

	it.each(['list', 'reference', 'order', 'callback'] as const)('decides when found by %s', (by) => {
		expect(ask({ ...RECORD, callback_url: urlOf(LINK) }, LINK, by)).toEqual(mine('mark'));
		expect(ask({ ...RECORD, note: urlOf(other) }, LINK, by)).toEqual(another('mark'));
	});

	it('comes before the reference, and before values', () => {
		const named = { ...LINK, reference: 'TX-1' };
		expect(ask({ ...RECORD, callback_url: urlOf(other) }, named, 'reference')).toEqual(
			another('mark'),
		);
		expect(ask({ ...RECORD, amount: 5, callback_url: urlOf(LINK) }, LINK)).toEqual(mine('mark'));
	});

	it('says nothing when it was altered or cut', () => {
		const callback_url = urlOf(other).slice(0, -1);
		expect(ask({ ...RECORD, callback_url }, { ...LINK, reference: 'TX-1' }, 'list')).toEqual(
			mine('reference'),
		);
	});

	it('is not believed of a record whose own order is another', () => {
		const callback_url = urlOf(LINK);
		const raw = { ...RECORD, callback_url, third_party_reference_1: 'B-2' };
		expect(ask(raw, LINK)).toEqual(CANNOT_TELL);
	});
});

describe('by the reference of the reply', () => {
	const named = { ...LINK, reference: 'TX-1' };

	it('is mine when it is equal, and another when it is not', () => {
		expect(ask({ ref: 'TX-1' }, named, 'list')).toEqual(mine('reference'));
		expect(ask({ ref: 'TX-2' }, named, 'reference')).toEqual(another('reference'));
		expect(ask({}, named, 'reference')).toEqual(CANNOT_TELL);
	});

	it('is read under the names of the credential alone', () => {
		expect(ask({ id: 'TX-1', transaction_id: 'TX-1' }, named, 'list')).toEqual(CANNOT_TELL);
		const own = readerWith({ referenceFields: 'payment.id' });
		expect(ask({ payment: { id: 'TX-1' } }, named, 'list', own)).toEqual(mine('reference'));
		const none = readerWith({ referenceFields: '' });
		expect(ask({ ref: 'TX-1' }, named, 'list', none)).toEqual(CANNOT_TELL);
	});
});

describe('by our order', () => {
	it.each([
		[{}, mine('order')],
		[{ third_party_reference_1: ' A-1 ' }, mine('order')],
		[{ third_party_reference_1: 'a-1' }, another('order')],
		[{ amount: '100.01' }, another('amount')],
		[{ currency: 'UGX' }, another('currency')],
		[{ mobile: '254712345679' }, another('payer')],
		[{ amount: undefined }, CANNOT_TELL],
		[{ currency: 'shilling' }, CANNOT_TELL],
		[{ mobile: '2547****5678' }, CANNOT_TELL],
		// The service may call another payment so, by chance.
		[{ ref: 'A-1' }, CANNOT_TELL],
		[{ ref: 'A-1', third_party_reference_1: 'A-1' }, mine('order')],
	])('a record with %j is %j', (changes, expected) => {
		expect(ask({ ...RECORD, ...changes })).toEqual(expected);
	});

	it('no link is known, nor one of several payments of an order', () => {
		expect(ask(RECORD, LINK)).toEqual(CANNOT_TELL);
		expect(ask(RECORD, { ...OURS, isOneOfSeveral: true })).toEqual(CANNOT_TELL);
		expect(ask(RECORD, OURS, 'list')).toEqual(CANNOT_TELL);
		expect(ask(RECORD, OURS, 'reference')).toEqual(CANNOT_TELL);
	});
});

describe('by a callback that came to its address', () => {
	it.each([
		[{}, mine('callback')],
		[{ mobile: undefined }, mine('callback')],
		[{ amount: 99 }, another('amount')],
		[{ currency: undefined }, CANNOT_TELL],
		[{ third_party_reference_1: 'B-2' }, another('order')],
		[{ callback_url: 'https://other.example/hook' }, CANNOT_TELL],
	])('a record with %j is %j', (changes, expected) => {
		expect(ask({ ...RECORD, ...changes }, LINK, 'callback')).toEqual(expected);
	});
});

describe('a reply', () => {
	const sent = { callback_url: urlOf(LINK), third_party_reference_1: 'A-1' };
	const said = (data: unknown, body: Record<string, unknown> = { data }) =>
		ofAnother({ data, body }, sent, READER);

	it.each([
		[{}, null],
		[[], null],
		['text', null],
		[{ amount: 5, item_name: 'Other', email: 'o@example.com' }, null],
		[{ third_party_reference_1: 'A-1', callback_url: urlOf(LINK) }, null],
		[{ third_party_reference_1: '' }, null],
		[{ third_party_reference_1: 'A-2' }, 'third_party_reference_1'],
		[{ callback_url: urlOf(paymentWith({ orderReference: 'B-2' })) }, 'callback_url'],
		[{ deep: { url: urlOf(paymentWith({ amount: '5' })) } }, 'callback_url'],
	])('with %j carries of another: %j', (data, field) => {
		expect(said(data)).toBe(field);
	});

	it('may say an order only where one was sent', () => {
		const data = { third_party_reference_1: 'A-2' };
		expect(ofAnother({ data, body: { data } }, {}, READER)).toBe('third_party_reference_1');
	});
});

it('what is given to several alike is nobody’s', () => {
	const rows = [['a'], ['b', 'x'], ['b'], [], ['x'], ['c', 'c']];
	expect([...givenAlike(rows, (each) => each)]).toEqual([rows[1], rows[2], rows[4]]);
});

it('a mark has its own payment in its address', () => {
	expect(urlOf(LINK)).toBe(withMark('https://n8n.example.com/webhook/pay', markOf(LINK)));
	expect(markOf(LINK)).toBe(writeMark(READER, LINK, { workflowId: 'workflow', nodeId: 'node' }));
});
