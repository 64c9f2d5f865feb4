import { isRecord, type Json } from '../protocol/parse';
import { isPlaceholder } from '../protocol/reply';
import { isStated, OWN_REFERENCE, sameReference } from './compare';
import type { ExtraStatuses } from '../protocol/credential';
import { readState, type State } from './state';

/** The service calls it `ref`; the payload of a callback is not shown, so its relatives count, too. */
const NAMES = ['ref', 'reference', 'transaction_reference', 'transaction_id', 'id'] as const;
const KEYS = [...NAMES, OWN_REFERENCE] as const;

/** Names under which a payload may carry the record. */
const ENVELOPES = ['data', 'transaction', 'payment'] as const;

/** Every candidate may cost two questions to the service, so a hostile payload gets few. */
const MAX_CANDIDATES = 3;
const MAX_OTHERS = 20;
const LONGEST = 128;

export interface Candidate {
	reference: string;
	/** True when it is the merchant's own name for the payment, and not the service's. */
	isOwn: boolean;
	/** The record that names it. */
	record: Json;
	/** From the body down to the record; both ends may be the same. */
	path: Json[];
}

/** A reference as text; null for whatever cannot be one. */
export function readReference(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	if (typeof value !== 'string') return null;
	const text = value.trim();
	const fits = text !== '' && text.length <= LONGEST && !/[\p{Control}\p{Surrogate}]/u.test(text);
	return fits ? text : null;
}

/** The merchant's own name for the payment; null when the record has none. */
const ownReferenceOf = ({ [OWN_REFERENCE]: own }: Json): string | null =>
	isPlaceholder(own) ? null : readReference(own);

interface Places {
	/** The objects that may well be the record, the likeliest first, each with the way to it. */
	likely: Json[][];
	/** Any other object of the body: a customer may have a reference, too. */
	others: Json[][];
}

function placesIn(body: Json): Places {
	const inside = (path: Json[], names: readonly string[]): Json[][] => {
		const parent = path[path.length - 1]!;
		return names
			.map((name) => parent[name])
			.filter(isRecord)
			.map((child) => [...path, child]);
	};
	const enveloped = inside([body], ENVELOPES);
	const nested = enveloped.flatMap((path) => inside(path, ENVELOPES));
	const others = Object.keys(body).filter((key) => !(ENVELOPES as readonly string[]).includes(key));
	return {
		likely: [...nested, ...enveloped, [body]],
		others: inside([body], others.slice(0, MAX_OTHERS)),
	};
}

/** What the callback may be about: the best name first, and the innermost record that has it. */
export function findCandidates(body: Json): Candidate[] {
	const { likely, others } = placesIn(body);
	const found = new Map<string, Candidate>();
	const look = (
		paths: readonly Json[][],
		nameIn: (record: Json) => string | null,
		isOwn = false,
	) => {
		for (const path of paths) {
			const record = path[path.length - 1]!;
			const reference = nameIn(record);
			if (reference !== null && !found.has(reference)) {
				found.set(reference, { reference, isOwn, record, path });
			}
		}
	};
	for (const paths of [likely, others]) {
		for (const name of NAMES) look(paths, (record) => readReference(record[name]));
	}
	look([...likely, ...others], ownReferenceOf, true);
	return [...found.values()].slice(0, MAX_CANDIDATES);
}

/** What a callback says about the state. Only a hint: it is never believed. */
export const claimedState = (body: Json, extra: ExtraStatuses): State => {
	const { likely, others: less } = placesIn(body);
	const states = [...likely, ...less].map((path) => readState(path.slice(-1), extra).state);
	const [first = 'other', ...others] = new Set(states.filter((each) => each !== 'other'));
	return others.length === 0 ? first : 'other';
};

/**
 * Whether a record calls itself that, by any of its names; null when it states no reference. One that
 * cannot be read is another. A `ref`, or the number of something, is compared with that alone, if there is one.
 */
