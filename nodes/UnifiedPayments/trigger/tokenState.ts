import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	NodeExecutionHint,
} from 'n8n-workflow';

import { choiceProperty } from '../fields/field';
import { CREDENTIAL_NAME, SHORTEST_TOKEN, type Credential } from '../protocol/credential';

/** Empty, so that no workflow saves anything of it. */
const STATE = '';

/**
 * A list with a single entry, which says whether the chosen credential has a token. A notice cannot
 * say so: n8n decides by the parameters alone whether it shows one.
 */
export const tokenStateProperty = choiceProperty([STATE], {
	displayName: 'Callback Token',
	name: 'callbackTokenState',
	noDataExpression: true,
	typeOptions: { loadOptionsMethod: 'getTokenState' },
	description:
		"Whether the chosen credential has a 'Callback Token'. Nothing to choose here: it is set in the credential.",
});

const SAYS = {
	set: {
		name: 'Set in This Credential: Strangers Are Refused',
		description:
			'Callbacks without the token are refused. The Unified Payments node adds it to each callback URL that it sends.',
	},
	missing: {
		name: 'None in This Credential: Strangers Can Call',
		description:
			"Whoever finds the URL can call it. Fill in 'Callback Token' of the credential before you send payments: callbacks to addresses that were sent without it are refused from then on.",
	},
	tooShort: {
		name: 'Too Short in This Credential: Nothing Is Accepted',
		description: `Give 'Callback Token' of the credential at least ${SHORTEST_TOKEN} characters, and send new payments with it`,
	},
	unknown: {
		name: 'Choose a Credential to See',
		description: 'The credential is not chosen, or holds expressions that are read with each run',
	},
} as const;

/** Asked by the editor when the panel opens, and when another credential is chosen. */
export async function getTokenState(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const says = await this.getCredentials(CREDENTIAL_NAME).then(
		({ callbackToken }) => stateOf(callbackToken),
		() => 'unknown' as const,
	);
	return [{ ...SAYS[says], value: STATE }];
}

function stateOf(token: unknown): keyof typeof SAYS {
	if (typeof token !== 'string' || token === '') return 'missing';
	return token.length < SHORTEST_TOKEN ? 'tooShort' : 'set';
}

const NO_TOKEN: NodeExecutionHint = {
	message:
		"This credential has no 'Callback Token', so strangers who find the URL can start this workflow too. What comes out of 'Callback' is still checked as 'Verification' says. Fill in the token in the credential before you send more payments. From then on, payments that you sent without it no longer start this workflow.",
	type: 'warning',
	location: 'outputPane',
};

/** Told with the result of a run, in which the credential is at hand anyway. */
export function tellIfWithoutToken(
	context: Pick<IExecuteFunctions, 'addExecutionHints'>,
	{ callbackToken }: Pick<Credential, 'callbackToken'>,
): void {
	if (callbackToken === null) context.addExecutionHints(NO_TOKEN);
}
