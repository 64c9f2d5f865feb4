import { orderOf } from '../payment/order';
import { isFinal, stateOf, type ExtraStatuses } from '../payment/state';
import type { Credential } from '../protocol/credential';
import { marksIn, readMark } from '../payment/mark';
import type { Json } from '../protocol/parse';
import { findCandidates, readReference } from '../payment/references';
import { sameValue } from '../payment/sameValue';
import type { CallOptions, Client } from '../transport/client';
import { askForRecord } from '../transport/status';
import { executionIn, paymentIn } from './address';
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

/** Without a callback, these are the names to ask by. A service may call it by what we gave. */
const namesOf = ({ reference, ownReference }: Awaited): Name[] => [
	...(reference === null || reference === ownReference
		? []
		: [{ id: reference, from: 'service' as const }]),
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
	let failure: { error: unknown } | undefined;
	const asked = new Set<string>();
	for (const name of names) {
		if (asked.has(name.id)) continue;
		asked.add(name.id);
		const sight = await lookBy(name, payment, lookout).catch((error: unknown) => {
			failure ??= { error };
			return null;
		});
		// A payment that failed may have been tried again, under another name.
		if (sight !== null && (best === null || isFinal(sight.state))) best = sight;
		if (best !== null && isFinal(best.state)) return best;
	}
	// What could not be asked might have been final.
	if (failure !== undefined) throw failure.error;
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
	const own = readReference(record.third_party_reference_1)?.trim() ?? null;
	if (own !== null && payment.ownReference !== null && own !== payment.ownReference) return false;
	const mark = markOf(record, payment, account);
	if (mark === 'same') return true;
	if (mark === 'other') return false;
	// Nothing in it is certainly about this payment, so nothing in it may be about another one.
	const { currency } = record;
	if (isStated(currency) && !sameValue('currency', currency, payment.currency)) return false;
	const isAnother = payment.reference !== null && ref !== null && ref !== payment.reference;
	if (from === 'service' || mark === 'cut') return from === 'service';
	if (from === 'ourselves' && isAnother) return false;
	return (mark === 'noUrl' || from === 'ourselves') && statesTheSame(record, payment);
}

/** What the callback URL of a record says: this payment, another one, or nothing that can be read. */
function markOf(
	{ callback_url: url }: Json,
	payment: Awaited,
	account: Credential,
): 'same' | 'other' | 'cut' | 'unmarked' | 'noUrl' {
	if (typeof url !== 'string' || url.trim() === '') return 'noUrl';
	const { kind } = readMark(account, url);
	const isHere = executionIn(url) === executionIn(payment.url);
	if (kind === 'absent') return isHere || !payment.holds ? 'unmarked' : 'other';
	if (kind === 'invalid') return 'cut';
	// An earlier run that sent it had another address; of the payment, it says the same.
	const isSame = payment.holds ? isHere && paymentIn(url) === payment.key : hasMarkOf(url, payment);
	return isSame ? 'same' : 'other';
}

const hasMarkOf = (url: string, payment: Awaited): boolean =>
	marksIn(url).join() === marksIn(payment.url).join();

/** A record that names no order must state what was asked for, and nothing else. */
function statesTheSame({ amount, currency, mobile }: Json, payment: Awaited): boolean {
	const isSame = (name: string, stated: unknown, asked: unknown) =>
		isStated(stated) && sameValue(name, stated, asked);
	if (!isSame('amount', amount, payment.amount)) return false;
	if (!isSame('currency', currency, payment.currency)) return false;
	if (payment.mobile === null || typeof mobile !== 'string' || mobile === '') return true;
	return digits(mobile) === digits(payment.mobile);
}

const isStated = (value: unknown): boolean => value !== undefined && value !== null;

const digits = (phone: string) => phone.replace(/\D/g, '');
