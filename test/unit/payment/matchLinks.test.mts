import { accountWith, HOOK, marked, match, sent } from '../rows/sentLinks.mts';

const ABSENT = { entry: null, why: 'absent' };
const HIDDEN = { entry: null, why: 'hidden' };
const SEVERAL = { entry: null, why: 'several' };
const ANOTHER = { entry: null, why: 'another' };

const link = sent();
const OWN = link.callbackUrl;
/** The same mark at another address. */
const ELSEWHERE = marked({}, 'https://proxy.example/in');
const entryOf = (callback_url: string, more: object = {}) => ({
	amount: '100.00',
	currency: 'KES',
	item_name: 'Rent',
	callback_url,
	...more,
});

describe('the reference of the reply', () => {
	const named = sent({ reference: 'PL-1' });

	it('decides before any mark, and leaves the search to it when no entry has it', async () => {
		const entry = { reference: 'PL-1', link: 'https://p.example/1' };
		const own = entryOf(OWN);
		expect(await match([own, entry], named)).toMatchObject([{ entry }]);
		expect(await match([{ reference: 'PL-2' }, own], named)).toMatchObject([{ entry: own }]);
	});

	it.each([
		['currency', { currency: 'UGX' }],
		['order', { third_party_reference_1: 'A-2' }],
		['mark', { callback_url: marked({ order: 'A-2' }) }],
		['amount', { amount: '200.00' }],
		['payer', { email: 'brian@example.com' }],
		['item', { item_name: 'Car' }],
		['phone', { phone: '254722000000' }],
	])('is not believed beside another %s', async (what, states) => {
		const payer = { email: 'amina@example.com', item_name: 'Rent', phone: '0712345678' };
		const entry = { reference: 'PL-1', amount: '100.00', ...payer, ...states };
		const none = what === 'mark' ? ANOTHER : SEVERAL;
		expect(await match([entry], { ...named, sent: payer })).toEqual([none]);
		const two = await match([entry, { reference: 'PL-1' }], { ...named, sent: payer });
		expect(two).toEqual([SEVERAL]);
	});

	it.each<[string, object, isNamed: boolean]>([
		['id', { id: 1042, reference: 'PL-7' }, true],
		['reference', { id: 1042, reference: 'PL-7' }, false],
		['reference', { id: 1042, ref: 'PL-9' }, false],
		['reference', { id: 1042 }, false],
		['reference', { ref: '1042' }, true],
		['transaction_id', { id: 1042 }, true],
		['transaction_id', { id: 1042, transaction_reference: 'T-1' }, false],
		['', { id: 1042 }, true],
	])('%j of a reply is compared with the like of %j', async (field, entry, isNamed) => {
		const by = sent({ reference: '1042', referenceField: field || null });
		expect(await match([entry], by)).toMatchObject([isNamed ? { entry } : HIDDEN]);
	});

	it('may be a number of something else, where another entry has the mark', async () => {
		const by = sent({ reference: '5', referenceField: 'id' });
		const own = entryOf(OWN, { id: 9 });
		expect(await match([{ id: 5 }, own], by)).toEqual([SEVERAL]);
		expect(await match([entryOf(OWN, { id: 5 })], by)).toMatchObject([
			{ entry: entryOf(OWN, { id: 5 }) },
		]);
	});

	it('is nobody’s when two entries have it', async () => {
		const entry = { reference: 'PL-1' };
		expect(await match([entry, { ...entry, x: 1 }], named)).toEqual([SEVERAL]);
	});
});