export function isCalled(record: Json, reference: string, field?: string | null): boolean | null {
	const isAlone = (field === 'ref' || isCount(field)) && isStated(record[field]);
	const names = isAlone ? [field] : NAMES;
	const stated = names.map((name) => record[name]).filter(isStated);
	if (stated.length === 0) return null;
	return stated.some((each) => readReference(each) === reference);
}

/** By which of its names a reply or a record calls itself that. */
export const fieldNamed = (given: unknown, reference: string | null): string | null =>
	isRecord(given) && reference !== null
		? (NAMES.find((name) => readReference(given[name]) === reference) ?? null)
		: null;

/**
 * Whether a record that was asked for by our own name for a payment may have been found by what the
 * service calls another one, which is the same by chance.
 */
export const isFoundByChance = (record: Json, ownReference: string): boolean => {
	const { [OWN_REFERENCE]: own } = record;
	return (!isStated(own) || isPlaceholder(own)) && isCalled(record, ownReference) === true;
};

/** Whether the record is the one that was asked for. A record without any reference counts as that. */
export function isAbout(record: Json, { reference, isOwn }: Candidate): boolean {
	if (isOwn && isFoundByChance(record, reference)) return false;
	const stated = KEYS.map((key) => record[key]).filter(isStated);
	if (stated.length === 0 || stated.some((each) => readReference(each) === reference)) return true;
	const own = ownReferenceOf(record);
	// The specification's record does not show the merchant's own reference, so its silence about
	// that says nothing; only another one would.
	return own === null ? isOwn : sameReference(own, reference);
}

/** Whether a field holds a number that something else may have, too. */
export const isCount = (field: string | null | undefined): field is 'id' | 'transaction_id' =>
	field === 'id' || field === 'transaction_id';

/** Whether a name is but a number that something else may have, too. */
export const isNumber = (reference: string | null, field: string | null | undefined): boolean =>
	isCount(field) && reference !== null && /^\d+$/.test(reference);

export type TransactionType = 'payin' | 'payout';

const TYPE_FIELDS = ['type', 'transaction_type'] as const;
/** Money that went out again, whatever it is about. */
const OUT =
	/^(?:payout.*|disbursement.*|withdrawals?|cashout|b2[bc]|refund.*|.*revers(?:al|ed)|chargebacks?|transferout)$/;
const TYPE_WORDS: ReadonlyArray<[type: TransactionType, words: RegExp]> = [
	['payout', OUT],
	['payout', /^(?:debits?|fees?)$/],
	['payin', /^(?:payins?|collections?|deposits?)$/],
];

/** "Pay-Out" and "pay_out" are one word. */
const foldedWord = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

const typeWordsOf = (path: readonly Json[]): string[] =>
	path
		.flatMap((each) => TYPE_FIELDS.map((field) => each[field]))
		.filter((word) => typeof word === 'string')
		.map(foldedWord);

/** The type as the record states it; null when it does not. */
export function statedType(path: readonly Json[]): TransactionType | null {
	const words = typeWordsOf(path);
	const said = TYPE_WORDS.find(([, pattern]) => words.some((word) => pattern.test(word)));
	return said?.[0] ?? null;
}

/**
 * A refund may have the address and the order of its payment, and is not the payment. A reversal is,
 * where it says of itself that it was reversed.
 */
export function isMoneyBack(record: Json): boolean {
	const isReversed = foldedWord(readState([record]).status ?? '') === 'reversed';
	return typeWordsOf([record]).some(
		(word) => OUT.test(word) && !(isReversed && word.includes('revers')),
	);
}

/** Which type it seems to be; null when nothing tells. Payees and invoices are for payouts only. */
export function seemingType({
	path,
	record,
}: Pick<Candidate, 'path' | 'record'>): TransactionType | null {
	const isPayout = [record.payee, record.invoice_no].some(
		(each) => readReference(each) !== null && !isPlaceholder(each),
	);
	return statedType(path) ?? (isPayout ? 'payout' : null);
}

export const likelyType = (candidate: Candidate): TransactionType =>
	seemingType(candidate) ?? 'payin';
