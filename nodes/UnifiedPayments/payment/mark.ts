import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import { hasParameter, withParameter } from '../protocol/query';
import { foldedReference } from './compare';
import { amountOf, hundredthsOf } from './money';
import type { Payment } from './payment';

/** Short, because services often keep a URL in 255 characters. */
const PARAMETER = 'upo';

/** What was asked for when a payment was created. */
export interface Asked {
	amount: number;
	currency: string;
}

/** What a mark says of the payment that it was made for. */
export interface ValidMark {
	is: 'valid';
	kind: Payment['kind'];
	/** Null when the payment has none, or one that a URL cannot carry. */
	orderReference: string | null;
	asked: Asked;
	/** Short form of the key; empty where the order names the payment. */
	key: string;
	/** Which node of which workflow made it. */
	maker: string;
	/** Which row of which execution waits for it; empty when none does. */
	place: string;
}

/** Valid: its code was made with this account's key. Invalid: it was altered, cut, or made by others. */
export type Mark = ValidMark | { is: 'invalid' } | { is: 'absent' };

export const NO_MARK: Mark = { is: 'absent' };
const INVALID: Mark = { is: 'invalid' };

/** Which node makes a mark, and for a row that an execution waits for: which row. */
export interface Maker {
	workflowId: string;
	nodeId: string;
	awaited?: { execution: string; run: number; row: number };
}

type MarkedPayment = Pick<
	Payment,
	'kind' | 'orderReference' | 'amount' | 'currency' | 'key' | 'isOneOfSeveral'
>;

/*
 * A mark is five parts with points between them: kind and order; hundredths and currency; key; maker
 * and place; code. Every character of it is one that no writer of URLs escapes.
 */
const MARK =
	/^([lc])([\w-]{0,180})\.([1-9]\d{0,16})([A-Z]{3})\.([\w-]{0,12})\.([\w-]{4})([\w-]{0,8})\.[\w-]{16}$/;
const KINDS = { l: 'link', c: 'collection' } as const;
const KEY_LENGTH = 6;
/** Of a payment that has nothing else to tell it apart. */
const LONG_KEY_LENGTH = 12;
const MAKER_LENGTH = 4;
const PLACE_LENGTH = 8;
const CODE_BYTES = 12;
const CODE_LENGTH = 16;

/** The longest order reference that a URL carries, in bytes of UTF-8. */
const LONGEST_ORDER = 128;
const WELL_FORMED = /^\P{Surrogate}+$/u;

/** From here on a service may cut a URL, or refuse it. */
export const LONGEST_SAFE_URL = 255;

export const isCarried = (orderReference: string): boolean =>
	WELL_FORMED.test(orderReference) && Buffer.byteLength(orderReference) <= LONGEST_ORDER;

const shortHash = (length: number, ...parts: unknown[]): string =>
	hash('sha256', JSON.stringify(parts), 'base64url').slice(0, length);

/** The mark of a payment. Nobody without the secret key can make its code. */
export function writeMark(account: Account, payment: MarkedPayment, maker: Maker): string {
	const { kind, orderReference: order, amount, currency, key, isOneOfSeveral } = payment;
	const { workflowId, nodeId, awaited } = maker;
	const isNamed = order !== null && isCarried(order);
	// The list shows no payer: the mark of a link also tells apart what was asked of whom under one order.
	const isKeyed = kind === 'link' || isOneOfSeveral;
	const keyLength = !isNamed ? LONG_KEY_LENGTH : isKeyed ? KEY_LENGTH : 0;
	const place = awaited && [awaited.execution, awaited.run, awaited.row];
	const text = [
		kind.charAt(0) + (isNamed ? Buffer.from(order).toString('base64url') : ''),
		`${hundredthsOf(amount)}${currency}`,
		shortHash(keyLength, key.key, key.values),
		shortHash(MAKER_LENGTH, workflowId, nodeId) +
			(place ? shortHash(PLACE_LENGTH, workflowId, nodeId, ...place) : ''),
	].join('.');
	return `${text}.${codeOf(account, text, account.identity.secretKey)}`;
}

