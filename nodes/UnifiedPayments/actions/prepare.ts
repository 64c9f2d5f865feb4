import { decimalsOf, type Country } from '../countries/data';
import { checkDecimals } from '../fields/amount';
import { bad, good, type Read } from '../fields/read';
import type { Json } from './operation';

/** An empty optional field is left out, never sent as "" or null. */
export const withoutBlanks = (params: Json): Json =>
	Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

/** The callback URL with the user's own secret, by which the trigger knows a real callback. */
export function withToken(url: string, token: string | null): string {
	if (token === null) return url;
	const [address] = url.split('#') as [string];
	const joint = address.includes('?') ? '&' : '?';
	const fragment = url.slice(address.length);
	return `${address}${joint}token=${encodeURIComponent(token)}${fragment}`;
}

/** The amount as an exact decimal text that its currency can carry. */
export const amountIn = (amount: string, currency: string): Read<string> =>
	checkDecimals(amount, currency, decimalsOf(currency));

/** `auto` is the country's own. */
export const currencyIn = (given: string, country: Country): string =>
	given === 'auto' ? country.currency : given;

export function ownCurrency(given: string, country: Country): Read<string> {
	const code = currencyIn(given, country);
	return code === country.currency
		? good(code)
		: bad(
				`but ${country.name} collects in ${country.currency}`,
				`Choose ${country.currency} or 'Automatic'.`,
			);
}
