import type { Client } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { executionIn } from '../../../nodes/UnifiedPayments/waiting/address.ts';
import { listedReferences } from '../../../nodes/UnifiedPayments/waiting/listed.ts';

const OPTIONS = { timeoutSeconds: 1, maxRetries: 0 };
const keyOf = (row: number) => `upi=${row}&upo=1A-${row}.1000KES.AAAAAAAAAAAAAAAA`;
const urlOf = (row: number) =>
	`https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&${keyOf(row)}`;

/** What is found in a list with this in it. */
async function found(data: unknown) {
	const asked: unknown[] = [];
	const client = {
		list: async (...given: unknown[]) => {
			asked.push(given);
			return { success: true, message: null, data };
		},
	} as unknown as Client;
	const references = await listedReferences(client, OPTIONS);
	expect(asked).toEqual([['/api/payment-link-api/list', OPTIONS, 'the payment links']]);
	return Object.fromEntries(references);
}

describe('what the service calls links, by its list', () => {
	it('is the reference of the entry that carries the payment, wherever it stands in it', async () => {
		expect(
			await found([
				{ reference: 'PL-1', callback_url: urlOf(1) },
				{ reference: 'PL-2', request: { callback: [urlOf(2)] } },
				{ reference: 'PL-3', callback_url: 'https://shop.example.com/callback' },
			]),
		).toEqual({ [keyOf(1)]: 'PL-1', [keyOf(2)]: 'PL-2' });
	});

	it('is not guessed when two entries carry the same payment', async () => {
		expect(
			await found([
				{ reference: 'PL-1', callback_url: urlOf(1) },
				{ reference: 'PL-9', callback_url: urlOf(1) },
				{ reference: 'PL-2', callback_url: urlOf(2) },
			]),
		).toEqual({ [keyOf(2)]: 'PL-2' });
	});

	it('is unknown when the entry has no name', async () => {
		expect(await found([{ callback_url: urlOf(1) }])).toEqual({});
	});

	it.each([[[]], [{}], ['none'], [null]])('is unknown in %j', async (data) => {
		expect(await found(data)).toEqual({});
	});
});

it.each([
	['https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upi=1'],
	['https://n8n.example.com/webhook-waiting/17/unified-payments#a?b'],
	['https://n8n.example.com/webhook-waiting/17/unified-payments?a\nb'],
	['https://n8n.example.com/webhook-waiting/17/unified-payments'],
])('the execution in %s is its address alone', (url) => {
	expect(executionIn(url)).toBe('https://n8n.example.com/webhook-waiting/17/unified-payments');
});
