import { linkInEntry } from '../../../nodes/UnifiedPayments/protocol/listedLink.ts';
import { HOOK, mark, match, sent, type SentLink } from '../rows/sentLinks.mts';

const without = ({ params }: SentLink, ...names: string[]) =>
	Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
const ABSENT = { entry: null, why: 'absent' };
const SEVERAL = { entry: null, why: 'several' };

describe('an entry with a mark', () => {
	const link = sent();
	it.each([
		['as the address that was sent', { callback_url: link.params.callback_url }],
		['under another name', { notifyUrl: link.params.callback_url }],
		['deep inside', { meta: { hooks: [{ to: link.params.callback_url }] } }],
		[
			'escaped in another address',
			{ go: `https://x.example/?u=${encodeURIComponent(String(link.params.callback_url))}` },
		],
		['in a text', { note: `calls ${String(link.params.callback_url)}, then ends` }],
		['alone', { note: link.mark }],
	])('is the link that carries it: %s', async (_, entry) => {
		expect(await match([{ id: 1 }, entry], link)).toEqual([{ entry }]);
	});

	it('is not another link, whatever else is the same', async () => {
		const other = sent({ orderReference: 'A-2' });
		expect(await match([other.params], link)).toEqual([ABSENT]);
		expect(await match([sent({ mark: mark('A-1', '200') }).params], link)).toEqual([ABSENT]);
	});

	it('is nobody’s when two entries carry the same mark', async () => {
		expect(await match([{ ...link.params }, { ...link.params, x: 1 }], link)).toEqual([SEVERAL]);
	});

	it('is nobody’s when two links carry the same mark', async () => {
		expect(await match([link.params], link, { ...link })).toEqual([SEVERAL, SEVERAL]);
	});

	it('is only believed whole', async () => {
		const cut = String(link.params.callback_url).slice(0, -1);
		expect(await match([{ callback_url: cut }], link)).toEqual([ABSENT]);
		expect(await match([{ callback_url: `${String(link.params.callback_url)}x` }], link)).toEqual([
			ABSENT,
		]);
	});

	it('keeps others from being compared by their values', async () => {
		const plain = sent({ orderReference: null, params: { item_name: 'Chair' } });
		const entry = without(plain, 'callback_url');
		expect(await match([entry, link.params], plain)).toEqual([ABSENT]);
		expect(await match([entry], plain)).toEqual([{ entry }]);
	});
});

