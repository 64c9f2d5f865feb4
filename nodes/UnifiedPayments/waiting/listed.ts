import { ENDPOINTS } from '../protocol/endpoints';
import type { Json } from '../protocol/parse';
import { entriesOf, referenceIn } from '../protocol/reply';
import type { CallOptions, Client } from '../transport/client';
import { createYield } from '../transport/limiter';
import { paymentsInText } from './address';

/**
 * What the service calls the links that no reply named, from its list: by the payment, as it is
 * written in the callback URL. An entry that could be two links is none.
 */
export async function listedReferences(
	client: Client,
	options: CallOptions,
): Promise<Map<string, string>> {
	const reply = await client.list(ENDPOINTS.listPaymentLinks, options, 'the payment links');
	const found = new Map<string, Json[]>();
	const yieldToHost = createYield();
	for (const entry of entriesOf(reply) ?? []) {
		for (const key of paymentsInText(JSON.stringify(entry))) {
			found.set(key, [...(found.get(key) ?? []), entry]);
		}
		await yieldToHost();
	}
	const references = new Map<string, string>();
	for (const [key, entries] of found) {
		const reference = entries.length === 1 ? referenceIn({ ...reply, data: entries[0] }) : null;
		if (reference !== null) references.set(key, reference);
	}
	return references;
}
