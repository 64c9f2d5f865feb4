import {
	givenReference,
	sharedOrders,
	whoseAddress,
	whoseRecord,
	type AskedPayment,
} from '../../../nodes/UnifiedPayments/payment/whose.ts';
import { ACCOUNT, accountWith, HOOK, marked, sent } from '../rows/sentLinks.mts';

type AskedBy = Parameters<typeof whoseRecord>[3];
type Verdict = ReturnType<typeof whoseRecord>;

const KES = { amount: '100.00', currency: 'KES' };
const PAYER = '254712345678';

/** A collection: the service was given its order, and it has one transaction. */
const collection = (over: Partial<AskedPayment> = {}): AskedPayment => ({
	...sent({ ownReference: 'A-1', mayBeTriedAgain: false, mobile: PAYER }),
	...over,
});

const OWN = marked();
const EXECUTION = 'https://n8n.example.com/webhook-waiting/17?signature=abc&upi=n.0.0';
/** The address of a row in an execution that waits. */
const waiting = (from: string, to: string) => marked({}, EXECUTION.replace(from, to));
const AWAITED = { callbackUrl: waiting('', '') };
const UNSEEN = { callbackUrl: null };
const EARLIER = { ...AWAITED, sentBefore: true };
const at = (callback_url: string) => ({ callback_url });
/** The address of an execution without its query. */
const cut = (address: string, execution: string) =>
	address.split('?')[0]!.replace('/17', execution);

const mine = (by: Extract<Verdict, { is: 'mine' }>['by']): Verdict => ({ is: 'mine', by });
const another = (because: Extract<Verdict, { is: 'another' }>['because']): Verdict => ({
	is: 'another',
	because,
});
const UNCLEAR: Verdict = { is: 'unclear' };
const BAD_CODE: Verdict = { is: 'unclear', because: 'code' };

const whose = (record: object, payment: AskedPayment, askedBy: AskedBy) =>
	whoseRecord({ ...record }, payment, ACCOUNT, askedBy);

/** Everything that a record can state against being ours, with what is said then. */
const CONTRADICTIONS: Array<
	[string, object, Extract<Verdict, { is: 'another' }>['because'], Partial<AskedPayment>?]
> = [
	['another currency', { currency: 'UGX' }, 'currency'],
	['another order', { third_party_reference_1: 'A-2' }, 'order'],
	['an order in another case', { third_party_reference_1: 'a-1' }, 'order'],
	['the mark of another order', at(marked({ order: 'A-2' })), 'mark'],
	['the mark of another amount', at(marked({ amount: '7' })), 'mark'],
	['the mark of another node', at(marked({ nodeId: 'copy' })), 'mark'],
	[
		'the mark of another key',
		at(marked({ key: 'K-2' })),
		'mark',
		{ callbackUrl: marked({ key: 'K-1' }), isOneOfSeveral: true },
	],
	[
		'the mark of another payment without an order',
		at(marked({ order: null, values: 'x' })),
		'mark',
		{ callbackUrl: marked({ order: null }) },
	],
	['a mark where ours has none', at(OWN), 'mark', { callbackUrl: HOOK }],
	['an address of somebody else', at('https://shop.example.com/paid'), 'callbackUrl'],
	['the address of another execution', at(waiting('/17', '/18')), 'callbackUrl', AWAITED],
	['the address of another row', at(waiting('n.0.0', 'n.0.1')), 'callbackUrl', AWAITED],
	['another execution without its query', at(cut(EXECUTION, '/18')), 'callbackUrl', AWAITED],
];

describe('a contradiction makes it another’s, whatever speaks for it', () => {
	it.each(CONTRADICTIONS)('%s', (_, states, because, changes = {}) => {
		const verdict = another(because);
		const named = collection({ reference: 'TX-1', ...changes });
		const own = { callback_url: named.callbackUrl };
		expect(whose({ ...KES, ref: 'TX-1', ...states }, named, 'reference')).toEqual(verdict);
		expect(whose({ ...KES, ...own, ...states }, collection(changes), 'order')).toEqual(verdict);
		const asked = { ...KES, third_party_reference_1: named.ownReference, ...states };
		expect(whose(asked, collection(changes), 'order')).toEqual(verdict);
		expect(whose({ ...KES, ...states }, collection(changes), 'ownCallback')).toEqual(verdict);
	});
});

