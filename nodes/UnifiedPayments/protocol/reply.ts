import { z } from 'zod';

import { isRecord, parseJson, type Json } from './parse';

/** A reply of the service, read but not yet judged. */
export interface Reply {
	/** Null when the body has no `success` that can be read as true or false. */
	success: boolean | null;
	message: string | null;
	data: unknown;
	/** There when the reply says that its list goes on elsewhere. */
	isPaged?: true;
}

const text = z.string().min(1);

const NOTHING: Reply = { success: null, message: null, data: undefined };

const parsed = (body: unknown): unknown => (typeof body === 'string' ? parseJson(body) : body);

/** Reads any body, as text or already parsed; it never throws. */
export function readReply(body: unknown): Reply {
	const reply = parsed(body);
	if (!isRecord(reply)) return NOTHING;
	const { success, message, data } = reply;
	return {
		success: readSuccess(success),
		message: typeof message === 'string' ? message : null,
		data,
		...(isPaged(reply) ? { isPaged: true } : {}),
	};
}

/** Booleans, and the strings that the balance endpoint uses. Anything else is no answer. */
function readSuccess(success: unknown): boolean | null {
	if (success === true || success === 'true') return true;
	return success === false || success === 'false' ? false : null;
}

/** Where a reply may say that its list goes on elsewhere. */
const PLACES = ['meta', 'links', 'pagination', 'paging'] as const;
const NEXT = ['next', 'next_page', 'next_page_url', 'next_cursor'] as const;
const MORE = ['has_more', 'has_next', 'has_next_page'] as const;

/** Whether the list of a reply is one page of several, by what the reply says beside it. */
function isPaged(reply: Readonly<Json>): boolean {
	const count = Array.isArray(reply.data) ? reply.data.length : 0;
	return [reply, ...PLACES.map((name) => reply[name]).filter(isRecord)].some((place) =>
		goesOn(place, count),
	);
}

function goesOn(place: Readonly<Json>, count: number): boolean {
	const isYes = (value: unknown) => value === 'true' || Number(value) === 1;
	const isLater = (value: unknown) =>
		typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || isRecord(value);
	return (
		NEXT.some((name) => isLater(place[name])) ||
		MORE.some((name) => isYes(place[name])) ||
		Number(place.last_page ?? place.total_pages ?? 0) > Number(place.current_page ?? 1) ||
		Number(place.total ?? 0) > count
	);
}

/** The shape of the signing endpoint's reply is an assumption: see docs/assumptions.md. */
const SIGNATURE_PLACES = [
	z.object({ signature: text }).transform((reply) => reply.signature),
	z.object({ data: z.object({ signature: text }) }).transform((reply) => reply.data.signature),
	z.object({ data: text }).transform((reply) => reply.data),
];

/** The signature in a reply of the signing endpoint; null when there is none. */
export function readSignature(body: unknown): string | null {
	const reply = parsed(body);
	for (const place of SIGNATURE_PLACES) {
		const read = place.safeParse(reply);
		if (read.success) return read.data;
	}
	return null;
}

const tokenSchema = z.object({ token: text });

/** The token in `data` of the token endpoint's reply; null when there is none. */
export function readToken(data: unknown): string | null {
	const read = tokenSchema.safeParse(data);
	return read.success ? read.data.token : null;
}

/** Names under which a reply may carry these. The sample's `data` is empty: an assumption. */
const REFERENCE_FIELDS = ['reference', 'ref', 'transaction_reference', 'transaction_id', 'id'];
const LINK_FIELDS = ['link', 'payment_link', 'url', 'payment_url', 'checkout_url', 'link_url'];

const textsIn = (data: unknown, fields: readonly string[]): string[] =>
	isRecord(data)
		? fields
				.map((field) => data[field])
				// A number above 2^53 has lost its last digits, and would name something else.
				.filter((value) => typeof value === 'string' || Number.isSafeInteger(value))
				.map((value) => String(value).trim())
		: [];

/** Every name that a record gives itself, the most telling first. */
export const referencesIn = (data: unknown): string[] =>
	textsIn(data, REFERENCE_FIELDS).filter((each) => each !== '');

/** The field that holds the most telling of them. */
export const referenceFieldIn = (data: unknown): string | null =>
	REFERENCE_FIELDS.find((field) => textsIn(data, [field]).some((each) => each !== '')) ?? null;

type WithData = Pick<Reply, 'data'>;

export const referenceIn = ({ data }: WithData): string | null => referencesIn(data)[0] ?? null;

/** Where a request has addresses. A reply may say them back. */
const SENT_FIELDS = ['callback_url', 'redirection_url'];

/** Where the customer pays, which is never an address that we sent. */
export function linkIn({ data }: WithData, sent: Readonly<Json> = {}): string | null {
	const own = textsIn(sent, SENT_FIELDS).map(withoutQuery);
	const isLink = (each: string) => /^https?:\/\//i.test(each) && !own.includes(withoutQuery(each));
	return textsIn(data, LINK_FIELDS).find(isLink) ?? null;
}

const withoutQuery = (address: string): string => address.replace(/[?#].*/s, '');

/** The entries of a list reply, each as an object; null when `data` is no list. */
export function entriesOf({ data }: WithData): Json[] | null {
	if (!Array.isArray(data)) return null;
	return data.map((entry) => (isRecord(entry) ? entry : { value: entry as unknown }));
}
