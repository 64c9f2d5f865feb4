import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Country } from '../countries/data';
import { currenciesOf, findCountry } from '../countries/lookup';
import type { Field } from './field';
import { bad, good, type Read } from './read';
import { isBlank } from './text';

/** `auto` is the country's own currency. */
export function readCurrency(given: unknown): Read<string> {
	const code = typeof given === 'string' ? given.trim() : given;
	if (isBlank(code) || code === 'auto') return good('auto');
	const known = currenciesOf('paymentLinks');
	const upper = String(code).toUpperCase();
	return typeof code === 'string' && known.includes(upper)
		? good(upper)
		: bad('which is not a currency of this service', `Choose one of ${known.join(', ')}.`);
}

export const currencyIn = (given: string, country: Country): string =>
	given === 'auto' ? country.currency : given;

/** A collection is always in the country's own currency. */
export function ownCurrency(given: string, country: Country): Read<string> {
	const code = currencyIn(given, country);
	return code === country.currency
		? good(code)
		: bad(
				`but ${country.name} collects in ${country.currency}`,
				`Choose ${country.currency} or 'Automatic'.`,
			);
}

/** The list follows the chosen country. */
export const currencyField: Field<string> = {
	property: {
		displayName: 'Currency Name or ID',
		name: 'currency',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getCurrencies', loadOptionsDependsOn: ['country'] },
		default: 'auto',
		description:
			'Currency of the amount. Automatic takes the country\'s. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	read: readCurrency,
};

/** The currency dropdown: the country's own first; a link may use any other of the table. */
export async function getCurrencies(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const country = findCountry(this.getCurrentNodeParameter('country'));
	const forLink = this.getCurrentNodeParameter('resource') === 'paymentLink';
	const automatic = {
		name: country ? `Automatic (${country.currency})` : "Automatic (the Country's Currency)",
		value: 'auto',
	};
	const known = currenciesOf(forLink ? 'paymentLinks' : 'collections');
	const offered = forLink || !country ? known : [country.currency];
	return [automatic, ...[...offered].sort().map((code) => ({ name: code, value: code }))];
}
