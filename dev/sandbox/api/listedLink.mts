import type { PaymentLink } from '../model.mts';
import { moneyText } from '../store/money.mts';
import { namedEntry, type Switches } from '../switches.mts';

type Entry = Record<string, unknown>;

const fields = (link: PaymentLink): Entry => ({
	reference: link.reference,
	link: link.link,
	status: link.state,
	business_name: link.business_name,
	item_name: link.item_name,
	amount: moneyText(link.amount, link.currency),
	currency: link.currency,
	country_id: link.country_id,
	currency_country_id: link.currency_country_id,
	first_name: link.first_name,
	last_name: link.last_name,
	email: link.email,
	phone: link.phone,
	redirection_url: link.redirection_url,
	created_at: link.createdAt,
});

/** Names and nesting that no field of the specification has; only the address has a name that clients may expect. */
const otherNames = (link: PaymentLink): Entry => ({
	id: link.reference,
	payment_url: link.link,
	state: link.state,
	merchant: { displayName: link.business_name },
	productName: link.item_name,
	price: { value: moneyText(link.amount, link.currency), currencyCode: link.currency },
	market: { id: link.country_id, payerId: link.currency_country_id },
	payer: {
		givenName: link.first_name,
		familyName: link.last_name,
		mail: link.email,
		msisdn: link.phone,
	},
	notifications: link.callback_url === null ? [] : [`POST ${link.callback_url}`],
	returnTo: link.redirection_url,
	createdOn: link.createdAt,
});

const LISTED: Record<Switches['listEntries'], (link: PaymentLink) => Entry> = {
	callbackUrl: (link) => ({ ...fields(link), callback_url: link.callback_url }),
	fields,
	otherNames,
};
const OWN_NAMES = {
	callbackUrl: { reference: 'reference', link: 'link' },
	fields: { reference: 'reference', link: 'link' },
	otherNames: { reference: 'id', link: 'payment_url' },
};

/** The specification does not show a listed link, so its form is a switch. The logo is never listed. */
export const listedLink = (link: PaymentLink, switches: Switches): Entry =>
	namedEntry(LISTED[switches.listEntries](link), switches, OWN_NAMES[switches.listEntries]);
