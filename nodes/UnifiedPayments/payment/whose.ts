import type { Account } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import { withoutSecrets } from '../protocol/query';
import { isPlaceholder } from '../protocol/reply';
import {
	foldedReference,
	isName,
	isOtherCurrency,
	isStated,
	otherOrderIn,
	OWN_REFERENCE,
	sameReference,
	sameValue,
} from './compare';
import { isOtherPhone } from './echo';
import { marksIn, markTextsIn, ownParametersIn, readMark, unescaped } from './mark';
import { isCalled, isFoundByChance, isMoneyBack, isNumber, readReference } from './references';

/** A payment that this package created, with everything that may identify it. */
export interface AskedPayment {
	/** What the service called it in the reply to this very request, or in its own list entry. */
	reference: string | null;
	/** Its callback URL; null when it has none, or when nobody knows any more. */
	callbackUrl: string | null;
	/** True when the callback URL is that of an earlier request for the same payment. */
	sentBefore: boolean;
	orderReference: string | null;
	/** The order reference, where the service was given it in a field of its own. */
	ownReference: string | null;
	/** True when the order has several payments, told apart by a key that only the mark carries. */
	isOneOfSeveral: boolean;
	/** True for links: each try to pay one is a transaction with a reference of its own. */
	mayBeTriedAgain: boolean;
	amount: string | number;
	currency: string;
	mobile: string | null;
	/** What else was sent, where it is known. */
	sent?: Readonly<Json>;
	/** The field of the reply that held the reference, where it is known. */
	referenceField?: string | null;
}

/** How the record was asked for: by the reference above, by the order, or as a callback named it. */
export type AskedBy =
	| 'reference'
	| 'order'
	/** By the service's own reference, in a callback that came to exactly this payment's address. */
	| 'ownCallback';

/** The evidence that decided, or what contradicts or is missing. */
export type Verdict =
	| { is: 'mine'; by: 'reference' | 'callbackUrl' | 'mark' | 'order' | 'ownCallback' }
	| {
			is: 'another';
			because: 'currency' | 'order' | 'callbackUrl' | 'mark' | 'reference' | 'values';
	  }
	| { is: 'unclear'; because?: 'code' };

const UNCLEAR: Verdict = { is: 'unclear' };
const OTHER_VALUES: Verdict = { is: 'another', because: 'values' };

/**
 * Whether a record of the service is that of a payment. The evidence is ranked, the first that
 * speaks decides, and what contradicts it makes the record another's. Equal values alone prove
 * nothing: another workflow, or last month, may have asked for the same.
 */
export function whoseRecord(
	record: Readonly<Json>,
	payment: AskedPayment,
	account: Account,
	askedBy: AskedBy,
): Verdict {
	if (isMoneyBack(record)) return OTHER_VALUES;
	if (isOtherCurrency(record.currency, payment.currency)) {
		return { is: 'another', because: 'currency' };
	}
	if (statesOrder(record, payment) === false) return { is: 'another', because: 'order' };
	const address = whoseAddress(record.callback_url, payment, account);
	if (address.is === 'another') return address;

	const isNamed =
		payment.reference === null ? null : isCalled(record, payment.reference, payment.referenceField);
	const isRenamed = isNamed === false;
	// A record without a name is that of the question.
	if (isNamed === true || (askedBy === 'reference' && !isRenamed)) {
		return whoseName(record, payment, address, isNamed === true);
	}
	const mayHaveOtherName = payment.mayBeTriedAgain || isNamedElsewhere(record, payment, address);
	if (isRenamed && !mayHaveOtherName) return { is: 'another', because: 'reference' };
	if (address.is === 'mine') return address;
	// Asked about one reference, the service answered about another.
	if (askedBy === 'reference') return { is: 'another', because: 'reference' };
	if (address.because === 'code') return UNCLEAR;
	if (askedBy === 'order') {
		const { ownReference } = payment;
		if (ownReference === null || isFoundByChance(record, ownReference)) return UNCLEAR;
	}
	// A callback to its own address tells it from the others, which have addresses of their own.
	if (payment.isOneOfSeveral && askedBy !== 'ownCallback') return UNCLEAR;
	if (!statesWhatWasAsked(record, payment)) return OTHER_VALUES;
	if (askedBy === 'ownCallback') {
		// A URL that can be read and has no mark is no longer the one that was sent.
		return hasAddress(record) ? UNCLEAR : { is: 'mine', by: 'ownCallback' };
	}
	return isRenamed ? UNCLEAR : { is: 'mine', by: 'order' };
}

