import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readOrder } from '../../../sandbox/protocol/orderMark.mts';

const BASE = 'http://127.0.0.1:5680';
const SIGNER = { clientId: 'demo-client', secretKey: 'demo-secret-key' };
const HOOK = 'https://n8n.example.com/webhook/pay?token=t#part';

const account = { baseUrl: BASE, identity: { ...SIGNER, sender: 'Demo Shop' } };
const sent = (orderReference: string, keyed = false) =>
	withMark(
		HOOK,
		writeMark(
			account,
			{ orderReference, amount: '1250.5', currency: 'KES' },
			{ key: 'key', by: keyed ? 'duplicateKey' : 'orderReference' },
			{ workflowId: 'w', nodeId: 'n' },
		),
	);
const read = (url: string, signer = SIGNER, baseUrls = [BASE]) => readOrder(url, signer, baseUrls);

it.each(['A-1', 'Örder №7 / ü', 'a b&c=d', '日本', '🙂'])(
	'reads %j as the nodes wrote it, also with a key of its own',
	(reference) => {
		const order = { reference, amount: 1250.5, currency: 'KES', genuine: true };
		expect(read(sent(reference))).toEqual(order);
		expect(read(sent(reference, true))).toEqual(order);
	},
);

it('is genuine for any of the addresses of the service, and no other', () => {
	const other = 'http://localhost:5680';
	expect(read(sent('A-1'), SIGNER, [other, BASE])?.genuine).toBe(true);
	expect(read(sent('A-1'), SIGNER, [other])?.genuine).toBe(false);
});

it.each([
	['another key', sent('A-1'), { ...SIGNER, secretKey: 'guessed' }],
	['another client', sent('A-1'), { ...SIGNER, clientId: 'second-client' }],
	['another order', sent('A-1').replace('1A-1', '1A-2'), SIGNER],
	['another amount', sent('A-1').replace('125050', '125051'), SIGNER],
	['a cut code', sent('A-1').replace(/.(?=#)/, ''), SIGNER],
])('shows, but does not believe, one with %s', (_, url, signer) => {
	expect(read(url, signer)).toMatchObject({
		reference: expect.stringMatching(/^A-\d$/),
		genuine: false,
	});
});

it.each([
	['none', HOOK],
	['one behind the #', 'https://shop.example/#?upo=1A.100KES.aaaaaaaaaaaaaaaa'],
	['two', `${sent('A-1').replace('#part', '')}&upo=1A.100KES.aaaaaaaaaaaaaaaa`],
	['another kind', sent('A-1').replace('upo=1', 'upo=5')],
	['a key and no order', sent('A-1').replace('upo=1A-1', 'upo=3abcdef')],
	['no order', 'https://shop.example/?upo=1.100KES.aaaaaaaaaaaaaaaa'],
	['no amount', 'https://shop.example/?upo=1A.KES.aaaaaaaaaaaaaaaa'],
	['one part more', `${sent('A-1').replace('#part', '')}.x`],
])('reads nothing from a URL with %s', (_, url) => {
	expect(read(url)).toBeNull();
});
