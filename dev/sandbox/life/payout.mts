import { z } from 'zod';
import type { Transaction } from '../model.mts';
import type { World } from '../world.mts';

/** The admin API can make payouts, because status has them but no endpoint of the specification creates one. */
export const payoutSchema = z
	.object({
		integration: z.string().optional(),
		amount: z.number().positive().max(1_000_000).default(100),
		currency: z.string().min(1).default('KES'),
		mobile: z.string().default('254700000000'),
		payee: z.string().default('Jane Payee'),
		invoice_no: z.string().default('INV-1'),
		callback_url: z.string().url().optional(),
		status: z.enum(['success', 'failed', 'pending']).default('success'),
	})
	.strict();

export type PayoutInput = z.input<typeof payoutSchema>;

export function addPayout(world: World, input: z.output<typeof payoutSchema>): Transaction {
	const { status, callback_url, integration, ...fields } = input;
	const transaction = world.lifecycle.open({
		...fields,
		kind: 'payout',
		integration: integration ?? world.settings.integrations[0]?.id ?? '',
		ref: world.store.nextReference('PO'),
		country: '',
		order: null,
		callback_url: callback_url ?? '',
		payment_channel: 'mobile operator',
		transaction_detail: `Payout to ${fields.payee}`,
	});
	if (status === 'success') void world.lifecycle.settle(transaction, { status });
	if (status === 'failed')
		void world.lifecycle.settle(transaction, {
			status,
			failure: { failureCode: 'DECLINED', failureMessage: 'The payout was declined' },
		});
	return transaction;
}
