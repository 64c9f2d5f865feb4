import { COUNTRIES, type Country } from '../../../nodes/UnifiedPayments/countries/data.ts';
import type { LinkState, PaymentLink, Transaction } from '../model.mts';
import type { World } from '../world.mts';
import type { Outcome } from './lifecycle.mts';
import { failureFor, scriptFor } from './magic.mts';

type PayOutcome = 'success' | 'failed' | 'cancelled';

export interface Payment {
	outcome: PayOutcome;
	method?: string;
	mobile?: string;
	/** What the customer pays; by default what the link asks for. */
	amount?: number;
}

const STATES: Record<PayOutcome, LinkState> = {
	success: 'paid',
	failed: 'failed',
	cancelled: 'cancelled',
};

const OUTCOMES: Record<PayOutcome, Outcome> = {
	success: { status: 'success' },
	failed: { status: 'failed', failure: failureFor(undefined) },
	cancelled: { status: 'failed', failure: failureFor('USER_CANCELLED') },
};

/** The payer's country: the named one, otherwise the link's, otherwise the first that uses the currency. */
const payerCountry = (link: PaymentLink): Country | undefined =>
	COUNTRIES.find(({ id }) => id === link.currency_country_id) ??
	COUNTRIES.find(({ id, currency }) => id === link.country_id && currency === link.currency) ??
	COUNTRIES.find(({ currency }) => currency === link.currency);

/** The specification counts mobile operators without naming them. */
export function paymentMethods(link: PaymentLink): string[] {
	const terms = payerCountry(link)?.paymentLinks;
	if (terms === undefined) return [];
	return terms.methodTypes.flatMap((type) =>
		type === 'mobile operator'
			? Array.from({ length: terms.operators }, (_, index) => `Mobile operator ${index + 1}`)
			: [type.charAt(0).toUpperCase() + type.slice(1)],
	);
}

/** Pays a link: a transaction with the link's own reference, settled as the payer chose. */
export function payLink(world: World, link: PaymentLink, payment: Payment): Transaction {
	const { outcome } = payment;
	const mobile = payment.mobile ?? link.phone ?? '';
	const transaction = world.lifecycle.open({
		kind: 'link',
		integration: link.integration,
		ref: link.reference,
		amount: payment.amount ?? link.amount,
		currency: link.currency,
		country: link.country,
		order: link.order,
		mobile,
		callback_url: link.callback_url ?? '',
		payment_channel: payment.method ?? paymentMethods(link)[0] ?? '',
		transaction_detail: `${link.item_name}, ${link.business_name}`,
	});
	link.state = STATES[outcome];
	link.transaction = transaction.ref;
	if (outcome === 'success') link.paid = transaction.amount;
	world.changed('link', link);
	// The payer decides the outcome, so a magic value only decides how the sandbox calls back.
	void world.lifecycle.settle(
		transaction,
		OUTCOMES[outcome],
		scriptFor(link.amount, mobile).callbacks,
	);
	return transaction;
}

/** The address of the shop, with reference and state as query parameters. */
export function redirectFor(link: PaymentLink): string | null {
	if (link.redirection_url === null) return null;
	const url = new URL(link.redirection_url);
	url.searchParams.set('reference', link.reference);
	url.searchParams.set('status', link.state);
	return url.href;
}
