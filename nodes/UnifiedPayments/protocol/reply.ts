import { z } from 'zod';

import { isRecord, parseJson, readBoolean, type Json } from './parse';

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

/**
 * Reads any body, as text or already parsed; it never throws. The headers, with names in lower case,
 * may say that a list goes on.
 */
export function readReply(body: unknown, headers: Readonly<Json> = {}): Reply {
	const reply = parsed(body);
	if (!isRecord(reply)) return NOTHING;
	const { success, message, data } = reply;
	return {
		success: readBoolean(success),
		message: typeof message === 'string' ? message : null,
		data,
		...(Array.isArray(data) && isPageOf(reply, headers, data.length) ? { isPaged: true } : {}),
	};
}

const isPageOf = (reply: Readonly<Json>, headers: Readonly<Json>, count: number): boolean =>
	goesOn(reply, count) ||
	numberIn(headers['x-total-count']) > count ||
	NEXT_LINK.test(String(headers.link));

/** `<https://…>; rel="next"`, also without the quotes. */
const NEXT_LINK = /;\s*rel\W+next\b/i;

/** What services call these, without case and marks. */
const MORE: readonly string[] = ['more', 'hasmore', 'hasnext', 'hasnextpage', 'hasmorepages'];
const LAST: readonly string[] = ['last', 'islast'];
const PAGE: readonly string[] = ['page', 'currentpage', 'pagenumber'];
const PAGES: readonly string[] = ['pages', 'lastpage', 'totalpages', 'pagecount'];
const TOTAL: readonly string[] = [
	...['total', 'totalcount', 'totalitems', 'totalrecords', 'totalresults', 'totalelements'],
	'recordstotal',
];
/** How many entries a page has at most. */
const LIMIT: readonly string[] = ['limit', 'perpage', 'pagesize'];
/** How far below the reply they may stand. */
const DEEPEST_PAGING = 2;

/** Whether a list is one page of several, by what its reply says beside it. In doubt it is. */
function goesOn(place: Readonly<Json>, count: number, depth = DEEPEST_PAGING): boolean {
	const said = Object.entries(place).map(([name, value]) => [withoutMarks(name), value] as const);
	const named = (names: readonly string[]) =>
		said.flatMap(([name, value]) => (names.includes(name) ? [value] : []));
	const next = said.filter(([name]) => name.startsWith('next')).map(([, value]) => value);
	const more = named(MORE).map((value) => numberIn(value) === 1 || readBoolean(value));
	const last = named(LAST).map(readBoolean);
	// It may name no page, as none was asked for.
	const page = numberIn(named(PAGE)[0]) || 1;
	const pages = named(PAGES).map(numberIn);
	const totals = named(TOTAL).map(numberIn);
	// A full page may be the last one, if anything says so.
	const isEnd =
		next.length > 0 ||
		more.includes(false) ||
		last.includes(true) ||
		pages.includes(page) ||
		totals.includes(count);
	return (
		[...next, ...named(['cursor'])].some(isElsewhere) ||
		more.includes(true) ||
		last.includes(false) ||
		pages.some((each) => each > page) ||
		[...totals, ...named(['count']).map(numberIn)].some((total) => total > count) ||
		(!isEnd && named(LIMIT).map(numberIn).includes(count)) ||
		(depth > 0 && said.some(([, value]) => isRecord(value) && goesOn(value, count, depth - 1)))
	);
}

const withoutMarks = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Also of "1,203"; NaN of what is neither text nor a number. */
const numberIn = (value: unknown): number =>
	typeof value === 'string' || typeof value === 'number'
		? Number(String(value).replace(/[^\d-]/g, ''))
		: NaN;

const isElsewhere = (value: unknown): boolean =>
	typeof value === 'string'
		? value.trim() !== ''
		: typeof value === 'number' || value === true || isRecord(value);

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

/** What services write where they have nothing to say. */
const PLACEHOLDER = /^(?:n\/a|null|none|undefined|-+|0)$/i;

export const isPlaceholder = (value: unknown): boolean =>
	(typeof value === 'string' || typeof value === 'number') &&
	PLACEHOLDER.test(String(value).trim());

/** Names under which a reply may carry these. The sample's `data` is empty: an assumption. */
const REFERENCE_FIELDS = ['reference', 'ref', 'transaction_reference', 'transaction_id', 'id'];
/** `url` alone may be the address of the record in the API. */
const LINK_FIELDS = ['link', 'payment_link', 'payment_url', 'checkout_url', 'link_url', 'url'];

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
	textsIn(data, REFERENCE_FIELDS).filter(isNaming);

/** The field that holds the most telling of them. */
export const referenceFieldIn = (data: unknown): string | null =>
	REFERENCE_FIELDS.find((field) => textsIn(data, [field]).some(isNaming)) ?? null;

const isNaming = (text: string): boolean => text !== '' && !isPlaceholder(text);

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
