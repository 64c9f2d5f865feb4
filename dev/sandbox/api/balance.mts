import { z } from 'zod';
import { signedEndpoint } from './endpoint.mts';
import { text } from './fields.mts';

/** The specification does not say which are required. Here none is, and each narrows the list. */
const params = z
	.object({ wallet_account: z.number().int().optional(), currency: text.optional() })
	.strict();

export const getBalance = signedEndpoint({
	name: 'balance',
	path: '/api/v3/get-unified-balance',
	operation: 'balance',
	params,
	badParams: 'verification',
	// In the samples of this endpoint `success` is a string, and an error has `data` too.
	refusalBody: (message) => ({ success: 'false', message, data: [] }),
	run(params, integration, { store }) {
		const entries = store.wallets
			.of(integration.id)
			.filter(
				({ wallet_account, currency }) =>
					wallet_account === (params.wallet_account ?? wallet_account) &&
					currency === (params.currency ?? currency),
			)
			.map(({ wallet_account, currency, balance }) => ({ wallet_account, currency, balance }));
		return {
			status: 200,
			body: { success: 'true', message: 'Balance found.', data: entries },
		};
	},
});
