import { z } from 'zod';
import type { Integration } from '../integrations.mts';
import { v2Record, v3Record } from '../life/records.mts';
import { orderOf, type Transaction } from '../model.mts';
import { sameText } from '../protocol/signature.mts';
import { newestFirst } from '../store/store.mts';
import type { World } from '../world.mts';
import { Refused, signedEndpoint, type Answer, type ApiRequest } from './endpoint.mts';
import { filledText } from './fields.mts';

const find = (world: World, integration: Integration, id: string): Transaction | Refused => {
	const found = world.store.transactions.get(id) ?? byOwnReference(world, integration, id);
	// Another integration's transaction is answered as if it did not exist.
	return found?.integration === integration.id
		? found
		: new Refused('transaction', `no transaction "${id}" of this integration`);
};

const byOwnReference = ({ store, switches }: World, integration: Integration, id: string) =>
	switches.statusBy === 'ownReference'
		? newestFirst(store.transactions).find(
				(each) => each.integration === integration.id && each.third_party_reference_1 === id,
			)
		: undefined;

const answer = (data: Record<string, unknown>, found: Transaction): Answer => ({
	status: 200,
	body: { success: true, message: 'Transaction found.', data },
	order: orderOf(found),
});

/** `apiKeyAuth` is only named in the specification: here a header, when the integration has a key. */
function apiKeyGuard({ headers }: ApiRequest, integration: Integration): string | null {
	if (integration.apiKey === null) return null;
	const received = headers[integration.apiKeyHeader.toLowerCase()];
	if (typeof received !== 'string') return 'missing';
	return sameText(integration.apiKey, received) ? null : 'wrong';
}

export const statusV2 = signedEndpoint({
	name: 'status.v2',
	path: '/api/v2/get-unified-transaction-status',
	operation: 'statusV2',
	params: z.object({ id: filledText }).strict(),
	badParams: 'transaction',
	guard: apiKeyGuard,
	run({ id }, integration, world) {
		const found = find(world, integration, id);
		return found instanceof Refused ? found : answer(v2Record(found, world.switches), found);
	},
});

export const statusV3 = signedEndpoint({
	name: 'status.v3',
	path: '/api/v3/get-unified-transaction-status',
	operation: 'statusV3',
	params: z.object({ id: filledText, type: z.enum(['payin', 'payout']) }).strict(),
	badParams: 'transaction',
	run({ id, type }, integration, world) {
		const found = find(world, integration, id);
		if (found instanceof Refused) return found;
		const own = found.kind === 'payout' ? 'payout' : 'payin';
		if (type !== own) return new Refused('transaction', `"${id}" is a ${own}, not a ${type}`);
		return answer(v3Record(found, world.switches), found);
	},
});
