import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { matchLinks } from '../../../nodes/UnifiedPayments/payment/listedLinks.ts';

export type SentLink = Parameters<typeof matchLinks>[1][number];

const ACCOUNT = {
	baseUrl: 'https://pay.example.com',
	identity: { clientId: 'c', sender: 's', secretKey: 'k' },
};
export const HOOK = 'https://n8n.example.com/webhook/pay?token=t';
const now = async () => undefined;
export const mark = (orderReference: string | null, amount = '100', key = 'key') =>
	writeMark(ACCOUNT, { orderReference, amount, currency: 'KES' }, key);

/** A link as it was sent, with a mark unless that is null. */
export function sent(over: Partial<SentLink> & { params?: object } = {}): SentLink {
	const orderReference = over.orderReference === undefined ? 'A-1' : over.orderReference;
	const own = over.mark === undefined ? mark(orderReference) : over.mark;
	return {
		orderReference,
		mark: own,
		knownBy: over.knownBy ?? (orderReference === null ? 'values' : 'orderReference'),
		params: {
			business_name: 'Amina Shop',
			item_name: 'Rent',
			amount: '100.00',
			currency: 'KES',
			country_id: 1,
			...(own === null ? {} : { callback_url: withMark(HOOK, own) }),
			...over.params,
		},
	};
}

export const match = async (entries: unknown[], ...links: SentLink[]) =>
	await matchLinks(entries, links, now);