describe('the mark', () => {
	it.each([
		['in the address that was sent', { callback_url: OWN }],
		['under another name', { notifyUrl: OWN }],
		['deep inside', { meta: { hooks: [{ to: OWN }] } }],
		['as deep as an entry is read', { a: [[{ b: OWN }]] }],
		['in a text', { note: `POST ${OWN}` }],
		['at another address', { callback_url: ELSEWHERE }],
		['beside another amount and payer', entryOf(OWN, { amount: '1', email: 'x@example.com' })],
		['beside what looks like one', entryOf(OWN, { currency: 'kes', note: 'upo=' })],
	])('names the link: %s', async (_, entry) => {
		expect(await match([{ id: 1 }, entry], link)).toMatchObject([{ entry }]);
	});

	it.each([
		['a redirection', { redirection_url: OWN }],
		['an address to return to', { return_url: OWN }],
		['what is deeper', { a: [[[{ b: OWN }]]] }],
	])('does not count in %s', async (_, entry) => {
		expect(await match([entry], link)).toEqual([HIDDEN]);
	});

	it.each([
		['another order', marked({ order: 'A-2' }), ABSENT],
		['another node, for the same order', marked({ nodeId: 'copy' }), ABSENT],
		['a key of its own, for the same order', marked({ key: 'K-1' }), ABSENT],
		['an end that was cut', OWN.slice(0, -1), HIDDEN],
		['none', HOOK, HIDDEN],
	])('of %s is not this link’s, whatever else is the same', async (_, url, none) => {
		expect(await match([entryOf(url)], link)).toEqual([none]);
	});

	it.each([
		['of another amount', marked({ amount: '200' })],
		['of another account', marked({ account: accountWith('theirs') })],
		['without an address around it', OWN.slice(OWN.indexOf('upo='))],
	])('%s is not this link’s, and no proof that it is absent', async (_, url) => {
		const own = entryOf(OWN);
		expect(await match([entryOf(url)], link)).toEqual([SEVERAL]);
		expect(await match([entryOf(url), own], link)).toMatchObject([{ entry: own }]);
	});

	it.each([
		['currency', { currency: 'UGX' }],
		['order', { third_party_reference_1: 'A-2' }],
		['mark beside it', { notify_url: marked({ order: 'A-2' }) }],
	])('is not believed beside another %s', async (_, states) => {
		expect(await match([entryOf(OWN, states)], link)).toEqual([SEVERAL]);
	});

	it('of two entries: the one with the exact address, else neither', async () => {
		const exact = entryOf(OWN, { note: ELSEWHERE });
		expect(await match([entryOf(ELSEWHERE), exact], link)).toMatchObject([{ entry: exact }]);
		expect(await match([entryOf(ELSEWHERE), entryOf(`${OWN}&x=1`)], link)).toEqual([SEVERAL]);
		expect(await match([exact, { ...exact, id: 2 }], link)).toEqual([SEVERAL]);
	});

	it('tells apart what other executions asked for, unless it is known to be earlier', async () => {
		const at = (execution: number, row = 0) =>
			marked({}, `https://n8n.example.com/webhook-waiting/${execution}?upi=n.0.${row}`);
		const own = sent({ callbackUrl: at(17) });
		expect(await match([entryOf(at(16)), entryOf(at(17, 1))], own)).toEqual([SEVERAL]);
		const entry = entryOf(at(16));
		expect(await match([entry], { ...own, sentBefore: true })).toMatchObject([{ entry }]);
	});
});

it('one entry is never given to two links', async () => {
	expect(await match([entryOf(OWN)], link, sent())).toEqual([SEVERAL, SEVERAL]);
	const entry = entryOf(OWN, { reference: 'PL-1' });
	expect(await match([entry], sent({ reference: 'PL-1' }), link)).toEqual([SEVERAL, SEVERAL]);
	const other = sent({ orderReference: 'A-2' });
	expect(await match([entry], link, other)).toMatchObject([{ entry }, ABSENT]);
});

it.each([
	['without a callback URL', { ...link, callbackUrl: null }, undefined],
	['whose callback URL has no mark', sent({ callbackUrl: HOOK }), HOOK],
	['with a mark that the list does not keep', link, undefined],
])('equal values alone are no evidence for a link %s', async (_, payment, url) => {
	const entry = {
		...entryOf(url ?? ''),
		third_party_reference_1: 'A-1',
		item_name: 'Order A-1',
		reference: 'PL-9',
	};
	expect(await match([entry], payment)).toEqual([HIDDEN]);
});

it('takes whatever a list holds', async () => {
	const odd = [null, 1, 'x', [], [[]], {}, { item_name: {} }, { item_name: 7 }];
	expect(await match(odd, sent(), sent({ orderReference: null }))).toEqual([HIDDEN, HIDDEN]);
});

it.each([
	...['N/A', '0', 0].map((order) => ({ third_party_reference_1: order })),
	...[{ code: 'KES' }, 'KSh', 'KSH', 'Shs', 'CFA', 'Kenyan Shilling', 1].map((currency) => ({
		currency,
	})),
])('%j says nothing against an entry', async (says) => {
	const entry = entryOf(OWN, says);
	expect(await match([entry], link)).toMatchObject([{ entry }]);
});

