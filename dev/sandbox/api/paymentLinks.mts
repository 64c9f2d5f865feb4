import { z } from 'zod';
import { isoTime } from '../life/time.mts';
import type { PaymentLink } from '../model.mts';
import { isAmount } from '../store/money.mts';
import { newestFirst } from '../store/store.mts';
import { CURRENCIES } from '../integrations.mts';
import { keptCallbackUrl, namedEntry } from '../switches.mts';
import {
	refusalAnswer,
	plainRefusal,
	Refused,
	signedEndpoint,
	type Endpoint,
} from './endpoint.mts';
import { countryById, filledText, text, webAddress } from './fields.mts';
import { listedLink } from './listedLink.mts';

const LOGO_BYTES = 2 * 1024 * 1024;

const logo = z
	.string()
	.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64')
	.refine((value) => value.length % 4 === 0, 'Must be base64')
	.refine((value) => Buffer.byteLength(value, 'base64') <= LOGO_BYTES, 'Must be at most 2 MB');

/** The specification does not say which fields are required. Its tables ask for country and currency, and the page needs a price, a seller and an item. */
const params = z
	.object({
		business_name: filledText,
		item_name: filledText,
		callback_url: webAddress.optional(),
		redirection_url: webAddress.optional(),
		currency: filledText,
		amount: z.string(),
		logo: logo.optional(),
		country_id: z.number().int(),
		currency_country_id: z.number().int().optional(),
		first_name: text.optional(),
		last_name: text.optional(),
		email: text.optional(),
		phone: text.optional(),
	})
	.strict();

export const createPaymentLink = signedEndpoint({
	name: 'paymentLink.create',
	path: '/api/v3/payment-link-api/create',
	operation: 'linkCreate',
	params,
	badParams: 'transaction',
	run({ logo, ...params }, integration, world) {
		const { settings, switches, store } = world;
		const { currency, currency_country_id: payerId } = params;
		const country = countryById(params.country_id);
		if (country === undefined)
			return new Refused('country', `no payment links in country_id ${params.country_id}`);
		if (!CURRENCIES.includes(currency))
			return new Refused('transaction', `${currency} is not a currency of the table`);
		if (payerId !== undefined && countryById(payerId)?.currency !== currency)
			return new Refused('transaction', `currency_country_id ${payerId} does not use ${currency}`);
		if (!isAmount(params.amount, currency))
			return new Refused('transaction', `${params.amount} is not a valid amount of ${currency}`);

		const reference = store.nextReference('PL');
		const at = isoTime(settings.clock());
		const amount = Number(params.amount);
		store.ledger.append({
			integration: integration.id,
			kind: 'link',
			reference,
			third_party_reference_1: null,
			amount,
			currency,
			at,
			params: logo === undefined ? params : { ...params, logo: `${logo.length} characters` },
		});
		const link: PaymentLink = {
			reference,
			integration: integration.id,
			link: `${world.url}/pay/${reference}`,
			createdAt: at,
			state: 'open',
			amount,
			currency,
			country: country.name,
			country_id: country.id,
			currency_country_id: payerId ?? null,
			business_name: params.business_name,
			item_name: params.item_name,
			first_name: params.first_name ?? null,
			last_name: params.last_name ?? null,
			email: params.email ?? null,
			phone: params.phone ?? null,
			callback_url:
				params.callback_url === undefined ? null : keptCallbackUrl(params.callback_url, switches),
			redirection_url: params.redirection_url ?? null,
			order: world.orderIn(params.callback_url, integration),
			hasLogo: logo !== undefined,
			transaction: null,
		};
		store.links.set(reference, link);
		if (logo !== undefined) store.logos.keep(reference, logo);
		world.changed('link', link);
		return {
			status: 200,
			body: {
				success: true,
				message: 'Payment link was created.',
				data: switches.mode === 'rich' ? namedEntry({ link: link.link, reference }, switches) : {},
			},
			order: link.order?.reference,
		};
	},
});

export const listPaymentLinks: Endpoint = {
	name: 'paymentLink.list',
	method: 'GET',
	path: '/api/payment-link-api/list',
	refusalBody: plainRefusal,
	handle({ headers }, world) {
		const { settings, switches, store } = world;
		const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
		const caller = store.tokens.get(token ?? '');
		// Without authentication the account is unknown, so the first integration's links are listed.
		const id =
			caller ?? (settings.listAuthentication === 'none' ? settings.integrations[0]?.id : undefined);
		const integration = world.integration(id ?? '');
		if (integration === undefined || integration.account !== 'active')
			return { ...refusalAnswer(world, 'linkList', 'user'), integration: id ?? null };
		const own = newestFirst(store.links).filter((link) => link.integration === integration.id);
		return {
			status: 200,
			body: {
				success: true,
				message: 'Payment links.',
				data: own.map((link) => listedLink(link, switches)),
			},
			integration: integration.id,
		};
	},
};
