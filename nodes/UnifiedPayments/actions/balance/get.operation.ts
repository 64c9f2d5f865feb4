import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { CURRENCIES } from '../../countries/lookup';
import { and, good, propertiesOf, readFields, withoutBlanks, type Field } from '../../fields/field';
import { locatorProperty, pageOf } from '../../fields/locator';
import { readOptionsField } from '../../fields/optionGroups';
import { readInteger, readText } from '../../fields/text';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { Json } from '../../protocol/parse';
import { entriesOf } from '../../protocol/reply';
import type { CallOptions, Client, Params } from '../../transport/client';
import { askFromEditor } from '../../transport/editor';
import { NotFoundError, withoutData } from '../../transport/errors';
import type { ReadOperation } from '../../rows/operation';

const NAME = 'the balance';

const walletAccountField: Field<number | undefined> = {
	property: locatorProperty(
		'searchWallets',
		{
			displayName: 'Wallet Account',
			name: 'walletAccount',
			description: 'Which wallet to return. Empty means every wallet.',
			builderHint: {
				propertyHint: "Leave it empty for all wallets. Use mode 'id' with a whole number for one.",
			},
		},
		[{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 1001' }],
	),
	blank: { value: undefined },
	read: readInteger,
};

/** The specification takes any text; codes of its tables are written as they are there. */
const walletCurrencyField: Field<string | undefined> = {
	property: {
		displayName: 'Currency',
		name: 'currency',
		type: 'options',
		options: [
			{ name: 'All Currencies', value: '' },
			...[...CURRENCIES].sort().map((code) => ({ name: code, value: code })),
		],
		default: '',
		allowArbitraryValues: true,
		description: 'Only wallets of this currency. An expression may give any other code.',
	},
	blank: { value: undefined },
	read: (given) =>
		and(readText(given), (text) => {
			const code = text.trim();
			if (code === 'auto') return good(undefined);
			return good(CURRENCIES.find((each) => each === code.toUpperCase()) ?? code);
		}),
};

const FIELDS = { walletAccount: walletAccountField, currency: walletCurrencyField };

async function balances(client: Client, params: Params, options: CallOptions): Promise<Json[]> {
	const reply = await client.query(ENDPOINTS.balance, params, options, NAME);
	const entries = entriesOf(reply);
	if (entries === null) throw withoutData(reply, NAME);
	return entries;
}

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get wallet balance',
		description: 'Read what the wallets of the account hold',
	},

	properties: [...propertiesOf(FIELDS), readOptionsField],

	async run(raw, options, client) {
		const { walletAccount, currency } = readFields(FIELDS, raw);
		return await balances(
			client,
			withoutBlanks({ wallet_account: walletAccount, currency }),
			options,
		);
	},
};

/** A wallet by the number that a request names it by, if its entry states that. */
function toChoice({ wallet_account: wallet, currency }: Json): INodeListSearchItems[] {
	if (typeof wallet !== 'number' && typeof wallet !== 'string') return [];
	const name = typeof currency === 'string' ? `${wallet} (${currency})` : String(wallet);
	return [{ name, value: wallet }];
}

export async function searchWallets(
	this: ILoadOptionsFunctions,
	typed?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const choices = await askFromEditor(this, async (client, options) => {
		const entries = await balances(client, {}, options);
		const offered = entries.flatMap(toChoice);
		if (offered.length > 0 || entries.length === 0) return offered;
		throw new NotFoundError(
			'The service lists its wallets without numbers',
			"Choose 'By ID' and give the number of the wallet, or leave it empty for every wallet.",
		);
	});
	return pageOf(choices, typed, token);
}
