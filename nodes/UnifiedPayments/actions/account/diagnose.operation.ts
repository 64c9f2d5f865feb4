import { callbackUrlField } from '../../fields/callbackUrl';
import { additionalFields } from '../../fields/columns';
import { propertiesOf, readFields } from '../../fields/field';
import { readOptionsField } from '../../fields/optionGroups';
import { flagOption } from '../../fields/optionKinds';
import type { Credential } from '../../protocol/credential';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { Json } from '../../protocol/parse';
import { entriesOf } from '../../protocol/reply';
import { NOT_AS_TOOL, type ReadOperation } from '../../rows/operation';
import type { Client } from '../../transport/client';
import { ofList, ofSignature, ofToken } from './diagnose/access';
import { callbackField, confirmedBody, ofCallback } from './diagnose/callback';
import { asked } from './diagnose/finding';
import { makeLink, ofCallbackUrl, ofEntries, ofOwnCallback, ofReply } from './diagnose/links';
import { ofNumbers, ofOwnReference, ofStates, recordsOf } from './diagnose/payments';

const FIELDS = {
	findSignature: flagOption(
		{
			displayName: 'Find Signature',
			name: 'findSignature',
			description:
				'Whether to look for the way in which the service wants to be signed to, if it refuses this one. Asks for the balance up to 60 times, one after another.',
		},
		false,
	),
	tryWithLink: flagOption(
		{
			displayName: 'Try With a Link',
			name: 'tryWithLink',
			description:
				'Whether to create one payment link of the smallest amount, in the name of the sender, and to look for it in the list. Nobody is charged unless the link is paid.',
		},
		false,
	),
};

/** The way of a payment back to n8n, which needs a trigger. */
const ADDITIONAL = {
	callback: callbackField,
	callbackUrl: {
		...callbackUrlField,
		property: {
			...callbackUrlField.property,
			hint: "Used with 'Try With a Link': URL of a trigger. Pay the link to see what the service sends to it.",
		},
	},
};

type Made = Awaited<ReturnType<typeof makeLink>>;

/** By what n8n reads anew for each run: one link for all items of a run. */
const madeWith = new WeakMap<Credential, Promise<Made>>();

async function onceFor(client: Client, make: () => Promise<Made>): Promise<Made> {
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
			"Find out how the service behaves where its documentation does not say. Changes nothing without 'Try With a Link'.",
		...NOT_AS_TOOL,
	},

	properties: [...propertiesOf(FIELDS), additionalFields(ADDITIONAL), readOptionsField],

	async run(raw, options, client) {
		const { findSignature, tryWithLink, callbackUrl, callback } = readFields(
			{ ...FIELDS, ...ADDITIONAL },
			raw,
		);
		const account = await client.credential();
		const token = await asked(client.token(options));
		const balance = await asked(client.query(ENDPOINTS.balance, {}, options, 'the balance'));
		const own = tryWithLink
			? await onceFor(client, async () => await makeLink(balance, callbackUrl, options, client))
			: null;
		const list = await asked(client.list(ENDPOINTS.listPaymentLinks, options, 'the links'));
		const entries = 'value' in list ? (entriesOf(list.value) ?? []) : [];
		const records = await recordsOf(entries, options, client);
		const payments = [...records, ...confirmedBody(callback)];
		return [
			ofToken(token),
			await ofSignature(token, balance, client, options, findSignature),
			await ofList(token, list, client),
			...(own === null ? [] : [ofReply(own, account)]),
			...ofEntries(list, entries, account),
			await ofCallbackUrl(entries, own, client),
			...(own === null ? [] : ofOwnCallback(own, entries, account)),
			...ofCallback(callback),
			await ofOwnReference(payments, options, client),
			ofStates(records, account),
			ofNumbers(balance, records),
		].map((each): Json => ({ ...each }));
	},
};
