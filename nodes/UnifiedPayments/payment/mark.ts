import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import type { PaymentKey } from './key';
import { amountOf, hundredthsOf } from './money';
import { foldedReference } from './compare';
import { parametersNamed, withParameter } from '../protocol/query';

/** Short, because services like this one often keep a URL in 255 characters. */
const ORDER_PARAMETER = 'upo';

/** What was asked for when a payment was created. */
export interface Asked {
	amount: number;
	currency: string;
}

interface OrderMark {
	/** Null when the payment has none, or one that a URL cannot carry. */
	orderReference: string | null;
	asked: Asked;
}

/** What a URL says about the payment that it was made for. */
export type MarkReading = { kind: 'absent' | 'invalid' } | ({ kind: 'valid' } & OrderMark);

interface MarkedPayment {
	orderReference: string | null;
	/** An exact decimal with at most two decimals. */
	amount: string;
	currency: string;
}

/** Which node made a mark. */
export interface Maker {
	workflowId: string;
	nodeId: string;
}

/*
 * A mark is kind and order, a point, hundredths, currency and maker, a point, and a code. Every
 * character of it is one that no writer of URLs escapes, so it comes back as it was sent.
 */
const CODE_BYTES = 12;
const CODE_LENGTH = 16;
const PLAIN_ORDER = /^[\w-]+$/;
const WELL_FORMED = /^\P{Surrogate}+$/u;

const NO_ORDER = '0';
const ORDER_AS_IT_IS = '1';
const ORDER_ENCODED = '2';
/** The same two, behind a hash of the key by which the payment is told from others of the order. */
const KEYED_ORDER_AS_IT_IS = '3';
const KEYED_ORDER_ENCODED = '4';
const KEY_LENGTH = 6;

/** Enough to tell the nodes of one account apart; a URL must not become long. */
const MAKER_LENGTH = 4;
const CURRENCY_LENGTH = 3;

/** Any mark in a text: first what it says, then its code. No order holds a point. */
const MARK = /upo=([\w-]{1,200}\.[1-9]\d{0,16}[A-Z]{3}[\w-]{4})\.[\w-]{16}(?![\w-])/g;

/**
 * What the marks in a text say, without their codes: a code is another one after the key was changed.
 * Their orders are as people see them, so that one that was written in another way is the same.
 */
export const markTextsIn = (text: string | null): string[] =>
	[...(text ?? '').matchAll(MARK)].map((match) => foldedMark(match[1]!));

/** What such a mark calls the payment, whatever its amount: order or key, and maker. */
export const nameInMark = (said: string): string =>
	said.slice(0, said.indexOf('.') + 1) + said.slice(-MAKER_LENGTH);

function foldedMark(said: string): string {
	const kind = said.charAt(0);
	if (kind !== ORDER_ENCODED && kind !== KEYED_ORDER_ENCODED) return said;
	const point = said.indexOf('.');
	const start = kind === ORDER_ENCODED ? 1 : 1 + KEY_LENGTH;
	const order = foldedReference(decoded(said.slice(start, point)));
	return writtenOrder(order, said.slice(1, start)) + said.slice(point);
}

/** The longest order reference that a URL carries, in bytes of UTF-8. */
const LONGEST_ORDER = 128;

/** From here on a service may cut a URL, or refuse it. */
export const LONGEST_SAFE_URL = 255;

export const isCarried = (orderReference: string): boolean =>
	WELL_FORMED.test(orderReference) && Buffer.byteLength(orderReference) <= LONGEST_ORDER;

/** A few characters for a node, the same in every execution. */
const makerText = ({ workflowId, nodeId }: Maker): string =>
	hash('sha256', JSON.stringify([workflowId, nodeId]), 'base64url').slice(0, MAKER_LENGTH);

/**
 * The value of the parameter. Nobody without the secret key can make the code, and it holds for
 * this account, order, amount, currency and node only. A payment without an order is told apart by
 * a hash of its key; so is one whose order may have several payments.
 */
export function writeMark(
	account: Account,
	{ orderReference, amount, currency }: MarkedPayment,
	{ key, by }: Pick<PaymentKey, 'key' | 'by'>,
	maker: Maker,
): string {
	const order = orderText(orderReference, key, by === 'duplicateKey');
	const text = `${order}.${hundredthsOf(amount)}${currency}${makerText(maker)}`;
	return `${text}.${codeOf(account, text)}`;
}

