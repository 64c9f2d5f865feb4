import type { Country } from '../../countries/data';
import { COUNTRY_TABLES, countriesOf, decimalsOf, type CountryTable } from '../../countries/lookup';
import { bad, good, propertiesOf, readFields, type Field } from '../../fields/field';
import { limitIn, limitProperties } from '../../fields/limit';
import { chosenOutput, outputProperties } from '../../fields/simplify';
import type { Json } from '../../protocol/parse';
import type { ReadOperation } from '../../rows/operation';

const tableField: Field<CountryTable> = {
	property: {
		displayName: 'Table',
		name: 'table',
		type: 'options',
		options: [
			{ name: 'Collections', value: 'collections', description: 'Where collections can be made' },
			{ name: 'Payment Links', value: 'paymentLinks', description: 'Where links can be paid' },
		],
		default: 'paymentLinks',
		description: 'Which list to return: where links can be paid, or where collections can be made',
	},
	read(given) {
		const table = COUNTRY_TABLES.find((each) => each === given);
		return table === undefined
			? bad('which is not a table', `Choose ${COUNTRY_TABLES.join(' or ')}.`)
			: good(table);
	},
};

const FIELDS = { table: tableField };

function row(country: Country, table: CountryTable): Json {
	const { methodTypes, operators } = country[table] ?? country.paymentLinks;
	const shared = {
		country_id: country.id,
		country: country.name,
		iso2: country.iso2,
		iso3: country.iso3,
		dial_code: country.dialCode,
		currency: country.currency,
		decimals: decimalsOf(country.currency),
		payment_method_types: methodTypes,
		operators,
	};
	if (table === 'paymentLinks' || !country.collections) return shared;
	const { supported, twoDecimals } = country.collections;
	return { ...shared, supported, two_decimals: twoDecimals };
}

/** With the collections' own two, there are more than ten. */
const ROW_FIELDS: ReadonlyArray<[name: string, label: string]> = [
	['country', 'Country'],
	['currency', 'Currency'],
	['decimals', 'Decimals'],
	['dial_code', 'Dial Code'],
	['iso2', 'ISO Code (2 Letters)'],
	['iso3', 'ISO Code (3 Letters)'],
	['operators', 'Operators'],
	['payment_method_types', 'Payment Method Types'],
	['supported', 'Supported'],
	['two_decimals', 'Two Decimals'],
];

/** One of the two ISO codes is enough to know a country by. */
const simplified = (record: Json): Json =>
	Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'iso3'));

export const getAll: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many countries',
		description: 'List where payments can be taken, with currencies and methods. Sends nothing.',
	},

	properties: [
		...propertiesOf(FIELDS),
		...limitProperties,
		...outputProperties({
			fields: ROW_FIELDS,
			chosen: ['country', 'currency', 'supported'],
			of: 'the country',
			show: { table: ['collections'] },
		}),
	],

	async run(raw) {
		const { table } = readFields(FIELDS, raw);
		const rows = countriesOf(table)
			.slice(0, limitIn(raw))
			.map((country) => row(country, table));
		if (table === 'paymentLinks') return rows;
		return rows.map((each) => chosenOutput(raw, each, 'country_id', simplified));
	},
};
