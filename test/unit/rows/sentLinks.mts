import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { matchLinks } from '../../../nodes/UnifiedPayments/payment/matchLinks.ts';
import type { AskedPayment } from '../../../nodes/UnifiedPayments/payment/whose.ts';

export const accountWith = (secretKey: string) => ({
	baseUrl: 'https://pay.example.com',
	identity: { clientId: 'c', sender: 's', secretKey },
});
export const ACCOUNT = accountWith('k');
export const HOOK = 'https://n8n.example.com/webhook/pay?token=t';

interface Marked {
	order?: string | null;
	amount?: string;
	/** A key of the user's own. */
	key?: string;
	/** What a payment without an order is known by. */
	values?: string;
	nodeId?: string;
	account?: typeof ACCOUNT;
}

export const mark = ({
	order = 'A-1',
	amount = '100',
	key,
	values = 'values',
	nodeId = 'node',
	account = ACCOUNT,
}: Marked = {}): string =>
	writeMark(
		account,
		{ orderReference: order, amount, currency: 'KES' },
		key === undefined
			? { key: order ?? values, by: order === null ? 'values' : 'orderReference' }
			: { key, by: 'duplicateKey' },
		{ workflowId: 'workflow', nodeId },
	);

export const marked = (given: Marked = {}, hook = HOOK): string => withMark(hook, mark(given));

/** A link as it was sent, with its mark; no reply named it. */
export function sent(over: Partial<AskedPayment> = {}): AskedPayment & { callbackUrl: string } {
	const { orderReference = 'A-1', amount = '100' } = over;
	return {
		reference: null,
		sentBefore: false,
		orderReference,
		ownReference: null,
		isOneOfSeveral: false,
		mayBeTriedAgain: true,
		amount,
		currency: 'KES',
		mobile: null,
		...over,
		callbackUrl: over.callbackUrl ?? marked({ order: orderReference, amount: String(amount) }),
	};
}

export const match = async (entries: unknown[], ...links: AskedPayment[]) =>
	await matchLinks(entries, links, ACCOUNT, async () => undefined);
