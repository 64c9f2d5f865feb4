import { withMark, writeMark, type Maker } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import type { Payment } from '../../../nodes/UnifiedPayments/payment/payment.ts';
import type { Account } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { READER } from './reader.mts';

export const HOOK = 'https://n8n.example.com/webhook/pay';
export const MAKER: Maker = { workflowId: 'workflow', nodeId: 'node' };

export const markOf = (
	payment: Parameters<typeof writeMark>[1],
	account: Account = READER,
	maker = MAKER,
): string => writeMark(account, payment, maker);

/** A link of 100 KES for order A-1, with its mark; no reply named it. */
export function paymentWith(
	changes: Partial<Payment> = {},
	account: Account = READER,
	hook = HOOK,
): Payment & { callbackUrl: string; mark: string } {
	const order = changes.orderReference === undefined ? 'A-1' : changes.orderReference;
	const payment: Payment = {
		account: ['pay.example', 'client'],
		kind: 'link',
		orderReference: order,
		ownReference: null,
		payer: [],
		item: 'Rent',
		amount: '100',
		currency: 'KES',
		countryId: 1,
		mobile: null,
		key: { key: `key of ${order}`, by: 'orderReference', values: null },
		isOneOfSeveral: false,
		mark: null,
		callbackUrl: null,
		sentEarlier: false,
		reference: null,
		...changes,
	};
	const mark = changes.mark ?? markOf(payment, account);
	return { ...payment, mark, callbackUrl: changes.callbackUrl ?? withMark(hook, mark) };
}

export const urlOf = ({ callbackUrl }: Payment): string => callbackUrl ?? '';
