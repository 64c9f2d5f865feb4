import { linkInEntry } from '../../../nodes/UnifiedPayments/protocol/linkEntry.ts';

const PAGE = 'https://pay.example/p/1';

it.each([
	...['link', 'url', 'payment_link', 'paymentUrl', 'Pay Link', 'pay-url', 'checkout_url'],
	...['checkoutLink', 'link_url', 'short_url', 'shortLink', 'hosted_url', 'paymentPage', 'URL'],
])('the address of the page is called "%s"', (name) => {
	expect(linkInEntry({ id: 7, [name]: PAGE })).toBe(PAGE);
});

it.each(['http://pay.example/p/1', 'HTTPS://pay.example/p/1'])('"%s" is an address', (link) => {
	expect(linkInEntry({ link })).toBe(link);
});

it.each([
	['another name', { homepage: PAGE }],
	['no text', { link: 7 }],
	['no text, however it looks', { link: [PAGE] }],
	['no address', { link: 'P-1' }],
	['an address within a text', { link: `see ${PAGE}` }],
	['nothing at all', {}],
])('%s is no link', (_, entry) => {
	expect(linkInEntry(entry)).toBeNull();
});

it.each(['callback', 'webhook', 'notification', 'redirect', 'return', 'cancel', 'logo', 'image'])(
	'an address of the %s is none of the page',
	(name) => {
		expect(linkInEntry({ [name]: { url: PAGE } })).toBeNull();
		expect(
			linkInEntry({ link: PAGE, [`${name.toUpperCase()}S`]: { url: 'https://shop.example' } }),
		).toBe(PAGE);
	},
);

it('the same address twice is one, and two are none: nobody guesses', () => {
	expect(linkInEntry({ link: PAGE, url: PAGE })).toBe(PAGE);
	expect(linkInEntry({ link: PAGE, url: `${PAGE}2` })).toBeNull();
});

it('is found in what an entry holds, and in what that holds, but no deeper', () => {
	expect(linkInEntry({ data: { link: PAGE } })).toBe(PAGE);
	expect(linkInEntry({ data: { payment: { link: PAGE } } })).toBe(PAGE);
	expect(linkInEntry({ data: { payment: { page: { link: PAGE } } } })).toBeNull();
});
