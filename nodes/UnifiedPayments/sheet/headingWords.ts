const PHONES = [
	...['phone', 'phonenumber', 'phoneno', 'mobile', 'mobilenumber', 'mobileno', 'mobilephone'],
	...['cell', 'cellphone', 'cellnumber', 'telephone', 'telephonenumber', 'tel', 'msisdn'],
	...['customerphone', 'customermobile', 'contactnumber', 'numerodetelephone', 'portable'],
];

/**
 * What people write above a column, in English and French, in addition to the field's own name and
 * label; folded: no case, no spaces, no marks. Whatever is not here is renamed, or mapped by hand. The
 * amount has a grammar of its own.
 */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
	businessName: ['business', 'company', 'companyname', 'merchant', 'shop', 'entreprise'],
	callbackUrl: ['callback', 'webhook', 'webhookurl'],
	country: ['countrycode', 'countryid', 'countryname', 'pays'],
	currency: ['currencycode', 'ccy', 'devise', 'monnaie'],
	currencyCountry: ['currencycountryid', 'payercountry'],
	email: ['emailaddress', 'mail', 'courriel', 'adresseemail'],
	firstName: ['givenname', 'forename', 'prenom'],
	// "For" stands on the payment page.
	itemName: ['item', 'for', 'product', 'description', 'service', 'article', 'objet', 'designation'],
	lastName: ['surname', 'familyname', 'nomdefamille'],
	mobile: PHONES,
	orderReference: [
		...['order', 'orderid', 'orderno', 'ordernumber', 'orderref', 'thirdpartyreference1'],
		...['invoice', 'invoiceid', 'invoiceno', 'invoicenumber', 'bill', 'billno', 'billnumber'],
		...['commande', 'numerodecommande', 'ndecommande', 'facture', 'numerodefacture', 'ndefacture'],
	],
	paymentMethodType: ['paymentmethod', 'method', 'operator', 'network', 'operateur', 'reseau'],
	phone: PHONES,
	redirectionUrl: ['redirecturl', 'redirect', 'returnurl'],
	thirdPartyReference2: ['customerid'],
};

/** They fill nothing: it may be the user's order, or what the service called a payment. */
export const REFERENCES = ['ref', 'refno', 'reference', 'referenceno', 'referencenumber'];

/** Columns by which a person knows a row again; they fill nothing. */
export const CUSTOMERS = [
	...['customer', 'customername', 'client', 'clientname', 'name', 'fullname', 'nom', 'nomcomplet'],
	'nomduclient',
];
