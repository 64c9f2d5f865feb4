import { callbackUrlField } from '../../fields/callbackUrl';
import { propertiesOf, readFields } from '../../fields/field';
import { readOptionsField } from '../../fields/optionGroups';
import { flagOption } from '../../fields/optionKinds';
import type { Credential } from '../../protocol/credential';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { Json } from '../../protocol/parse';
import { entriesOf } from '../../protocol/reply';
import { NOT_AS_TOOL, type ReadOperation } from '../../rows/operation';
import type { Client } from '../../transport/client';
import { ofList, ofSignature, ofToken } from './access';
import { asked } from './finding';
import {
	makeLink,
	ofCallbackUrl,
	ofCreate,
	ofLink,
	ofOwnOrder,
	ofReference,
	ofStates,
	recordsOf,
	saidOfLinks,
	type OwnLink,
} from './followed';

const FIELDS = {
	findSignature: flagOption(
		{
			displayName: 'Find Signature',
			name: 'findSignature',
			description:
				'Whether to look for the signature that the service accepts, if it refuses this one. Asks for the balance up to 60 times, one after another.',
		},
		false,
	),
	tryWithLink: flagOption(
		{
			displayName: 'Try With a Link',
			name: 'tryWithLink',
			description:
				'Whether to create one payment link of the smallest amount, in the name of the sender, and to follow it through the reply and the list. Nobody is charged unless it is paid.',
		},
		false,
	),
	callbackUrl: {
		...callbackUrlField,
		property: {
			...callbackUrlField.property,
			displayOptions: { show: { tryWithLink: [true] } },
			hint: 'URL of a trigger. Without one, the link calls nobody.',
		},
	},
};

/** By what n8n reads anew for each run: one link for all items of a run. */
const madeWith = new WeakMap<Credential, Promise<OwnLink>>();

async function onceFor(client: Client, make: () => Promise<OwnLink>): Promise<OwnLink> {
	const credential = await client.credential();
	const made = madeWith.get(credential) ?? make();
	madeWith.set(credential, made);
	return await made;
}

export const diagnose: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Diagnose',
		value: 'diagnose',
		action: 'Diagnose account',
		description:
			"Find out how the service behaves where its documentation does not say, and what to enter in the credential. Changes nothing without 'Try With a Link'.",
		...NOT_AS_TOOL,
	},

	properties: [...propertiesOf(FIELDS), readOptionsField],

	async run(raw, options, client) {
		const { findSignature, tryWithLink, callbackUrl } = readFields(FIELDS, raw);
		const account = await client.credential();
		const token = await asked(client.token(options));
		const balance = await asked(client.query(ENDPOINTS.balance, {}, options, 'the balance'));
		const signature = await ofSignature(token, balance, client, options, findSignature);
		const own = tryWithLink
			? await onceFor(client, async () => await makeLink(balance, callbackUrl, options, client))
			: null;
		const list = await asked(client.list(ENDPOINTS.listPaymentLinks, options, 'the links'));
		const entries = 'value' in list ? (entriesOf(list.value) ?? []) : [];
		const links = saidOfLinks(own, entries);
		const { records, field } = await recordsOf(links, options, client);
		return [
			ofToken(token),
			signature,
			await ofList(token, list, client),
			...(own === null ? [] : [ofCreate(own)]),
			ofReference(own, links, field, account),
			ofLink(own, links, account),
			ofCallbackUrl(own, entries, account),
			ofStates(records, account),
			await ofOwnOrder(records, options, client),
		].map((each): Json => ({ ...each }));
	},
};
