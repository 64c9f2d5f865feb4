import { orderOf } from '../output/order';
import { isFinal, stateOf, type ExtraStatuses } from '../output/state';
import type { Credential } from '../protocol/credential';
import { readMark } from '../protocol/orderMark';
import type { Json } from '../protocol/parse';
import { findCandidates, readReference } from '../protocol/references';
import { sameValue } from '../protocol/sameValue';
import type { CallOptions, Client } from '../transport/client';
import { askForRecord } from '../transport/status';
import { paymentIn } from './address';
import type { Awaited, Sight } from './awaited';

/** Whom to ask, and how to read the answer. */
export interface Lookout {
	client: Client;
	account: Credential;
	options: CallOptions;
	statuses: ExtraStatuses;
}

/** A name by which the service may know a payment, by who says so. */
interface Name {
	id: string;
	from: 'service' | 'ourselves' | 'callback';
}

/** Without a callback, these are the names to ask by. */
const namesOf = ({ reference, ownReference }: Awaited): Name[] => [
	...(reference === null ? [] : [{ id: reference, from: 'service' as const }]),
	...(ownReference === null ? [] : [{ id: ownReference, from: 'ourselves' as const }]),
];

export const canBeAsked = (payment: Awaited): boolean => namesOf(payment).length > 0;

/**
 * Asks the service about a payment; null when it knows none that is certainly this one. Of a
 * callback, only the names in it are used, to ask by: whether it is about this payment, and how it
 * ended, is for the service's own record to say.
 */
export async function lookAt(
	payment: Awaited,
	lookout: Lookout,
	callback: Json | null = null,
): Promise<Sight | null> {
	const told = callback === null ? [] : findCandidates(callback);
	const names: Name[] = [
		...namesOf(payment),
		...told.map(({ reference }) => ({ id: reference, from: 'callback' as const })),
	];
	let best: Sight | null = null;
	const asked = new Set<string>();
	for (const name of names) {
		if (asked.has(name.id)) continue;
		asked.add(name.id);
		const sight = await lookBy(name, payment, lookout);
		// A payment that failed may have been tried again, under another name.
		if (sight !== null && (best === null || isFinal(sight.state))) best = sight;
		if (best !== null && isFinal(best.state)) return best;
	}
	return best;
}

async function lookBy(name: Name, payment: Awaited, lookout: Lookout): Promise<Sight | null> {
	const { client, account, options, statuses } = lookout;
	const record = await askForRecord(client, name.id, 'payin', options);
	if (record === null || !isRecordOf(record, name, payment, account)) return null;
	const state = stateOf(record, statuses);
	// Whose it is has been decided: what was asked for stands in our own address.
	const order = orderOf(account, { ...record, callback_url: undefined }, payment.url, state);
	return {
		record,
		state,
		reference: readReference(record.ref) ?? (name.from === 'ourselves' ? null : name.id),
		order: order.kind === 'order' ? order : { orderReference: null, asked: null, paidInFull: null },
		canBeAskedAgain: name.from !== 'callback',
	};
}

/** Whether the service's record is certainly that of the payment. */
function isRecordOf(
	record: Json,
	{ id, from }: Name,
	payment: Awaited,
	account: Credential,
): boolean {
	const ref = readReference(record.ref);
	if (from !== 'ourselves' && ref !== null && ref !== id) return false;
	const own = readReference(record.third_party_reference_1);
	if (own !== null && payment.ownReference !== null && own !== payment.ownReference) return false;
	switch (markOf(record, payment, account)) {
		case 'same':
			return true;
		case 'other':
			return false;
		case 'cut':
			return from === 'service';
		case 'unmarked':
			return from === 'service' || (from === 'ourselves' && statesTheSame(record, payment));
		case 'noUrl':
			return from === 'service' || statesTheSame(record, payment);
	}
}

/** What the callback URL of a record says: this payment, another one, or nothing that can be read. */
function markOf(
	{ callback_url: url }: Json,
	payment: Awaited,
	account: Credential,
): 'same' | 'other' | 'cut' | 'unmarked' | 'noUrl' {
	if (typeof url !== 'string' || url.trim() === '') return 'noUrl';
	const { kind } = readMark(account, url);
	if (kind === 'absent') return 'unmarked';
	if (kind === 'invalid') return 'cut';
	return paymentIn(url) === payment.key ? 'same' : 'other';
}

/** A record that names no order must state what was asked for, and nothing else. */
function statesTheSame({ amount, currency, mobile }: Json, payment: Awaited): boolean {
	const isSame = (name: string, stated: unknown, asked: unknown) =>
		stated !== undefined && stated !== null && sameValue(name, stated, asked);
	if (!isSame('amount', amount, payment.amount)) return false;
	if (!isSame('currency', currency, payment.currency)) return false;
	if (payment.mobile === null || typeof mobile !== 'string' || mobile === '') return true;
	return digits(mobile) === digits(payment.mobile);
}

const digits = (phone: string) => phone.replace(/\D/g, '');
