import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { loadOptions } from '../../../dev/host/engine/index.mts';
import { handled, post, recordOf, TOKEN, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());

/** What the panel of the trigger shows for a credential. */
const shown = async (credential: ICredentialDataDecryptedObject | null) => {
	const [only, ...more] = await loadOptions(new UnifiedPaymentsTrigger(), 'getTokenState', {
		credentials: credential === null ? {} : { unifiedPaymentsApi: world.credential(credential) },
		credentialTypes: [new UnifiedPaymentsApi()],
	});
	expect(more).toEqual([]);
	return only!;
};

describe('the panel of the trigger says whether this credential has a callback token', () => {
	it.each([
		['with a token', { callbackToken: TOKEN }, /^Set in This Credential/],
		['with one that is too short', { callbackToken: 'a'.repeat(15) }, /^Too Short/],
		['without one', { callbackToken: '' }, /^None in This Credential/],
		['that is not chosen', null, /^Choose a Credential/],
	])('a credential %s', async (_, credential, words) => {
		const { name, value } = await shown(credential);
		expect(name).toMatch(words);
		// What is not chosen by anybody is saved in no workflow.
		expect(value).toBe('');
		expect(name).not.toContain(TOKEN);
	});
});

describe('a run says so, too', () => {
	const hintsOf = async (credential: ICredentialDataDecryptedObject, verification: string) => {
		const host = await world.serve({ verification }, { credential: world.credential(credential) });
		const paid = await world.collect({ amount: 700 });
		world.sandbox.settle(paid.ref, 'success');
		const run = await handled(host, recordOf(paid, { status: 'success' }));
		return run.hints('Node').map(({ message }) => message);
	};

	it('without a token', async () => {
		const [hint] = await hintsOf({ callbackToken: '' }, 'confirm');
		expect(hint).toMatch(/^This credential has no 'Callback Token'/);
	});

	it('but not with one, nor where nobody is to be believed by it', async () => {
		expect(await hintsOf({}, 'confirm')).toEqual([]);
		expect(await hintsOf({ callbackToken: '' }, 'none')).toEqual([]);
	});
});

it('a refused callback is a line of the log that says which, where and why by itself', async () => {
	const host = await world.serve();
	await post(host.url, { ref: 'TX-1' }, { token: 'wrong' });
	const lines = host.log.map(({ message }) => message);
	expect(lines).toEqual([
		expect.stringMatching(/refused a callback to "Node" from [\d.:a-f]+: invalid_token$/),
	]);
});