describe('an entry without a mark', () => {
	const link = sent({
		orderReference: null,
		params: { email: 'amina@example.com', phone: '254712345678', first_name: 'Amina' },
	});
	const entry = {
		...without(link, 'callback_url'),
		id: 7,
		status: 'open',
		link: 'https://p.example/7',
	};

	it('is the link when all that it states was sent', async () => {
		expect(await match([{ id: 1 }, entry], link)).toEqual([{ entry }]);
	});

	it.each([
		['amount as a number', { amount: 100 }],
		['currency in small letters', { currency: 'kes' }],
		['country as text', { country_id: '1' }],
		['phone with a plus', { phone: '+254 712 345678' }],
		['e-mail in capitals', { email: 'AMINA@example.com' }],
		[
			'nothing for what was not sent',
			{ last_name: null, redirection_url: '', currency_country_id: null },
		],
		['no business name', { business_name: null }],
		['spaces around it', { item_name: ' Rent ', business_name: ' Amina Shop ' }],
		['blanks for what was not sent', { redirection_url: '  ', last_name: ' ' }],
		['the callback URL without its query', { callback_url: HOOK.replace(/\?.*/, '') }],
	])('may write it in its own way: %s', async (_, change) => {
		const written = { ...entry, ...change };
		expect(await match([written], link)).toEqual([{ entry: written }]);
	});

	it.each([
		['amount', { amount: '101.00' }],
		['currency', { currency: 'TZS' }],
		['country', { country_id: 2 }],
		['item', { item_name: 'Rent 2' }],
		['seller', { business_name: 'Baraka' }],
		['phone', { phone: '254712345679' }],
		['e-mail', { email: 'b@example.com' }],
		['name', { first_name: 'Ami' }],
		['name that was not sent', { last_name: 'Okoro' }],
		['address to go to', { redirection_url: 'https://x.example' }],
		['callback URL', { callback_url: 'https://x.example/hook' }],
		['payer’s country', { currency_country_id: 3 }],
	])('is another link when it states another %s', async (_, change) => {
		expect(await match([{ ...entry, ...change }], link)).toEqual([ABSENT]);
	});

	it.each(['item_name', 'amount', 'currency', 'country_id', 'first_name', 'email', 'phone'])(
		'is not believed when it does not state the %s that was sent',
		async (name) => {
			expect(await match([{ ...entry, [name]: null }], link)).toEqual([ABSENT]);
		},
	);

	it('is nobody’s when two are the same', async () => {
		expect(await match([entry, { ...entry, id: 8 }], link)).toEqual([SEVERAL]);
		expect(await match([entry], link, { ...link })).toEqual([SEVERAL, SEVERAL]);
	});

	it('is not the link of an order that it does not name: last month’s has the same values', async () => {
		const rent = sent({ orderReference: 'INV-2026-11' });
		expect(await match([without(rent, 'callback_url')], rent)).toEqual([ABSENT]);
		const named = sent({ orderReference: 'INV-11', params: { item_name: 'Rent (INV-11)' } });
		const listed = without(named, 'callback_url');
		expect(await match([listed], named)).toEqual([{ entry: listed }]);
		const part = sent({ orderReference: 'INV-1', params: { item_name: 'Rent (INV-11)' } });
		expect(await match([without(part, 'callback_url')], part)).toEqual([ABSENT]);
	});

	it('may state the whole callback URL, when that carried no mark', async () => {
		const url = 'https://shop.example.com/paid?a=1#b';
		const plain = sent({ orderReference: null, mark: null, params: { callback_url: url } });
		for (const stated of [url, 'https://shop.example.com/paid']) {
			const listed = { ...plain.params, callback_url: stated };
			expect(await match([listed], plain)).toEqual([{ entry: listed }]);
		}
		for (const other of ['https://shop.example.com/paid?a=1', 'https://shop.example.com/']) {
			expect(await match([{ ...plain.params, callback_url: other }], plain)).toEqual([ABSENT]);
		}
	});

	it('names its order between words, however they are divided', async () => {
		for (const item of ['Rent, INV-1', 'INV-1: Rent', 'Rent #INV-1', '"INV-1"']) {
			const named = sent({ orderReference: 'INV-1', params: { item_name: item } });
			const listed = without(named, 'callback_url');
			expect(await match([listed], named)).toEqual([{ entry: listed }]);
		}
	});

	it('is looked for among fifty of the same payment, and not among more', async () => {
		const others = (count: number) =>
			Array.from({ length: count }, (_, id) => ({ ...entry, id, business_name: 'Baraka' }));
		expect(await match([...others(49), entry], link)).toEqual([{ entry }]);
		expect(await match([...others(50), entry], link)).toEqual([ABSENT]);
	});

	it('is not the link of a row that is known by a key of its own', async () => {
		for (const orderReference of [null, 'A-1']) {
			const params = { item_name: 'Order A-1' };
			const keyed = sent({ orderReference, knownBy: 'duplicateKey', params });
			expect(await match([without(keyed, 'callback_url')], keyed)).toEqual([ABSENT]);
		}
	});
});

it('takes whatever a list holds', async () => {
	const odd = [null, 1, 'x', [], [[]], {}, { item_name: {} }, { item_name: 7 }];
	expect(await match(odd, sent(), sent({ orderReference: null }))).toEqual([ABSENT, ABSENT]);
});

describe('the address of the page in an entry', () => {
	const PAGE = 'https://pay.example.com/p/1';
	it.each([
		['link', { link: PAGE }],
		['payment_url', { payment_url: PAGE }],
		['paymentUrl', { paymentUrl: PAGE }],
		['nested', { payment: { link: { url: PAGE } } }],
		['the same twice', { link: PAGE, url: PAGE }],
		[
			'beside others',
			{
				link: PAGE,
				callback_url: 'https://a.example',
				redirectUrl: 'https://b.example',
				logo: 'https://c.example',
				webhook: { url: 'https://d.example' },
			},
		],
	])('%s', (_, entry) => {
		expect(linkInEntry(entry)).toBe(PAGE);
	});

	it.each([
		['none', {}],
		['two', { link: PAGE, url: `${PAGE}2` }],
		['another name', { website: PAGE }],
		['no address', { link: 'p/1' }],
		['no text', { link: 1 }],
		['too deep', { a: { b: { c: { link: PAGE } } } }],
		['only an address to call', { callback: { url: PAGE } }],
	])('is not guessed: %s', (_, entry) => {
		expect(linkInEntry(entry)).toBeNull();
	});
});