/** The first word keeps a mark apart from everything else that is signed with the same key. */
const codeOf = (account: Account, text: string, key: string): string =>
	createHmac('sha256', key)
		.update(JSON.stringify(['unified-payments order', accountOf(account), text]))
		.digest()
		.subarray(0, CODE_BYTES)
		.toString('base64url');

/** The address with this mark, in place of any other. */
export const withMark = (url: string, mark: string): string => withParameter(url, PARAMETER, mark);

/** Whether an address is one of ours, as far as it says; whether its code holds is no matter. */
export const isMarked = (url: string): boolean => hasParameter(url, PARAMETER);

/** The parameter at any place of a text, also where the text is part of JSON, HTML or another address. */
const PARAMETERS =
	/(?:^|[?&;]|u0026|%3f|%26)upo((?:\[[^\]=]{0,20}\]|%5b[^=]{0,20}%5d)?)(?:=|%3d)([\w.-]*)/gi;

/** Every mark in a text, as it is written there; `upo[]=` and its like are given as no mark can be. */
const marksIn = (text: string): string[] =>
	[...text.matchAll(PARAMETERS)].map(([, index = '', mark = '']) => (index === '' ? mark : ''));

/** The mark of an address, as it is written there; null unless there is exactly one. */
export function markIn(url: string): string | null {
	const marks = marksIn(url);
	return marks.length === 1 ? marks[0]! : null;
}

/**
 * What a called address says: a mark must be there once. `withinRecord`: anywhere in the JSON of a
 * record or an entry, where one address may stand twice.
 */
export function readMark(account: Account, text: string, withinRecord = false): Mark {
	const written = marksIn(text);
	const [only, ...others] = withinRecord ? new Set(written) : written;
	if (only === undefined) return NO_MARK;
	return others.length === 0 && isMadeWith(account, only) ? partsOf(only) : INVALID;
}

/** What the addresses in a record or an entry say, at whatever place they stand. */
export const markWithin = (account: Account, record: unknown): Mark =>
	readMark(account, jsonOf(record), true);

/** Empty for what is nested too deeply to be written. */
export function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

function isMadeWith(account: Account, mark: string): boolean {
	const text = mark.slice(0, -CODE_LENGTH - 1);
	const given = Buffer.from(mark);
	const isCodedWith = (key: string): boolean => {
		const expected = Buffer.from(`${text}.${codeOf(account, text, key)}`);
		return expected.length === given.length && timingSafeEqual(expected, given);
	};
	const { identity, previousSecretKey } = account;
	// Both are always tried, so that the time it takes does not tell which one it was.
	const keys = previousSecretKey ? [identity.secretKey, previousSecretKey] : [identity.secretKey];
	return keys.map(isCodedWith).includes(true);
}

function partsOf(mark: string): Mark {
	const parts = MARK.exec(mark);
	if (parts === null) return INVALID;
	const [, kind, order = '', hundredths = '', currency = '', key = '', maker = '', place = ''] =
		parts;
	return {
		is: 'valid',
		kind: KINDS[kind as keyof typeof KINDS],
		orderReference: order === '' ? null : Buffer.from(order, 'base64url').toString(),
		asked: { amount: Number(amountOf(BigInt(hundredths))), currency },
		key,
		maker,
		place,
	};
}

/** Names the payment of a mark, whichever execution made it: the same for the same payment. */
export const paymentOfMark = (mark: Mark): string | null =>
	mark.is === 'valid'
		? JSON.stringify([
				mark.kind,
				mark.orderReference === null ? null : foldedReference(mark.orderReference),
				mark.asked.amount,
				mark.asked.currency,
				mark.key,
				mark.maker,
			])
		: null;

/** What a mark of our own says; its code is not looked at, so it must not come from outside. */
export const ownMark = (mark: string | null): Mark => (mark === null ? NO_MARK : partsOf(mark));

/** Whether a mark is the one of a payment that we sent. */
export function isMarkOf(
	stated: ValidMark,
	{ mark, sentEarlier }: Pick<Payment, 'mark' | 'sentEarlier'>,
): boolean {
	const own = ownMark(mark);
	return (
		own.is === 'valid' &&
		paymentOfMark(stated) === paymentOfMark(own) &&
		(sentEarlier || stated.place === own.place)
	);
}
