/** The wording of the "Payment method types" columns of the specification. */
type MethodType =
	'till number' | 'pay bill' | 'bank transfer' | 'send money' | 'bank' | 'mobile operator';

interface PaymentLinkTerms {
	methodTypes: readonly MethodType[];
	/** How many mobile operators the specification counts; 0 where the methods are no operators. */
	operators: number;
}

interface CollectionTerms extends PaymentLinkTerms {
	/** False where the specification's column without a header says "Not Supported". */
	supported: boolean;
	/** Who carries two decimals: every operator ("2 dp"), one of them, or nobody is named. */
	twoDecimals: 'all operators' | 'one operator' | 'not stated';
}

/** What it takes to recognise a country's mobile numbers (national numbering plans). */
interface MobilePlan {
	/** The national number without any trunk zero. */
	pattern: RegExp;
	/** True where people dial a zero first that is not part of the number. */
	trunkZero: boolean;
	/** A number as people write it at home, for hints. */
	example: string;
}

export interface Country {
	/** `country_id` on the wire. */
	id: number;
	/** As the specification spells it. */
	name: string;
	iso2: string;
	iso3: string;
	dialCode: string;
	mobile: MobilePlan;
	currency: string;
	/** Other spellings people type; case, accents and punctuation are forgiven by the lookup. */
	aliases: readonly string[];
	paymentLinks: PaymentLinkTerms;
	/** Null where the collections table has no row for the country. */
	collections: CollectionTerms | null;
}

const operators = (count: number): PaymentLinkTerms => ({
	methodTypes: ['mobile operator'],
	operators: count,
});

const collected = (
	terms: PaymentLinkTerms,
	twoDecimals: CollectionTerms['twoDecimals'] = 'not stated',
): CollectionTerms => ({ ...terms, supported: true, twoDecimals });

const notSupported = (terms: PaymentLinkTerms): CollectionTerms => ({
	...terms,
	supported: false,
	twoDecimals: 'not stated',
});

/**
 * Both country tables of the specification, joined on `country_id`, and how numbers are dialled there.
 * The one source for dropdowns, validation, the Country resource and the sandbox.
 */
export const COUNTRIES: readonly Country[] = [
	{
		id: 1,
		name: 'Kenya',
		iso2: 'KE',
		iso3: 'KEN',
		dialCode: '254',
		mobile: { pattern: /^[17]\d{8}$/, trunkZero: true, example: '0712 345678' },
		currency: 'KES',
		aliases: ['Republic of Kenya'],
		paymentLinks: {
			methodTypes: ['till number', 'pay bill', 'bank transfer', 'send money'],
			operators: 0,
		},
		collections: collected({ methodTypes: ['send money'], operators: 0 }),
	},
	{
		id: 2,
		name: 'Benin',
		iso2: 'BJ',
		iso3: 'BEN',
		dialCode: '229',
		mobile: { pattern: /^01\d{8}$/, trunkZero: false, example: '01 95 12 34 56' },
		currency: 'XOF',
		aliases: ['Republic of Benin', 'République du Bénin'],
		paymentLinks: operators(1),
		collections: notSupported(operators(2)),
	},
	{
		id: 3,
		name: "Cote D'Ivoire",
		iso2: 'CI',
		iso3: 'CIV',
		dialCode: '225',
		mobile: { pattern: /^0[157]\d{8}$/, trunkZero: false, example: '07 12 34 56 78' },
		currency: 'XOF',
		aliases: ['Ivory Coast', "Republic of Cote d'Ivoire", "République de Côte d'Ivoire"],
		paymentLinks: operators(2),
		collections: notSupported(operators(2)),
	},
	{
		id: 4,
		name: 'Cameroon',
		iso2: 'CM',
		iso3: 'CMR',
		dialCode: '237',
		mobile: { pattern: /^(?:6\d|24)\d{7}$/, trunkZero: false, example: '671 234 567' },
		currency: 'XAF',
		aliases: ['Cameroun', 'Republic of Cameroon', 'République du Cameroun'],
		paymentLinks: operators(2),
		collections: notSupported(operators(2)),
	},
	{
		id: 9,
		name: 'Senegal',
		iso2: 'SN',
		iso3: 'SEN',
		dialCode: '221',
		mobile: { pattern: /^7\d{8}$/, trunkZero: false, example: '77 123 45 67' },
		currency: 'XOF',
		aliases: ['Republic of Senegal', 'République du Sénégal'],
		paymentLinks: operators(2),
		collections: notSupported(operators(2)),
	},
	{
		id: 10,
		name: 'Tanzania',
		iso2: 'TZ',
		iso3: 'TZA',
		dialCode: '255',
		mobile: { pattern: /^[67]\d{8}$/, trunkZero: true, example: '0712 345 678' },
		currency: 'TZS',
		aliases: ['United Republic of Tanzania', 'Tanzania, United Republic of'],
		paymentLinks: operators(3),
		collections: collected(operators(4), 'one operator'),
	},
	{
		id: 11,
		name: 'Uganda',
		iso2: 'UG',
		iso3: 'UGA',
		dialCode: '256',
		mobile: { pattern: /^7\d{8}$/, trunkZero: true, example: '0712 345678' },
		currency: 'UGX',
		aliases: ['Republic of Uganda'],
		paymentLinks: operators(2),
		collections: collected(operators(2), 'one operator'),
	},
	{
		id: 12,
		name: 'Zambia',
		iso2: 'ZM',
		iso3: 'ZMB',
		dialCode: '260',
		mobile: { pattern: /^[579]\d{8}$/, trunkZero: true, example: '0955 123456' },
		currency: 'ZMW',
		aliases: ['Republic of Zambia'],
		paymentLinks: operators(2),
		collections: collected(operators(2), 'all operators'),
	},
	{
		id: 13,
		name: 'Sierra Leone',
		iso2: 'SL',
		iso3: 'SLE',
		dialCode: '232',
		mobile: { pattern: /^[2-9]\d{7}$/, trunkZero: true, example: '076 123456' },
		currency: 'SLE',
		aliases: ['Republic of Sierra Leone'],
		paymentLinks: operators(1),
		collections: collected(operators(1), 'all operators'),
	},
	{
		id: 16,
		name: 'Ghana',
		iso2: 'GH',
		iso3: 'GHA',
		dialCode: '233',
		mobile: { pattern: /^[25]\d{8}$/, trunkZero: true, example: '024 123 4567' },
		currency: 'GHS',
		aliases: ['Republic of Ghana'],
		paymentLinks: operators(3),
		collections: null,
	},
	{
		id: 17,
		name: 'Nigeria',
		iso2: 'NG',
		iso3: 'NGA',
		dialCode: '234',
		mobile: { pattern: /^[789]\d{9}$/, trunkZero: true, example: '0802 123 4567' },
		currency: 'NGN',
		aliases: ['Federal Republic of Nigeria'],
		paymentLinks: { methodTypes: ['bank'], operators: 0 },
		collections: null,
	},
];

/** XOF and XAF have no minor unit; every other currency of the tables has two decimals. */
export const WHOLE_UNIT_CURRENCIES: readonly string[] = ['XOF', 'XAF'];
