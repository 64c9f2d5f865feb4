import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { currenciesOf, findCountry } from '../countries/lookup';

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