/** What the service's own name for a payment proves. */
function whoseName(
	record: Readonly<Json>,
	payment: AskedPayment,
	address: Verdict,
	isNamed: boolean,
): Verdict {
	const { mayBeTriedAgain, mobile, reference, referenceField } = payment;
	const mine: Verdict = { is: 'mine', by: 'reference' };
	if (isNumber(reference, referenceField) && address.is !== 'mine')
		return statesOrder(record, payment) || statesWhatWasAsked(record, payment) ? mine : UNCLEAR;
	// What a record without a name states must not be another's.
	const isOther = !isNamed && !mayBeTriedAgain && isOtherPhone(record.mobile, mobile);
	return isOther ? OTHER_VALUES : mine;
}

/**
 * A service may have two names for a payment, of which a reply gives one and the record the other. Then
 * it must have exactly the address of this row.
 */
const isNamedElsewhere = (
	record: Readonly<Json>,
	{ referenceField: field, callbackUrl }: AskedPayment,
	address: Verdict,
): boolean =>
	typeof field === 'string' &&
	!isStated(record[field]) &&
	address.is === 'mine' &&
	address.by === 'callbackUrl' &&
	placeIn(callbackUrl ?? '') !== null;

const hasAddress = ({ callback_url: given }: Readonly<Json>): boolean =>
	typeof given === 'string' ? partsOf(unescaped(given.trim())) !== null : isStated(given);

/** What an address says about a payment: exactly its own, its mark, another's, or nothing. */
export function whoseAddress(given: unknown, payment: AskedPayment, account: Account): Verdict {
	const own = payment.callbackUrl;
	if (typeof given !== 'string') return UNCLEAR;
	const stated = unescaped(given.trim());
	if (own === null) return whoseOrder(stated, payment, account);
	if (sameAddress(stated, own)) {
		// Without a mark, all payments of a node may have the same address.
		return marksIn(own).length === 0 ? UNCLEAR : { is: 'mine', by: 'callbackUrl' };
	}
	const mark = readMark(account, stated);
	if (mark.kind === 'invalid') {
		// Some services cut long addresses. Otherwise it was altered, or made for somebody else.
		return own.startsWith(stated) ? UNCLEAR : { is: 'unclear', because: 'code' };
	}
	if (mark.kind === 'absent') {
		const isOther = isOtherPlace(stated, own) && !payment.sentBefore;
		return isOther ? { is: 'another', because: 'callbackUrl' } : UNCLEAR;
	}
	if (markTextsIn(stated).join() !== markTextsIn(own).join()) {
		return { is: 'another', because: 'mark' };
	}
	// The same order was asked for by another run of the same node: its address says which.
	const isElsewhere = placeIn(stated) !== placeIn(own) || !sameExecution(stated, own);
	if (isElsewhere && !payment.sentBefore && placeIn(own) !== null) {
		return { is: 'another', because: 'callbackUrl' };
	}
	return { is: 'mine', by: 'mark' };
}

/** Of a payment whose own address nobody knows, a mark can only tell that it is another order's. */
function whoseOrder(stated: string, { orderReference }: AskedPayment, account: Account): Verdict {
	const mark = readMark(account, stated);
	const isOther =
		mark.kind === 'valid' &&
		mark.orderReference !== null &&
		orderReference !== null &&
		!sameReference(mark.orderReference, orderReference);
	return isOther ? { is: 'another', because: 'mark' } : UNCLEAR;
}

/** What the service calls a payment. A reply that says our own reference back names nothing. */
export const givenReference = (reference: string | null, own: string | null): string | null =>
	reference === own ? null : reference;

