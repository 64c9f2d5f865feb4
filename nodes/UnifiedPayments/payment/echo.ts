import type { Account } from '../protocol/credential';
import { isRecord, type Json } from '../protocol/parse';
import { isPlaceholder } from '../protocol/reply';
import {
	foldedReference,
	isName,
	isOtherCurrency,
	mayBeSame,
	OWN_REFERENCE,
	sameValue,
} from './compare';
import { markTextsIn, readMark } from './mark';

/** What a reply repeats of the request must be what was sent, or nothing in it is believed. */
const REFERENCES: readonly string[] = [OWN_REFERENCE, 'third_party_reference_2'];
const ECHOED = [...REFERENCES, 'amount', 'currency'];

/** A field of a reply that is not what was sent, for some also when it was not sent at all. */
export function wrongEcho(data: unknown, sent: Readonly<Json>): string | null {
	if (!isRecord(data)) return null;
	const isWrong = (field: string) => {
		const stated = field === 'amount' ? withoutCurrency(data.amount, sent.currency) : data[field];
		if (!isName(stated)) return false;
		if (field === 'currency') return isOtherCurrency(stated, String(sent[field]));
		const saysNothing = REFERENCES.includes(field) && isPlaceholder(stated);
		return !saysNothing && !mayBeSame(field, stated, sent[field]);
	};
	if (isOtherMark(data.callback_url, sent.callback_url)) return 'callback_url';
	return ECHOED.find(isWrong) ?? otherPayer(data, sent);
}

const WITH_CURRENCY = /^([A-Z]{3}) ?([\d.,]+)$|^([\d.,]+) ?([A-Z]{3})$/i;

/** "KES 10.00" is 10.00, where KES was sent. */
function withoutCurrency(amount: unknown, currency: unknown): unknown {
	const [, before, number, other = number, code = before] =
		WITH_CURRENCY.exec(typeof amount === 'string' ? amount.trim() : '') ?? [];
	return sameValue('currency', code, currency) ? other : amount;
}

/** An address may be written in another way, but not with the mark of another payment. */
function isOtherMark(stated: unknown, sent: unknown): boolean {
	const marks = typeof stated === 'string' ? markTextsIn(stated).join() : '';
	return marks !== '' && marks !== markTextsIn(typeof sent === 'string' ? sent : '').join();
}

/**
 * Of payer and item, the one that is certainly another; a service may shorten, mask or escape them, or
 * write a number without its country code. It may know the merchant by another name than was sent.
 */
export function otherPayer(stated: Readonly<Json>, sent: Readonly<Json>): string | null {
	const isOther = ([field, differs]: (typeof PAYER)[number]) => differs(stated[field], sent, field);
	return PAYER.find(isOther)?.[0] ?? null;
}

type Differs = (stated: unknown, sent: Readonly<Json>, field: string) => boolean;

const isOtherText = (a: string, b: string): boolean =>
	!a.startsWith(b) && !b.startsWith(a) && isPlain(a) === isPlain(b);

/** Of a letter beyond these, nobody can say what a service without it writes instead. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

const isOtherName: Differs = (stated, sent, field) => {
	const name = lettersIn(stated);
	// Both names may be in one field, or in the other one.
	const own = [sent.first_name, sent.last_name].map(lettersIn).filter((each) => each !== '');
	const isAnother = (each: string) => !each.includes(name) && isOtherText(name, each);
	return (
		lettersIn(sent[field]) !== '' && own.every((each) => isAnother(each) && !name.includes(each))
	);
};

/** Whether two phone numbers are certainly not one. A service may cut or mask a number. */
export function isOtherPhone(stated: unknown, own: unknown): boolean {
	const [a, b] = [digitsIn(stated), digitsIn(own)];
	const length = Math.min(a.length, b.length, MAX_DIGITS);
	const isCut = a.includes(b) || b.includes(a);
	return length >= MIN_DIGITS && !isCut && a.slice(-length) !== b.slice(-length);
}

const isOtherNumber: Differs = (stated, sent, field) => isOtherPhone(stated, sent[field]);

/** Without the country code, of which a service may make something else. */
const MAX_DIGITS = 9;
const MIN_DIGITS = 7;

const digitsIn = (value: unknown): string => {
	const text = typeof value === 'object' ? '' : String(value);
	return /^[\d\s+()./-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^0+/, '') : '';
};

const PAYER: ReadonlyArray<[field: string, differs: Differs]> = [
	['email', (stated, { email }) => isOtherText(emailIn(stated), emailIn(email))],
	['item_name', (stated, { item_name: item }) => isOtherText(lettersIn(stated), lettersIn(item))],
	['mobile', isOtherNumber],
	['phone', isOtherNumber],
	['first_name', isOtherName],
	['last_name', isOtherName],
];

const emailIn = (value: unknown): string => {
	const text = typeof value === 'string' ? foldedReference(value).toLowerCase() : '';
	return /^[^@*\s]+@[^@*\s]+$/.test(text) ? text : '';
};

/** Without what is easily lost on the way. */
const lettersIn = (value: unknown): string =>
	typeof value === 'string' && !/[?*\uFFFD]/.test(value)
		? value
				.slice(0, LONGEST_COMPARED)
				.normalize('NFKD')
				.replace(/&#?\w+;|[^\p{L}\p{N}]/gu, '')
				.toLowerCase()
		: '';

const LONGEST_COMPARED = 500;

const ADDRESS = /https?:\/\/[^\s"'<>\\]+/gi;

/** Every address in an entry or a record, at whatever place. */
const addressesIn = (record: Json): string[] => JSON.stringify(record).match(ADDRESS) ?? [];

/** What a record kept of a callback URL: all of it, a part of it, or nothing that can be seen. */
export function keptOf(record: Json, callbackUrl: string): 'whole' | 'part' | 'nothing' {
	const addresses = addressesIn(record);
	if (addresses.includes(callbackUrl)) return 'whole';
	const [start = callbackUrl] = callbackUrl.split('?');
	return addresses.some((each) => each.startsWith(start.slice(0, 60))) ? 'part' : 'nothing';
}

/** Whether a record has a callback URL whose mark is ours and holds: then it was kept whole. */
export const keepsMark = (record: Json, account: Account): boolean =>
	addressesIn(record).some((address) => readMark(account, address).kind === 'valid');
