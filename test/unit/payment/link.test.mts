import { linkIn, linkOf } from '../../../nodes/UnifiedPayments/payment/link.ts';
import { readReply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';

const NAMES = { referenceFields: [], linkFields: ['link', 'page.url', 'url'] };
const NO_NAMES = { referenceFields: [], linkFields: [] };

describe('the link', () => {
	it.each<[unknown, string | null]>([
		[{ link: ' https://a.example/1 ' }, 'https://a.example/1'],
		[{ page: { url: 'HTTP://a.example' } }, 'HTTP://a.example'],
		[{ link: 'none', url: 'https://a.example/1' }, 'https://a.example/1'],
		[{ payment_link: 'https://a.example/1' }, null],
		[{ link: 'see https://a.example' }, null],
		[{ link: 'javascript:alert(1)' }, null],
		[{ link: 7 }, null],
		[{}, null],
		[null, null],
	])('in %j is %j', (place, expected) => {
		expect(linkIn(place, NAMES)).toBe(expected);
		expect(linkOf(readReply({ data: place }), NAMES)).toBe(expected);
		expect(linkIn(place, NO_NAMES)).toBeNull();
	});

	it.each(['callback_url', 'redirection_url'])('is not the %s that was sent', (name) => {
		const sent = { [name]: 'https://n8n.example/h?token=x&upo=1 ' };
		for (const link of ['https://n8n.example/h?upo=1&token=***', 'https://n8n.example/h']) {
			const entry = { link, url: 'https://a.example/1' };
			expect(linkIn(entry, NAMES, sent)).toBe('https://a.example/1');
			expect(linkOf(readReply({ data: entry }), NAMES, sent)).toBe('https://a.example/1');
			expect(linkIn({ ...entry, ...sent }, NAMES)).toBe('https://a.example/1');
		}
	});

	it.each(['https://n8n.example/h?upo=1', 'https://n8n.example/h?a=1&upo[]=1#x'])(
		'is no address with a mark: %s',
		(link) => {
			expect(linkIn({ link }, NAMES)).toBeNull();
			expect(linkOf(readReply({ link }), NAMES)).toBeNull();
		},
	);

	it.each([
		// The page may be told where the service calls back.
		'https://a.example/1?to=https%3A%2F%2Fn8n.example%2Fh%3Fupo%3D1',
		'https://a.example/upo=1',
		'https://a.example/1?group=1',
	])('may be %s', (link) => {
		expect(linkIn({ link }, NAMES)).toBe(link);
	});
});
