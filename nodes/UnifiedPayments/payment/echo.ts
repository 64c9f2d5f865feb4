import { isRecord, type Json } from '../protocol/parse';
import { foldedReference, isName, OWN_REFERENCE, sameValue } from './compare';
import { markTextsIn } from './mark';

/** What a reply repeats of the request must be what was sent, or nothing in it is believed. */
const ECHOED = [OWN_REFERENCE, 'third_party_reference_2', 'amount', 'currency'] as const;

/** A field of a reply that is not what was sent, for some also when it was not sent at all. */
export function wrongEcho(data: unknown, sent: Readonly<Json>): string | null {
	if (!isRecord(data)) return null;
	const isWrong = (field: string) =>
		isName(data[field]) && !sameValue(field, data[field], sent[field]);
	if (isOtherMark(data.callback_url, sent.callback_url)) return 'callback_url';
	return ECHOED.find(isWrong) ?? otherPayer(data, sent);
}

/** An address may be written in another way, but not with the mark of another payment. */
function isOtherMark(stated: unknown, sent: unknown): boolean {
	const marks = typeof stated === 'string' ? markTextsIn(stated).join() : '';
	return marks !== '' && marks !== markTextsIn(typeof sent === 'string' ? sent : '').join();
}

/** Of payer and item, the one that is certainly another; a service may shorten, mask or escape them. */
export function otherPayer(stated: Readonly<Json>, sent: Readonly<Json>): string | null {
	if (isOtherText(emailIn(stated.email), emailIn(sent.email))) return 'email';
	return isOtherText(lettersIn(stated.item_name), lettersIn(sent.item_name)) ? 'item_name' : null;
}

const isOtherText = (a: string, b: string): boolean => !a.startsWith(b) && !b.startsWith(a);

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
