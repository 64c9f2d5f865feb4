import { z } from 'zod';
import { scriptFor } from '../life/magic.mts';
import { isoTime } from '../life/time.mts';
import { isAmount } from '../store/money.mts';
import { orderOf } from '../model.mts';
import { keptCallbackUrl, namedEntry } from '../switches.mts';
import { Refused, signedEndpoint } from './endpoint.mts';
import { countryById, filledText, text, webAddress } from './fields.mts';

/** The specification does not say which fields are required. Its tables ask for country and currency, and a payment needs an amount and a payer. */
const params = z
	.object({
		amount: z.number(),
		mobile: text.regex(/^\+?[0-9][0-9 ().-]{3,30}$/, 'Must be a mobile number'),
		country_id: z.number().int(),
		currency: filledText,
		payment_method_type: text.optional(),
		callback_url: webAddress.optional(),
		third_party_reference_1: text.optional(),
		third_party_reference_2: text.optional(),
	})
	.strict();

export const createCollection = signedEndpoint({
	name: 'collection',
	path: '/api/v3/service-unified-collections',
	operation: 'collections',
	params,
	badParams: 'transaction',
	run(params, integration, world) {
		const { settings, switches, store, lifecycle } = world;
		const { amount, currency, mobile } = params;
		const country = countryById(params.country_id);
		const terms = country?.collections ?? null;
		if (country === undefined || terms === null)
			return new Refused('country', `no collections in country_id ${params.country_id}`);
		if (settings.strict && !terms.supported)
			return new Refused('country', `collections in ${country.name} are not supported`);
		if (currency !== country.currency)
			return new Refused('transaction', `the currency of ${country.name} is ${country.currency}`);
		if (!isAmount(String(amount), currency))
			return new Refused('transaction', `${amount} is not a valid amount of ${currency}`);

		const reference = store.nextReference('CO');
		store.ledger.append({
			integration: integration.id,
			kind: 'collection',
			reference,
			third_party_reference_1: params.third_party_reference_1 ?? null,
			amount,
			currency,
			at: isoTime(settings.clock()),
			params,
		});
		const transaction = lifecycle.open({
			kind: 'collection',
			integration: integration.id,
			ref: reference,
			amount,
			currency,
			country: country.name,
			mobile,
			callback_url: keptCallbackUrl(params.callback_url ?? '', switches),
			payment_channel: params.payment_method_type ?? terms.methodTypes[0] ?? '',
			order: world.orderIn(params.callback_url, integration),
			transaction_detail: `Collection from ${mobile}`,
			third_party_reference_1: params.third_party_reference_1 ?? '',
			third_party_reference_2: params.third_party_reference_2 ?? '',
		});
		const script = scriptFor(amount, mobile);
		const followed = lifecycle.follow(transaction, script);
		return {
			status: 200,
			body: {
				success: true,
				message:
					"A verification token was sent to the customer's mobile number; the customer must verify to proceed with the payment.",
				data: switches.mode === 'rich' ? namedEntry({ reference }, switches) : {},
			},
			order: orderOf(transaction),
			before: script.lateReply ? world.lifetime.pause(settings.lateReplyMs) : followed,
		};
	},
});
