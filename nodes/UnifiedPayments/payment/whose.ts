import type { Account } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import { readReference } from '../protocol/reply';
import { digitsOf, isStated, OWN_REFERENCE, sameReference } from './compare';
import { isMarkOf, jsonOf, paymentOfMark, readMark, type Mark } from './mark';
import type { Payment } from './payment';
import type { Record } from './record';

/** What it takes to know a payment again. */
export type Known = Omit<
	Payment,
	'account' | 'key' | 'ownReference' | 'payer' | 'item' | 'countryId'
>;

/** Whether something is a payment, with the evidence that decided. */
export type Whose =
	| { is: 'mine'; by: 'mark' | 'reference' | 'order' | 'callback' }
	| {
			is: 'another';
			because: 'mark' | 'order' | 'reference' | 'amount' | 'currency' | 'payer';
	  }
	| { is: 'cannotTell' };

/**
 * How it was come by: in a list, by the service's reference, by our order, or as the record that a
 * callback named which came to exactly this payment's address.
 */
export type FoundBy = 'list' | 'reference' | 'order' | 'callback';

const CANNOT_TELL: Whose = { is: 'cannotTell' };
type Other = Extract<Whose, { is: 'another' }>['because'];
const another = (because: Other): Whose => ({ is: 'another', because });

/**
 * Whether a record, a list entry or the record of a callback is a payment. The first evidence that is
 * there decides: a mark whose code holds; the reference of the reply; what was asked for. A link has no
 * third one, unless the callback came to its own address: equal values alone prove nothing.
 */
export function whose(record: Readonly<Record>, payment: Known, foundBy: FoundBy): Whose {
	const { mark, reference } = record;
	if (mark.is === 'valid') {
		if (!isMarkOf(mark, payment)) return another('mark');
		// It says two things, so nothing is believed.
		return contradictsOrder(record, payment) ? CANNOT_TELL : { is: 'mine', by: 'mark' };
	}
	if (payment.reference !== null && reference !== null) {
		return payment.reference === reference ? { is: 'mine', by: 'reference' } : another('reference');
	}
	const isByOrder = foundBy === 'order' && payment.kind === 'collection';
	if (!isByOrder && foundBy !== 'callback') return CANNOT_TELL;
	return byValues(record, payment, isByOrder ? 'order' : 'callback');
}

/** By all that was asked for. What is not stated cannot tell. */
function byValues(record: Readonly<Record>, payment: Known, foundBy: 'order' | 'callback'): Whose {
	const { reference, orderReference, amount, currency, mobile } = record;
	if (contradictsOrder(record, payment)) return another('order');
	if (currency !== null && currency !== payment.currency) return another('currency');
	if (amount !== null && amount !== Number(payment.amount)) return another('amount');
	const payer = digitsOf(payment.mobile);
	if (mobile !== null && payer !== null && mobile !== payer) return another('payer');
	if (amount === null || currency === null) return CANNOT_TELL;
	if (foundBy === 'callback') {
		// An address that is stated without the mark is not the one that was sent.
		return record.hasCallbackUrl ? CANNOT_TELL : { is: 'mine', by: 'callback' };
	}
	if (mobile === null || payment.orderReference === null || payment.isOneOfSeveral)
		return CANNOT_TELL;
	// Our order may by chance be what the service calls another payment.
	const isByChance = orderReference === null && reference === payment.orderReference.trim();
	return isByChance ? CANNOT_TELL : { is: 'mine', by: 'order' };
}

const contradictsOrder = (
	{ orderReference: stated }: Readonly<Record>,
	{ orderReference: own }: Pick<Known, 'orderReference'>,
): boolean => stated !== null && own !== null && !sameReference(stated, own);

/** What a reply carries that is another payment's, by the name of the field; null when it is nothing. */
export function ofAnother(
	{ data, body }: { data: unknown; body: Readonly<Json> },
	sent: Readonly<Json>,
	account: Account,
): 'callback_url' | typeof OWN_REFERENCE | null {
	const said = readMark(account, jsonOf(body), true);
	const own = typeof sent.callback_url === 'string' ? sent.callback_url : '';
	if (said.is === 'valid' && !isSame(said, readMark(account, own))) return 'callback_url';
	const places = [data, body].filter((each) => typeof each === 'object' && each !== null);
	const orders = places
		.map((each) => (each as Json)[OWN_REFERENCE])
		.map((each) => (isStated(each) ? readReference(each) : null))
		.filter((each) => each !== null);
	const order = readReference(sent[OWN_REFERENCE]);
	const isOther = (each: string) => order === null || !sameReference(each, order);
	return orders.some(isOther) ? OWN_REFERENCE : null;
}

const isSame = (one: Mark, other: Mark): boolean =>
	one.is === 'valid' &&
	other.is === 'valid' &&
	paymentOfMark(one) === paymentOfMark(other) &&
	one.place === other.place;

/** What is given to several, alike, is nobody's: one record, link or reference is one payment. */
export function givenAlike<T>(
	all: readonly T[],
	namesOf: (each: T) => readonly unknown[],
): ReadonlySet<T> {
	const takers = new Map<unknown, T[]>();
	for (const each of all) {
		for (const name of new Set(namesOf(each))) {
			const known = takers.get(name);
			if (known) known.push(each);
			else takers.set(name, [each]);
		}
	}
	return new Set([...takers.values()].filter((each) => each.length > 1).flat());
}