/** The orders that several payments of a run have: such an order names none of them. */
export function sharedOrders(payments: Iterable<AskedPayment>): Set<AskedPayment> {
	const byOrder = new Map<string, AskedPayment[]>();
	for (const payment of payments) {
		const order = payment.ownReference ?? payment.orderReference;
		if (order === null) continue;
		const folded = foldedReference(order);
		const known = byOrder.get(folded);
		if (known) known.push(payment);
		else byOrder.set(folded, [payment]);
	}
	return new Set([...byOrder.values()].filter((each) => each.length > 1).flat());
}

/** What a reply of a run names. */
interface Named<T> {
	of: T;
	account: unknown;
	reference: unknown;
	link: unknown;
	/** Our own name for it, which a reply may only repeat. */
	own: string | null;
}

/** Those whose link or reference another one has, too. One record is one payment, so it is nobody's. */
export function sharedNames<T>(replies: ReadonlyArray<Named<T>>): T[] {
	const namesOf = ({ account, reference, link, own }: Named<T>): string[] =>
		[link, givenReference(readReference(reference), own)]
			.filter((each) => typeof each === 'string')
			.map((each) => JSON.stringify([account, each]));
	const counts = new Map<string, number>();
	for (const name of replies.flatMap((each) => [...new Set(namesOf(each))])) {
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return replies
		.filter((each) => namesOf(each).some((name) => (counts.get(name) ?? 0) > 1))
		.map(({ of }) => of);
}

/** Payments that share a reference with a payment of another mark: it names none of them. */
export function sharedReferences<T extends AskedPayment>(payments: Iterable<T>): T[] {
	const byReference = new Map<string, T[]>();
	for (const payment of payments) {
		const { reference } = payment;
		if (reference === null) continue;
		const known = byReference.get(reference);
		if (known) known.push(payment);
		else byReference.set(reference, [payment]);
	}
	const marksOf = ({ callbackUrl }: T) => markTextsIn(callbackUrl).join();
	return [...byReference.values()].filter((each) => new Set(each.map(marksOf)).size > 1).flat();
}

/** But for the token and n8n's signature. */
const sameAddress = (one: string, other: string): boolean =>
	withoutSecrets(one) === withoutSecrets(other.trim());

/** Host and path of an address, however it is written; null for what is none, such as "N/A". */
function partsOf(address: string): { host: string; path: string[] } | null {
	const [, scheme, host = '', path = ''] = /(https?:\/\/)?([^/?#]*)([^?#]*)/i.exec(address)!;
	const isAddress = scheme !== undefined || (host === '' ? path !== '' : /[.:]/.test(host));
	const lower = path.toLowerCase().split('/');
	return isAddress ? { host: host.toLowerCase(), path: lower.filter((each) => each !== '') } : null;
}

/** Of an address without its mark. What is left of ours, or is no address, says nothing. */
function isOtherPlace(stated: string, own: string): boolean {
	const [there, here] = [partsOf(stated), partsOf(own)];
	if (there === null || here === null) return false;
	const isOther = (a: string, b: string) => a !== '' && a !== b;
	return isOther(there.host, here.host) || isOther(there.path.join('/'), here.path.join('/'));
}

/** Names a row of a run among those of an execution; see `waiting/address.ts`. */
export const PLACE_PARAMETER = 'upi';

const placeIn = (url: string): string | null => ownParametersIn(url, PLACE_PARAMETER)[0] ?? null;

/** By the end of the path: the rest of an address is another one behind another proxy. */
const sameExecution = (one: string, other: string): boolean =>
	executionIn(one) === executionIn(other);

const executionIn = (address: string): string | undefined =>
	partsOf(address)?.path.slice(-3).join('/');

/** Whether a record states the order of a payment; null when it states none, or there is none. */
function statesOrder(record: Readonly<Json>, { orderReference }: AskedPayment): boolean | null {
	const stated = record[OWN_REFERENCE];
	// Where there is no order, a service may say so.
	if (orderReference === null || !isName(stated) || isPlaceholder(stated)) return null;
	return otherOrderIn([record], orderReference) === null;
}

/** The amount that was asked for, in its currency, and no other payer. */
function statesWhatWasAsked(
	{ amount, currency, mobile }: Readonly<Json>,
	payment: AskedPayment,
): boolean {
	if (!sameValue('amount', amount, payment.amount)) return false;
	if (!sameValue('currency', currency, payment.currency)) return false;
	return !isOtherPhone(mobile, payment.mobile);
}
