import fc from 'fast-check';

import { linkInEntry } from '../../../nodes/UnifiedPayments/protocol/listedLink.ts';
import { matchLinks } from '../../../nodes/UnifiedPayments/rows/linkList.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/protocol/orderMark.ts';

type SentLink = Parameters<typeof matchLinks>[1][number];

const ACCOUNT = {
	baseUrl: 'https://pay.example.com',
	identity: { clientId: 'c', sender: 's', secretKey: 'k' },
};
const HOOK = 'https://n8n.example.com/webhook/pay?token=t';
const now = async () => undefined;
const mark = (orderReference: string | null, amount = '100', key = 'key') =>
	writeMark(ACCOUNT, { orderReference, amount, currency: 'KES' }, key);

/** A link as it was sent, with a mark unless that is null. */
function sent(over: Partial<SentLink> & { params?: object } = {}): SentLink {
	const orderReference = over.orderReference === undefined ? 'A-1' : over.orderReference;
	const own = over.mark === undefined ? mark(orderReference) : over.mark;
	return {
		orderReference,
		mark: own,
		knownByValues: over.knownByValues ?? orderReference === null,
		params: {
			business_name: 'Amina Shop',
			item_name: 'Rent',
			amount: '100.00',
			currency: 'KES',
			country_id: 1,
			...(own === null ? {} : { callback_url: withMark(HOOK, own) }),
			...over.params,
		},
	};
}

const without = ({ params }: SentLink, ...names: string[]) =>
	Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
const match = async (entries: unknown[], ...links: SentLink[]) =>
	await matchLinks(entries, links, now);
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

	it('is not the link of a row that is known by a key of its own', async () => {
		const keyed = sent({ orderReference: null, knownByValues: false });
		expect(await match([without(keyed, 'callback_url')], keyed)).toEqual([ABSENT]);
	});
});

it('takes whatever a list holds', async () => {
	const odd = [null, 1, 'x', [], [[]], {}, { item_name: {} }, { item_name: 7 }];
	expect(await match(odd, sent(), sent({ orderReference: null }))).toEqual([ABSENT, ABSENT]);
});

it('never gives a link to a wrong row: 10,000 lists with twins, corrections and losses', async () => {
	const row = fc.record({
		order: fc.constantFrom(null, 'A-1', 'A-2', 'B', 'B-1', 'ü'),
		amount: fc.constantFrom('100', '200.5'),
		item: fc.constantFrom('Rent', 'Rent A-1', 'Rent B'),
		email: fc.constantFrom(undefined, 'a@example.com', 'b@example.com'),
		taken: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(row, {
				maxLength: 8,
				selector: ({ order, amount, item, email }) =>
					order === null ? JSON.stringify([amount, item, email]) : order,
			}),
			fc.constantFrom('whole', 'noUrl', 'noQuery'),
			fc.infiniteStream(fc.nat()),
			async (rows, form, random) => {
				const links = rows.map(({ order, amount, item, email }, index) =>
					sent({
						orderReference: order,
						mark: mark(order, amount, String(index)),
						params: { amount, item_name: item, ...(email ? { email } : {}) },
					}),
				);
				const entries = links.flatMap((link, index) => {
					if (!rows[index]!.taken) return [];
					const { callback_url: url, ...rest } = link.params;
					if (form === 'whole') return [{ ...rest, callback_url: url, of: index }];
					return [
						form === 'noUrl'
							? { ...rest, of: index }
							: { ...rest, callback_url: String(url).split('?')[0], of: index },
					];
				});
				entries.sort(() => (random.next().value! % 2 === 0 ? 1 : -1));
				const matches = await match(entries, ...links);
				matches.forEach(({ entry }, index) => {
					if (entry) expect(entry.of).toBe(index);
					if (form === 'whole') expect(entry !== null).toBe(rows[index]!.taken);
				});
			},
		),
		{ numRuns: 10_000 },
	);
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
