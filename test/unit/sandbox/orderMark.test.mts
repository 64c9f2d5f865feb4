import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readOrder } from '../../../dev/sandbox/protocol/orderMark.mts';

const BASE = 'http://127.0.0.1:5680';
const SIGNER = { clientId: 'demo-client', secretKey: 'demo-secret-key' };
const HOOK = 'https://n8n.example.com/webhook/pay?token=t#part';

const account = { baseUrl: BASE, identity: { ...SIGNER, sender: 'Demo Shop' } };
const sent = (orderReference: string, keyed = false) =>
	withMark(
		HOOK,
		writeMark(
			account,
			{
				...{ kind: 'link', orderReference, amount: '1250.5', currency: 'KES' },
				...{ isOneOfSeveral: keyed, key: { key: 'key', by: 'orderReference', values: null } },
			},
			{ workflowId: 'w', nodeId: 'n' },
		),
	);
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const read = (url: string, signer = SIGNER) => readOrder(url, signer, ['http://localhost', BASE]);

it.each(['A-1', 'Örder №7 / ü', 'a b&c=d', '日本', '🙂'])(
	'reads %j as the nodes wrote it, also with a key of its own',
	(reference) => {
		const order = { reference, amount: 1250.5, currency: 'KES', genuine: true };
		expect(read(sent(reference))).toEqual(order);
		expect(read(sent(reference, true))).toEqual(order);
	},
);

it.each([
	['another key', sent('A-1'), { ...SIGNER, secretKey: 'guessed' }],
	['another client', sent('A-1'), { ...SIGNER, clientId: 'second-client' }],
	['another order', sent('A-1').replace(encoded('A-1'), encoded('A-2')), SIGNER],
	['another amount', sent('A-1').replace('125050', '125051'), SIGNER],
	['a cut code', sent('A-1').replace(/.(?=#)/, ''), SIGNER],
])('shows, but does not believe, one with %s', (_, url, signer) => {
	expect(read(url, signer)).toMatchObject({
		reference: expect.stringMatching(/^A-\d$/),
		genuine: false,
	});
});

it.each([HOOK, `${HOOK}?upo=1A.KES.aaaaaaaaaaaaaaaa`])('reads nothing from %s', (url) => {
	expect(read(url)).toBeNull();
});
