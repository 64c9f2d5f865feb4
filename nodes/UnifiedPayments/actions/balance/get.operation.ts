import { z } from 'zod';

import { COUNTRIES } from '../../countries/data';
import { readOptionsField } from '../../descriptions/options';
import { check } from '../../fields/inputError';
import * as field from '../../fields/text';
import { entriesOf } from '../../output/entries';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { ReadOperation } from '../operation';
import { withoutBlanks } from '../prepare';
import { unreadable } from '../unreadable';

const NAME = 'the balance';

const schema = z.object({
	walletAccount: field.optionalInteger,
	currency: field.currency,
});

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get balance',
		description: 'Read what the wallets of the account hold',
	},

	properties: [
		{
			displayName: 'Wallet Account',
			name: 'walletAccount',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1001',
			description: 'Number of one wallet. Empty means every wallet.',
		},
		{
			displayName: 'Currency',
			name: 'currency',
			type: 'options',
			options: [
				{ name: 'All Currencies', value: '' },
				...[...new Set(COUNTRIES.map((country) => country.currency))]
					.sort()
					.map((code) => ({ name: code, value: code })),
			],
			default: '',
			description: 'Only wallets of this currency',
		},
		readOptionsField,
	],

	async run(raw, options, client) {
		const { walletAccount, currency } = check(schema, raw);
		const params = withoutBlanks({
			wallet_account: walletAccount,
			currency: currency === 'auto' ? undefined : currency,
		});
		const reply = await client.query(ENDPOINTS.balance, params, options, NAME);
		return entriesOf(reply) ?? unreadable(reply, NAME);
	},
};
