import { isRecord } from '../protocol/parse';
import type { Reply } from '../protocol/reply';

/** Names under which a reply may carry these. The sample's `data` is empty: an assumption. */
const REFERENCE_FIELDS = ['reference', 'ref', 'transaction_reference', 'transaction_id', 'id'];
const LINK_FIELDS = ['link', 'payment_link', 'url', 'payment_url', 'checkout_url', 'link_url'];

const firstText = (data: unknown, fields: readonly string[], fits: (text: string) => boolean) => {
	if (!isRecord(data)) return null;
	const values = fields.map((field) => data[field]);
	const found = values.find(
		(value) => (typeof value === 'string' || typeof value === 'number') && fits(String(value)),
	);
	return found === undefined ? null : String(found);
};

export const referenceIn = (reply: Reply): string | null =>
	firstText(reply.data, REFERENCE_FIELDS, (text) => text !== '');

export const linkIn = (reply: Reply): string | null =>
	firstText(reply.data, LINK_FIELDS, (text) => /^https?:\/\//i.test(text));