describe('the reference of the reply', () => {
	const named = collection({ reference: 'TX-1' });

	it.each<[string, object]>([
		['says it by itself', { ref: 'TX-1' }],
		['also under another name', { reference: 'TX-1', id: 7 }],
		['also where less was paid', { ref: 'TX-1', amount: '1', currency: 'KES' }],
		['also from another number', { ref: 'TX-1', mobile: '254700000000' }],
		['also beside a `ref`', { ref: 'TX-9', id: 'TX-1' }],
		['and beside an address that says nothing', { ref: 'TX-1', callback_url: HOOK.split('?')[0] }],
		['and beside a code that does not hold', { ref: 'TX-1', callback_url: `${OWN}x` }],
		['is what was asked about where the record names none', { ...KES }],
	])('%s', (_, record) => {
		expect(whose(record, named, 'reference')).toEqual(mine('reference'));
	});

	it('of a collection is the only one: another reference is another payment', () => {
		for (const askedBy of ['reference', 'order', 'ownCallback'] as const) {
			const record = { ...KES, ref: 'TX-2', callback_url: OWN, third_party_reference_1: 'A-1' };
			expect(whose(record, named, askedBy)).toEqual(another('reference'));
		}
	});

	it.each<[string, object]>([
		['under another name', { reference: 'TX-2' }],
		['that cannot be read', { ref: ['TX-1'] }],
		['whose digits were lost', { ref: 2 ** 64 }],
	])('is not one that the record states %s', (_, states) => {
		expect(whose({ ...KES, ...states }, named, 'reference')).toEqual(another('reference'));
	});

	it('that was the number of a row may be missing where exactly our address is', () => {
		const record = { ...KES, ref: 'TX-9', callback_url: AWAITED.callbackUrl };
		const as = (referenceField: string | null, states: object = {}) =>
			whose({ ...record, ...states }, { ...named, ...AWAITED, referenceField }, 'reference');
		expect(as('id')).toEqual(mine('callbackUrl'));
		expect(as('id', { id: 'TX-8' })).toEqual(another('reference'));
		expect(as('id', { callback_url: `${record.callback_url}&x` })).toEqual(another('reference'));
		for (const field of ['ref', null]) expect(as(field)).toEqual(another('reference'));
		expect(as('id', { callback_url: HOOK.split('?')[0] })).toEqual(another('callbackUrl'));
		expect(as('ref', { id: 'TX-1' })).toEqual(another('reference'));
		// All payments of an order may have the address of a trigger.
		const shared = { ...named, referenceField: 'id' };
		expect(whose({ ...record, callback_url: OWN }, shared, 'reference')).toEqual(
			another('reference'),
		);
	});

	it('does not make a record without a name that of another payer', () => {
		const record = { ...KES, mobile: '254700000000' };
		expect(whose(record, named, 'reference')).toEqual(another('values'));
	});

	it.each(['N/A', 'null', '-', 0])('stands beside %j in the place of an order', (none) => {
		const record = { ...KES, ref: 'TX-1', third_party_reference_1: none };
		expect(whose(record, sent({ reference: 'TX-1' }), 'reference')).toEqual(mine('reference'));
		expect(whose(record, named, 'reference')).toEqual(mine('reference'));
	});

	it.each(['id', 'transaction_id'])('a number in `%s` may be that of something else', (field) => {
		const about = (payment: AskedPayment, states: object = {}) =>
			whose({ ...KES, [field]: 57, ...states }, { ...payment, referenceField: field }, 'reference');
		const five = collection({ reference: '57' });
		expect(about(five)).toEqual(mine('reference'));
		expect(about(five, { amount: 1 })).toEqual(UNCLEAR);
		expect(about(five, { amount: 1, callback_url: OWN })).toEqual(mine('reference'));
		for (const [order, verdict] of [['A-1', mine('reference')] as const, ['N/A', UNCLEAR] as const])
			expect(about(five, { amount: 1, third_party_reference_1: order })).toEqual(verdict);
		expect(about(five, { [field]: 900, ref: '57' })).toEqual(another('reference'));
		// Other names are nobody else's.
		const named = collection({ reference: '5-1' });
		expect(about(named, { [field]: '5-1', amount: 1 })).toEqual(mine('reference'));
		const ref = { ...five, referenceField: 'ref' };
		expect(whose({ ref: '57', amount: 1 }, ref, 'reference')).toEqual(mine('reference'));
	});

	it('of a link may be another at the next try, if our address or mark says so', () => {
		const link = sent({ reference: 'TX-1' });
		const retried = { ...KES, ref: 'TX-2' };
		for (const askedBy of ['reference', 'order', 'ownCallback'] as const) {
			expect(whose({ ...retried, callback_url: OWN }, link, askedBy)).toEqual(mine('callbackUrl'));
			expect(whose({ ...retried, callback_url: `${OWN}&x=1` }, link, askedBy)).toEqual(
				mine('mark'),
			);
		}
		expect(whose(retried, link, 'reference')).toEqual(another('reference'));
		expect(whose({ ...retried, third_party_reference_1: 'A-1' }, link, 'order')).toEqual(UNCLEAR);
	});
});

