import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import { findCountry } from '../../../nodes/UnifiedPayments/countries/lookup.ts';
import {
	countryField,
	currencyField,
	ownCurrency,
	ownCurrencyField,
} from '../../../nodes/UnifiedPayments/fields/country.ts';
import type { Field, Read } from '../../../nodes/UnifiedPayments/fields/field.ts';

/** What an advice says to choose: "Choose one of Kenya (KE, id 1), Uganda (…)." or "Choose Kenya, or …". */
const chosenIn = (advice: string): string[] =>
	[...advice.matchAll(/\bChoose (?:one of )?((?:[^.(,]+(?:\([^)]*\))?(?:, (?!or ))?)+)/g)].flatMap(
		([, list]) =>
			list!
				.split(/, (?![^(]*\))/)
				.map((each) => each.replace(/\(.*/, '').replaceAll("'", '').trim())
				.filter((each) => each !== ''),
	);

const adviceOf = (read: Read<unknown>): string => (read.ok ? '' : read.allowed);

/** Whether a collection can be made there without any option. */
const isCollected = (name: string) => findCountry(name)?.collections?.supported === true;

describe('what an advice names is not refused next', () => {
	it.each(['', 'Atlantis', 'Ghana'])('a country, for %j', (given) => {
		const named = chosenIn(adviceOf(countryField('collections').read(given)));
		expect(named).toHaveLength(5);
		expect(named.filter((name) => !isCollected(name))).toEqual([]);
	});

	it.each<[string, Field<string>, number]>([
		['a link', currencyField, 9],
		['a collection', ownCurrencyField, 1],
	])('a currency of %s', (_, field, count) => {
		const named = chosenIn(adviceOf(field.read('EUR')).replace(/:.*/, '.'));
		expect(named).toHaveLength(count);
		for (const name of named) expect(field.read(name.replace('Automatic', 'auto')).ok).toBe(true);
	});

	it('a currency of the country', () => {
		for (const country of COUNTRIES) {
			const [code] = chosenIn(adviceOf(ownCurrency('EUR', country)).replace(' or ', ', '));
			expect(ownCurrency(code!, country)).toEqual({ ok: true, value: country.currency });
		}
	});
});
