import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { failureFor } from '../life/magic.mts';
import { addOtherLinks, otherLinksSchema } from '../life/otherLinks.mts';
import { payLink, paymentMethods, redirectFor } from '../life/payLink.mts';
import { addPayout, payoutSchema } from '../life/payout.mts';
import type { PaymentLink, Transaction } from '../model.mts';
import type { World } from '../world.mts';
import { AdminError, bodyOf } from './body.mts';

/** With its dial code a number has no more than 15 digits. */
const isPhoneNumber = (given: string): boolean =>
	/^\+?[\d\s().-]+$/.test(given) && /^\d{8,15}$/.test(given.replace(/\D/g, ''));

const paySchema = z
	.object({
		outcome: z.enum(['success', 'failed', 'cancelled']),
		method: z.string().max(100).optional(),
		mobile: z.string().max(40).refine(isPhoneNumber, 'is not a phone number').optional(),
		amount: z.number().positive().optional(),
	})
	.strict();

const settleSchema = z
	.object({ status: z.enum(['success', 'failed']), failureCode: z.string().max(100).optional() })
	.strict();

/** A final state never changes, not even by hand. */
export function settleByHand(
	world: World,
	ref: string,
	{ status, failureCode }: z.infer<typeof settleSchema>,
): Transaction {
	const transaction = world.store.transactions.get(ref);
	if (transaction === undefined) throw new AdminError(404, `There is no transaction "${ref}".`);
	if (transaction.state !== 'pending')
		throw new AdminError(409, `The transaction "${ref}" is final: ${transaction.state}.`);
	void world.lifecycle.settle(
		transaction,
		status === 'success' ? { status } : { status, failure: failureFor(failureCode) },
	);
	return transaction;
}

/** Calls on a single link, transaction or callback. */
export function recordRoutes(app: FastifyInstance, world: World): void {
	const { store } = world;
	const linkOf = (reference: string): PaymentLink => {
		const link = store.links.get(reference);
		if (link === undefined) throw new AdminError(404, `There is no payment link "${reference}".`);
		return link;
	};

	app.get<{ Params: { reference: string } }>('/sandbox/links/:reference', ({ params }) => {
		const link = linkOf(params.reference);
		return { ...link, logo: store.logos.dataUrl(link.reference), methods: paymentMethods(link) };
	});

	app.post<{ Params: { reference: string } }>('/sandbox/links/:reference/pay', (request) => {
		const link = linkOf(request.params.reference);
		const payment = bodyOf(request, paySchema);
		// Whoever failed, or stopped, may try again.
		if (link.state === 'paid')
			throw new AdminError(409, `The payment link "${link.reference}" is paid already.`);
		const transaction = payLink(world, link, payment);
		return { state: link.state, redirect: redirectFor(link), transaction };
	});

	app.post<{ Params: { ref: string } }>('/sandbox/transactions/:ref/settle', (request) =>
		settleByHand(world, request.params.ref, bodyOf(request, settleSchema)),
	);

	const requireIntegration = (id: string | undefined) => {
		if (id !== undefined && world.integration(id) === undefined)
			throw new AdminError(404, `There is no integration "${id}".`);
	};

	app.post('/sandbox/payouts', (request) => {
		const payout = bodyOf(request, payoutSchema);
		requireIntegration(payout.integration);
		return addPayout(world, payout);
	});

	app.post('/sandbox/links', (request) => {
		const others = bodyOf(request, otherLinksSchema);
		requireIntegration(others.integration);
		return addOtherLinks(world, others);
	});

	app.post<{ Params: { id: string } }>('/sandbox/callbacks/:id/redeliver', ({ params }) => {
		const callback = store.callbacks.get(params.id);
		if (callback === undefined) throw new AdminError(404, `There is no callback "${params.id}".`);
		if (callback.status === 'pending')
			throw new AdminError(409, `The callback "${params.id}" is still being delivered.`);
		void world.callbacks.redeliver(callback);
		return callback;
	});
}
