import {
	stateAt,
	stateOf,
	type Entry,
	type Transaction,
	type TransactionState,
} from './ledger.mts';
import type { Switches } from './switches.mts';

type Wire = Record<string, unknown>;

const money = (amount: number, { numbers }: Switches): string => {
	const plain = amount.toFixed(2);
	return numbers === 'plain' ? plain : plain.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
};

/** What the service keeps of a callback URL. */
export function keptUrl(url: unknown, { callbackUrls }: Switches): string | null {
	if (typeof url !== 'string') return null;
	if (callbackUrls === 'noQuery') return url.replace(/[?#].*$/s, '');
	return callbackUrls === 'cut255' ? url.slice(0, 255) : url;
}

/** The record of a transaction, as the status endpoint gives it; null while it lags. */
export function recordOf(transaction: Transaction, switches: Switches, now: number): Wire | null {
	const state = stateAt(transaction, now - switches.statusLag * 1000);
	return state === null ? null : written(transaction, state, switches);
}

/** What a callback says: the record, and the caller's own references. */
export const callbackBody = (
	transaction: Transaction,
	switches: Switches,
	state: TransactionState = stateOf(transaction),
): Wire => ({
	...written(transaction, state, switches),
	...ownReferences(transaction.entry),
});

const ownReferences = ({ params }: Entry): Wire => ({
	third_party_reference_1: params.third_party_reference_1,
	third_party_reference_2: params.third_party_reference_2,
});

function written(transaction: Transaction, state: TransactionState, switches: Switches): Wire {
	const { ref, amount, entry } = transaction;
	const { params, currency } = entry;
	return {
		ref,
		amount: money(amount, switches),
		fee: money(0, switches),
		currency,
		status: switches.words[state],
		mobile: params.mobile ?? params.phone,
		transaction_date: new Date(entry.at).toISOString().slice(0, 19).replace('T', ' '),
		...(switches.records === 'callbackUrl' && { callback_url: entry.callbackUrl ?? '' }),
		...(switches.recordsNameOrder && ownReferences(entry)),
		failureReason:
			state === 'failed'
				? {
						failureCode: transaction.why ?? 'DECLINED',
						failureMessage: 'The customer did not approve',
					}
				: { failureCode: null, failureMessage: null },
	};
}

/** An entry in the list of links. */
export function listed(entry: Entry, switches: Switches): Wire {
	const { reference, link, params, amount, currency, callbackUrl } = entry;
	if (switches.listEntries === 'otherNames') {
		return {
			id: reference,
			payment_url: link,
			productName: params.item_name,
			price: { value: money(amount, switches), currencyCode: currency },
			payer: { givenName: params.first_name, mail: params.email },
			notifications: callbackUrl === null ? [] : [`POST ${callbackUrl}`],
			returnTo: params.redirection_url,
		};
	}
	return {
		reference,
		link,
		business_name: params.business_name,
		item_name: params.item_name,
		amount: money(amount, switches),
		currency,
		first_name: params.first_name,
		email: params.email,
		phone: params.phone,
		redirection_url: params.redirection_url,
		...(switches.listEntries === 'callbackUrl' && { callback_url: callbackUrl }),
	};
}
