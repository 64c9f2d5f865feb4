import { findCountry } from '../countries/lookup';

const PHONE_WORDS = ['phone', 'mobile', 'cell', 'cellphone', 'mobilephone', 'telephone', 'contact'];

const PHONES = [
	...['phone', 'msisdn', 'tel', 'telephone', 'cell', 'cellphone', 'mobilephone'],
	...PHONE_WORDS.flatMap((word) => [`${word}number`, `${word}no`]),
];

const ORDERS = ['order', 'invoice', 'bill'].flatMap((word) =>
	['', 'id', 'no', 'number', 'ref', 'reference'].map((what) => word + what),
);

/**
 * What people write above a column, in addition to the field's own name. Folded: no case, no spaces.
 * The amount is not here: every word of its heading counts.
 */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
	businessName: ['business', 'company', 'companyname', 'merchant', 'merchantname', 'shop'],
	callbackUrl: ['callback', 'webhook', 'webhookurl', 'notificationurl'],
	country: ['countrycode', 'countryid', 'countryname', 'nation'],
	currency: ['currencycode', 'ccy'],
	currencyCountry: ['currencycountryid', 'payercountry', 'countryofpayer'],
	email: ['emailaddress', 'mail', 'customeremail', 'emailid'],
	firstName: ['givenname', 'forename', 'customerfirstname'],
	itemName: ['item', 'product', 'productname', 'description', 'itemdescription', 'service'],
	lastName: ['surname', 'familyname', 'customerlastname'],
	mobile: PHONES,
	orderReference: [...ORDERS, 'thirdpartyreference1'],
	paymentMethodType: ['paymentmethod', 'method', 'operator', 'network', 'provider', 'channel'],
	phone: [...PHONES, 'mobile', 'customerphone'],
	redirectionUrl: ['redirecturl', 'redirect', 'returnurl', 'thankyoupage'],
	thirdPartyReference2: ['reference2', 'ref2', 'customerid', 'customerreference'],
};

const REFERENCES = [
	...['ref', 'refno', 'reference', 'referenceno', 'referencenumber', 'reference1'],
	'externalreference',
];

/** A name in one column, the clearest first. It is only used where no column has a part of it. */
export const FULL_NAMES = [
	...['fullname', 'customername', 'clientname', 'payername', 'buyername', 'contactname'],
	...['customer', 'client', 'name'],
];

/** Words that count only where no better one is: beside an order, a reference may be the service's. */
export const WEAK_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
	orderReference: REFERENCES,
};

/** Fields that say who is asked to pay. */
export const PAYER_FIELDS = ['mobile', 'phone', 'email'];

/** Words of a remark after which the number is still that of the payer. */
const HARMLESS = new Set([
	...['mpesa', 'pesa', 'whatsapp', 'mobile', 'money', 'momo', 'airtel', 'mtn', 'orange'],
	...['vodacom', 'vodafone', 'safaricom', 'tigo', 'phone', 'cell', 'payer', 'customer', 'client'],
	...['required', 'optional', 'number', 'with', 'country', 'code', 'international', 'format'],
	...['m', 'e', 'g', 'eg', 's'],
]);

/** "254", "+254712", "07xx". */
const DIGITS = /^[\dx]+$/;

/** "No" is a number where it ends the remark, and otherwise it may be a no. */
export const isHarmless = (remark: string): boolean =>
	findCountry(remark) !== undefined ||
	remark
		.toLowerCase()
		.split(/[^\p{Letter}\p{Number}]+/u)
		.filter((word) => word !== '')
		.every(
			(word, at, words) =>
				HARMLESS.has(word) ||
				DIGITS.test(word) ||
				(word === 'no' && (at === words.length - 1 || words[at + 1] === 'with')),
		);
