import type { Fault, FaultKind, FaultPlan } from '../../../sandbox/index.mts';

/**
 * Every way in which a reply can go wrong while the batch goes on, each with the request carried out
 * and, where there is such a case, not carried out. Waits are short. A redirect stops the batch, and a
 * reply that never ends holds it up, so they have no place here.
 */
export const MIX: readonly Fault[] = [
	{ kind: 'reset-before' },
	{ kind: 'reset-after' },
	{ kind: 'truncate' },
	{ kind: 'truncate', processed: false },
	{ kind: 'html' },
	{ kind: 'html', processed: false },
	{ kind: 'html', status: 400 },
	{ kind: 'html', status: 502 },
	{ kind: 'empty' },
	{ kind: 'empty', processed: false },
	{ kind: 'server-error', status: 500, processed: true },
	{ kind: 'server-error', status: 500 },
	{ kind: 'server-error', status: 503, retryAfter: 0 },
	{ kind: 'rate-limit', retryAfter: 0 },
	{ kind: 'rate-limit', retryAfter: 0, processed: true },
	{ kind: 'latency', delayMs: 5 },
	{ kind: 'content-type' },
	{ kind: 'slow-body', delayMs: 20 },
];

/** Kinds that have no place in the mix. */
export const STOPS_THE_BATCH: readonly FaultKind[] = ['redirect', 'endless'];

/** Three of ten requests go wrong. */
export const SHARE = 0.3;

/** Later than the run waits for a reply. */
export const tooLate = (timeoutSeconds: number): Fault => ({
	kind: 'latency',
	delayMs: timeoutSeconds * 1000 + 500,
});

/** Faults of both creates; what is asked afterwards is answered. */
export const planOf = (seed: number, ...more: Fault[]): FaultPlan => ({
	seed,
	probability: SHARE,
	faults: [...MIX, ...more],
	routes: ['collection', 'paymentLink.create'],
});
