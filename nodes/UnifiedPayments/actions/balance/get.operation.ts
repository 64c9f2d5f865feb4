import { currenciesOf } from '../../countries/lookup';
import { readCurrency } from '../../fields/country';
import { propertiesOf, readFields, withoutBlanks, type Field } from '../../fields/field';
import { readOptionsField } from '../../fields/options';
import { readInteger } from '../../fields/text';
import { ENDPOINTS } from '../../protocol/endpoints';
import { entriesOf } from '../../protocol/reply';
import { withoutData } from '../../transport/errors';
import type { ReadOperation } from '../operation';

const NAME = 'the balance';

const walletAccountField: Field<number | undefined> = {
	property: {
		displayName: 'Wallet Account',
		name: 'walletAccount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1001',
		description: 'Number of one wallet. Empty means every wallet.',
	},
	blank: { value: undefined },
	read: readInteger,
};

const walletCurrencyField: Field<string> = {
	property: {
		displayName: 'Currency',
		name: 'currency',
		type: 'options',
		options: [
			{ name: 'All Currencies', value: '' },
			...[...currenciesOf('paymentLinks')].sort().map((code) => ({ name: code, value: code })),
		],
		default: '',
		description: 'Only wallets of this currency',
	},
	blank: { value: 'auto' },
	read: readCurrency,
};

const FIELDS = { walletAccount: walletAccountField, currency: walletCurrencyField };

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
		const params = withoutBlanks({
			wallet_account: walletAccount,
			currency: currency === 'auto' ? undefined : currency,
		});
		const reply = await client.query(ENDPOINTS.balance, params, options, NAME);
		const entries = entriesOf(reply);
		if (entries === null) throw withoutData(reply, NAME);
		return entries;
	},
};