it('does not look through more than twenty entries with a mark, or addresses of an entry', async () => {
	const many = (count: number) => Array.from({ length: count }, (_, n) => `${OWN}&x=${n}`);
	const entries = (count: number) => many(count - 1).map((each) => entryOf(each));
	expect(await match([...entries(20), entryOf(OWN)], link)).toMatchObject([
		{ entry: entryOf(OWN) },
	]);
	expect(await match([...entries(21), entryOf(OWN)], link)).toEqual([SEVERAL]);
	const shown = entryOf(marked({ order: 'A-2' }));
	const holding = (count: number) => ({ a: many(count - 1).join(' '), b: OWN });
	expect(await match([shown, holding(20)], link)).toMatchObject([{ entry: holding(20) }]);
	for (const entry of [holding(21), { a: holding(21).a.split(' '), b: OWN, c: OWN }])
		expect(await match([shown, entry], link)).toEqual([HIDDEN]);
});

it('is absent only where the list would show it', async () => {
	const another = entryOf(marked({ order: 'A-2' }));
	expect(await match([], link, { ...link, callbackUrl: null })).toEqual([ABSENT, ABSENT]);
	expect(await match([another], link)).toEqual([ABSENT]);
	expect(await match([another], sent({ callbackUrl: HOOK }))).toEqual([HIDDEN]);
	const texts = entryOf(marked({ order: 'A-3' }), {
		note: 'h',
		about: `See ${HOOK}?`,
		at: marked({ order: 'A-2' }),
	});
	expect(await match([another, texts, { ...another, note: HOOK.slice(0, 9) }], link)).toEqual([
		ABSENT,
	]);
});

describe('beside an entry with a mark, a link may be one that', () => {
	const shown = entryOf(marked({ order: 'A-2' }));
	const payment = { ...link, sent: { email: 'amina@example.com', business_name: 'Shop' } };
	const cut = OWN.slice(0, -9);

	it.each([
		...[undefined, null, '', 7, HOOK, HOOK.slice(0, 20), HOOK.slice(0, 14), cut, ` ${cut}\n`],
		...[`${cut}...`, 'HTTPS://N8N...', 'https://n8n.*/in', 'n8n.example.com', 'https://'],
		'ftp://shop.example',
		...[encodeURIComponent(OWN), OWN.replace('upo=', 'upo%3D'), OWN.toLowerCase()],
		...['https://n8n.example.com/another', 'https://n8n.example.com.evil.example'],
	])('states %j as its callback URL', async (url) => {
		expect(await match([shown, entryOf(url as string)], payment)).toEqual([HIDDEN]);
	});

	it.each<[string, unknown]>([
		['states little', { amount: '100', currency: 'Shilling', business_name: 'Other' }],
		['is called back at two places', entryOf('https://x.example', { webhook: HOOK })],
		['is a text', 'x'],
		['holds several', { id: 1, links: [shown, { id: 1 }] }],
		['holds several deep inside', { ...shown, a: { b: { c: [{ id: 1 }, { id: 2 }] } } }],
		['writes its currency in small letters', { currency: 'kes' }],
		['is one of many', { amount: 100, email: 'b@example.com', many: 201 }],
	])('%s', async (_, entry) => {
		const times = (entry as { many?: number }).many ?? 1;
		const entries = Array.from({ length: times }, () => entry);
		expect(await match([shown, ...entries], payment)).toEqual([HIDDEN]);
	});

	it.each([cut, `${cut}…`, encodeURIComponent(HOOK), ` ${cut.replaceAll('&', '&amp;')} `])(
		'has a part of its address, whatever else it states: %j',
		async (callback_url) => {
			const other = { amount: 10_000, currency: 'UGX', email: 'b@example.com', callback_url };
			expect(await match([shown, other], payment)).toEqual([HIDDEN]);
		},
	);

	it.each([
		['is called back elsewhere', { callback_url: 'https://shop.example/paid', id: 7 }],
		['has another amount', { amount: 101 }],
		['has another currency', { currency: ' ugx ' }],
		['has another payer', { amount: 100, email: 'baraka@example.com' }],
		['has one entry inside', { ...shown, hooks: [{ id: 1 }, 'x'] }],
		['has several too deep inside', { ...shown, a: { b: { c: { d: [{ id: 1 }, { id: 2 }] } } } }],
		['names our host elsewhere', { amount: 101, site: 'https://n8n.example.com' }],
	])('not if it %s', async (_, entry) => {
		expect(await match([shown, entry], payment)).toEqual([ABSENT]);
		expect(await match([entry], { ...payment, callbackUrl: HOOK })).toEqual([HIDDEN]);
	});
});
