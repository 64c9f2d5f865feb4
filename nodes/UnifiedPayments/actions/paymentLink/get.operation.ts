import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { and, good, propertiesOf, readFields, type Field } from '../../fields/field';
import { locatorProperty, pageOf } from '../../fields/locator';
import { readOptionsField } from '../../fields/optionGroups';
import { readText } from '../../fields/text';
import { linkIn } from '../../payment/link';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { Json } from '../../protocol/parse';
import { entriesOf, referenceIn, type FieldNames } from '../../protocol/reply';
import type { CallOptions, Client } from '../../transport/client';
import { askFromEditor } from '../../transport/editor';
import { NotFoundError, withoutData } from '../../transport/errors';
import type { ReadOperation } from '../../rows/operation';

const paymentLinkField: Field<string> = {
	property: locatorProperty(
		'searchPaymentLinks',
		{
			displayName: 'Payment Link',
			name: 'paymentLink',
			required: true,
			description: 'Which link to return: one of the list, or by its reference or web address',
			builderHint: {
				propertyHint:
					"Use mode 'id' with the `reference`, or mode 'url' with the `link`, that 'Create' gave for the row.",
			},
		},
		[
			{
				displayName: 'By ID',
				name: 'id',
				placeholder: 'e.g. PL-0001',
				hint: "The 'reference' that 'Create' gives",
			},
			{
				displayName: 'By URL',
				name: 'url',
				placeholder: 'e.g. https://pay.example.com/PL-0001',
				hint: "The 'link' that 'Create' gives",
			},
		],
	),
	read: (given) => and(readText(given), (text) => good(text.trim())),
};

const FIELDS = { paymentLink: paymentLinkField };

/** The service has no request for a single link, so it is taken from the list of all. */
export async function listLinks(
	client: Client,
	options: CallOptions,
	name = 'the payment link',
): Promise<Json[]> {
	const reply = await client.list(ENDPOINTS.listPaymentLinks, options, name);
	const entries = entriesOf(reply);
	if (entries === null) throw withoutData(reply, name);
	return entries;
}

const isCalled = (entry: Json, name: string, names: FieldNames): boolean =>
	linkIn(entry, names) === name || referenceIn(entry, names) === name;

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get payment link',
		description: 'Find a single link in the list of those that were created under this account',
	},

	properties: [...propertiesOf(FIELDS), readOptionsField],

	async run(raw, options, client) {
		const { paymentLink: name } = readFields(FIELDS, raw);
		const account = await client.credential();
		const [found, another] = (await listLinks(client, options)).filter((each) =>
			isCalled(each, name, account),
		);
		if (found === undefined) {
			throw new NotFoundError(
				`No payment link in the list is called "${name}"`,
				"'Get Many' shows what the list states. What names a link there is set by 'Reference Fields' and 'Link Fields' of the credential.",
			);
		}
		if (another !== undefined) {
			throw new NotFoundError(
				`Several payment links in the list are called "${name}"`,
				"Give the web address of the link, 'By URL', if the list states one.",
			);
		}
		return [found];
	},
};

/** What the editor offers. The specification does not name the fields of an entry. */
function toChoice(entry: Json, names: FieldNames): INodeListSearchItems[] {
	const link = linkIn(entry, names);
	const value = referenceIn(entry, names) ?? link;
	if (value === null) return [];
	const { item_name: item, amount, currency } = entry;
	const told = [item ?? value, amount === undefined ? '' : `${amount} ${currency ?? ''}`];
	const name = told
		.map((each) => String(each).trim())
		.filter((each) => each !== '')
		.join(' – ');
	return [{ name, value, ...(link !== null && { url: link }) }];
}

export async function searchPaymentLinks(
	this: ILoadOptionsFunctions,
	typed?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const choices = await askFromEditor(this, async (client, options) => {
		const entries = await listLinks(client, options);
		const account = await client.credential();
		const offered = entries.flatMap((each) => toChoice(each, account));
		if (offered.length > 0 || entries.length === 0) return offered;
		throw new NotFoundError(
			'The service lists its links without a reference or an address that is known',
			"'Get Many' shows the names of their fields: enter them in 'Reference Fields' and 'Link Fields' of the credential.",
		);
	});
	return pageOf(choices, typed, token);
}