function orderText(
	orderReference: string | null,
	paymentKey: string,
	isOneOfSeveral: boolean,
): string {
	const keyHash = (length: number) => hash('sha256', paymentKey, 'base64url').slice(0, length);
	if (orderReference === null || !isCarried(orderReference)) return NO_ORDER + keyHash(12);
	return writtenOrder(orderReference, isOneOfSeveral ? keyHash(KEY_LENGTH) : '');
}

function writtenOrder(order: string, keyHash: string): string {
	const isPlain = PLAIN_ORDER.test(order);
	const written = isPlain ? order : Buffer.from(order).toString('base64url');
	if (keyHash === '') return (isPlain ? ORDER_AS_IT_IS : ORDER_ENCODED) + written;
	return (isPlain ? KEYED_ORDER_AS_IT_IS : KEYED_ORDER_ENCODED) + keyHash + written;
}

/** The first word keeps a mark apart from everything else that is signed with the same key. */
const codeOf = (account: Account, text: string, key = account.identity.secretKey): string =>
	createHmac('sha256', key)
		.update(JSON.stringify(['unified-payments order', accountOf(account), text]))
		.digest()
		.subarray(0, CODE_BYTES)
		.toString('base64url');

/** The address with this mark, in place of any other. */
export const withMark = (url: string, mark: string): string =>
	withParameter(url, ORDER_PARAMETER, mark);

/** The marks of an address, as they are written there, and nothing else of it. */
export const marksIn = (url: string): string[] => ownParametersIn(url, ORDER_PARAMETER);

/**
 * Our own parameters of this name. A service may escape an address before it calls it, or put
 * something behind it, such as a slash or a second question mark: no value of ours has these.
 */
export const ownParametersIn = (url: string, name: string): string[] =>
	parametersNamed(unescaped(url), name).map((each) => each.replace(/(=[\w.-]*).*/s, '$1'));

/** A service may write an address as a part of JSON, of HTML or of another address. */
export function unescaped(address: string): string {
	const text = address.replaceAll('\\/', '/').replace(/&(?:amp|#0*38|#x0*26);|\\u0026/gi, '&');
	try {
		return /^https?%3a/i.test(text) ? decodeURIComponent(text) : text;
	} catch {
		return text;
	}
}

/** What an address says; only a mark that is there once, byte for byte as it was written, is valid. */
export function readMark(account: Account, url: string): MarkReading {
	const [only, ...others] = marksIn(url);
	if (only === undefined) return { kind: 'absent' };
	const mark = others.length === 0 ? parseMark(account, only) : null;
	return mark ? { kind: 'valid', ...mark } : { kind: 'invalid' };
}

function parseMark(account: Account, written: string): OrderMark | null {
	const value = written.slice(ORDER_PARAMETER.length + 1);
	const text = value.slice(0, -CODE_LENGTH - 1);
	const { identity, previousSecretKey } = account;
	const given = Buffer.from(written);
	const isCodedWith = (key: string): boolean => {
		const expected = Buffer.from(`${ORDER_PARAMETER}=${text}.${codeOf(account, text, key)}`);
		return expected.length === given.length && timingSafeEqual(expected, given);
	};
	// Both are always tried, so that the time it takes does not tell which one it was.
	const keys = previousSecretKey ? [identity.secretKey, previousSecretKey] : [identity.secretKey];
	if (!keys.map(isCodedWith).includes(true)) return null;
	// The code is right, so the rest is what we wrote.
	const [order, asked] = text.split('.') as [string, string];
	const money = asked.slice(0, -MAKER_LENGTH);
	return {
		orderReference: orderIn(order.charAt(0), order.slice(1)),
		asked: {
			amount: Number(amountOf(BigInt(money.slice(0, -CURRENCY_LENGTH)))),
			currency: money.slice(-CURRENCY_LENGTH),
		},
	};
}

function orderIn(kind: string, order: string): string | null {
	switch (kind) {
		case NO_ORDER:
			return null;
		case ORDER_AS_IT_IS:
			return order;
		case KEYED_ORDER_AS_IT_IS:
			return order.slice(KEY_LENGTH);
		case KEYED_ORDER_ENCODED:
			return decoded(order.slice(KEY_LENGTH));
		default:
			return decoded(order);
	}
}

const decoded = (order: string): string => Buffer.from(order, 'base64url').toString();

/** Whether an address that we wrote tells its payment from others of the order by a key. */
export const isKeyed = (url: string): boolean =>
	marksIn(url).some((mark) => KEYED.includes(mark.charAt(ORDER_PARAMETER.length + 1)));

const KEYED = [KEYED_ORDER_AS_IT_IS, KEYED_ORDER_ENCODED];