it.each(['refund', 'Payment Reversal', 'B2C'])('a %s is not the payment', (type) => {
	const record = { ...KES, ref: 'TX-1', callback_url: OWN };
	const ours = collection({ reference: 'TX-1' });
	expect(whose({ ...record, type }, ours, 'reference')).toEqual(another('values'));
	expect(whose({ ...record, type: 'debit' }, ours, 'reference')).toEqual(mine('reference'));
	// A refund that was reversed, or a chargeback, says nothing about the payment.
	const verdict = type === 'Payment Reversal' ? mine('reference') : another('values');
	expect(whose({ ...record, type, status: ' Reversed' }, ours, 'reference')).toEqual(verdict);
});

describe('the callback URL', () => {
	it.each<[string, string, Partial<AskedPayment>, Verdict]>([
		['exactly as it was sent', OWN, {}, mine('callbackUrl')],
		['with spaces around it', ` ${OWN} `, {}, mine('callbackUrl')],
		['with another token', OWN.replace('token=t', 'token=other'), {}, mine('callbackUrl')],
		['without the token', OWN.replace('token=t&', ''), {}, mine('callbackUrl')],
		['with another signature of n8n', waiting('abc', 'xyz'), AWAITED, mine('callbackUrl')],
		['without a mark, which all rows of a node share', HOOK, { callbackUrl: HOOK }, UNCLEAR],
		['on another host', marked({}, 'https://proxy.example/in?x=1'), {}, mine('mark')],
		['with another parameter, and the mark', `${OWN}&utm=1`, {}, mine('mark')],
		['of a row by another way', waiting('https:', 'HTTP:'), AWAITED, mine('mark')],
		['of a row by a proxy', waiting('s://n8n.example.com', '://x:1'), AWAITED, mine('mark')],
		['of a row with one more slash', waiting('17?', '17/?'), AWAITED, mine('mark')],
		['of a row without the scheme', waiting('https://', ''), AWAITED, mine('mark')],
		['escaped as a whole', encodeURIComponent(OWN), {}, mine('callbackUrl')],
		['escaped, over http', encodeURIComponent(marked({}, 'http://x')), {}, mine('mark')],
		['inside another', `//x.io?u=${encodeURIComponent(OWN)}`, {}, another('callbackUrl')],
		['escaped for JSON', OWN.replaceAll('/', '\\/'), {}, mine('callbackUrl')],
		['escaped for HTML', OWN.replaceAll('&', '&amp;'), {}, mine('callbackUrl')],
		['escaped wrongly', 'https%3A%2F%2Fx%', {}, UNCLEAR],
		['of which the host is left', 'HTTPS://N8N.example.com/', {}, UNCLEAR],
		['of which the path is left', new URL(HOOK).pathname, {}, UNCLEAR],
		['with another path alone', '/webhook-waiting/18', AWAITED, another('callbackUrl')],
		['of which the host is left without a point', 'https://shop', {}, another('callbackUrl')],
		['which is a word', 'shop', {}, UNCLEAR],
		['which is nothing but a query', '?x=1', {}, UNCLEAR],
		['beside ours that is no address', HOOK, { callbackUrl: 'N/A' }, UNCLEAR],
		[
			'with the path on another host',
			cut(EXECUTION, '/17').replace('n8n', 'x'),
			AWAITED,
			another('callbackUrl'),
		],
		['with a placeholder', 'N/A', {}, UNCLEAR],
		['of an earlier run, where that is known', waiting('/17', '/16'), EARLIER, mine('mark')],
		['without its query, as some services keep it', HOOK.split('?')[0]!, {}, UNCLEAR],
		['cut inside the mark', OWN.slice(0, -3), {}, UNCLEAR],
		['cut before the mark', OWN.slice(0, OWN.indexOf('&upo')), {}, UNCLEAR],
		['of an earlier run, without its query', cut(EXECUTION, '/16'), EARLIER, UNCLEAR],
		['empty', ' ', {}, UNCLEAR],
		['of a payment of which nobody knows it', OWN, { callbackUrl: null }, UNCLEAR],
		['of another order than that one', OWN, { ...UNSEEN, orderReference: 'A-2' }, another('mark')],
		['of an order, where that one has none', OWN, { ...UNSEEN, orderReference: null }, UNCLEAR],
		['of no order, where that one has one', marked({ order: null }), UNSEEN, UNCLEAR],
		['whose code does not hold, for that one', `${OWN}x`, UNSEEN, UNCLEAR],
		['with another order in the mark', OWN.replace('=1A-1.', '=1A-2.'), {}, BAD_CODE],
		['with another code', OWN.replace(/.{16}$/, 'A'.repeat(16)), {}, BAD_CODE],
		['with something behind the code', `${OWN}x`, {}, BAD_CODE],
		['with the mark twice', `${OWN}&${OWN.split('&').pop()!}`, {}, BAD_CODE],
		['with the mark of another account', marked({ account: accountWith('theirs') }), {}, BAD_CODE],
	])('%s', (_, stated, changes, verdict) => {
		expect(whoseAddress(stated, collection(changes), ACCOUNT)).toEqual(verdict);
	});

	it.each([undefined, null, 7, {}, [OWN]])('%j is none', (stated) => {
		expect(whoseAddress(stated, collection(), ACCOUNT)).toEqual(UNCLEAR);
	});

	it.each(['order', 'ownCallback'] as const)(
		'decides by itself, whatever amount was paid by whom (asked by %s)',
		(askedBy) => {
			const record = { ref: 'TX-9', amount: '1', currency: 'KES', mobile: '254700000000' };
			expect(whose({ ...record, callback_url: OWN }, collection(), askedBy)).toEqual(
				mine('callbackUrl'),
			);
			const keyed = collection({ callbackUrl: marked({ key: 'K-1' }), isOneOfSeveral: true });
			expect(whose({ ...record, callback_url: `${keyed.callbackUrl}&x` }, keyed, askedBy)).toEqual(
				mine('mark'),
			);
		},
	);
});

