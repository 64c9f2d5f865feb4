import { isRecord, type Json } from '../protocol/parse';
import { firstIn, type FieldNames, type Reply } from '../protocol/reply';
import { isMarked } from './mark';

/** Where a request has addresses, which a reply or an entry may say back. */
const SENT_FIELDS = ['callback_url', 'redirection_url'];

const readAddress = (value: unknown): string | null =>
	typeof value === 'string' && /^https?:\/\//i.test(value.trim()) ? value.trim() : null;

const withoutQuery = (address: string): string => address.replace(/[?#].*/s, '');

/** Where the customer pays, as an entry says: never an address that was sent, or that has our mark. */
export function linkIn(
	place: unknown,
	{ linkFields }: FieldNames,
	sent: Readonly<Json> = {},
): string | null {
	const own = [sent, isRecord(place) ? place : {}]
		.flatMap((each) => SENT_FIELDS.map((field) => readAddress(each[field])))
		.flatMap((each) => (each === null ? [] : [withoutQuery(each)]));
	return firstIn(place, linkFields, (value) => {
		const link = readAddress(value);
		return link === null || isMarked(link) || own.includes(withoutQuery(link)) ? null : link;
	});
}

/** A reply may give it in its `data` or beside it. */
export const linkOf = (
	{ data, body }: Reply,
	names: FieldNames,
	sent?: Readonly<Json>,
): string | null => linkIn(data, names, sent) ?? linkIn(body, names, sent);