describe('the order, with what was asked for', () => {
	const record = { ...KES, ref: 'TX-1', third_party_reference_1: 'A-1' };

	it.each<[string, object]>([
		['as it was asked for', {}],
		['the amount as a number', { amount: 100 }],
		['the currency in small letters', { currency: 'kes' }],
		['the payer with a plus and spaces', { mobile: '+254 712 345678' }],
		['the payer without the country', { mobile: '0712345678' }],
		['the payer as a number', { mobile: 712345678 }],
		['a payer of whom little is shown', { mobile: '2547****678' }],
		['no payer', { mobile: null }],
		['the order with an invisible character', { third_party_reference_1: ' A\u200b-1' }],
		['a `ref` that is the order as well', { ref: 'A-1' }],
		['an empty address', { callback_url: '' }],
		['an address without its query', { callback_url: HOOK.split('?')[0] }],
		['a cut address', { callback_url: OWN.slice(0, -3) }],
	])('is ours: %s', (_, change) => {
		expect(whose({ ...record, ...change }, collection(), 'order')).toEqual(mine('order'));
	});

	it.each<[string, object, Partial<AskedPayment>, Verdict]>([
		['another amount', { amount: '101' }, {}, another('values')],
		['no amount', { amount: undefined }, {}, another('values')],
		['no currency', { currency: undefined }, {}, another('values')],
		['another payer', { mobile: '254700000000' }, {}, another('values')],
		['a payer that ends otherwise', { mobile: '0712345679' }, {}, another('values')],
		['an order that the service was not given', {}, { ownReference: null }, UNCLEAR],
		['several payments of the order', {}, { isOneOfSeveral: true }, UNCLEAR],
		['a code that does not hold', { callback_url: `${OWN}x` }, {}, UNCLEAR],
		['a mark of another account', at(marked({ account: accountWith('x') })), {}, UNCLEAR],
		['a `ref` that is our order', { ref: 'A-1', third_party_reference_1: null }, {}, UNCLEAR],
		['an `id` that is our order', { id: 'A-1', third_party_reference_1: '' }, {}, UNCLEAR],
	])('is not enough with %s', (_, change, payment, verdict) => {
		expect(whose({ ...record, ...change }, collection(payment), 'order')).toEqual(verdict);
	});
});

describe('a callback that came to exactly the payment’s own address', () => {
	it.each<[string, object, Verdict]>([
		['is ours with what was asked for', {}, mine('ownCallback')],
		['is not with another amount', { amount: '7' }, another('values')],
		['is not with another payer', { mobile: '254700000000' }, another('values')],
		['is ours where the address is a placeholder', at('N/A'), mine('ownCallback')],
		['is unclear with an address without its mark', at(HOOK.split('?')[0]!), UNCLEAR],
		['is unclear with a code that does not hold', at(`${OWN}x`), UNCLEAR],
	])('%s', (_, change, verdict) => {
		const record = { ...KES, ref: 'TX-1', ...change };
		for (const payment of [{}, { ownReference: null }, { isOneOfSeveral: true }])
			expect(whose(record, collection(payment), 'ownCallback')).toEqual(verdict);
	});
});

it('an order that several payments of a run have names none of them', () => {
	const of = (own: string | null, order: string | null) =>
		collection({ ownReference: own, orderReference: order });
	const shared = [of('A-1', null), of(null, 'A-1\u200b'), of('A-1', 'B-2')];
	const others = [of(null, 'B-2'), of('C-3', 'C-3'), of(null, null), of(null, null)];
	expect([...sharedOrders([...others, ...shared])]).toEqual(shared);
	expect([givenReference('A-1', 'A-1'), givenReference('R-1', 'A-1')]).toEqual([null, 'R-1']);
});
