import { createHash } from 'node:crypto';

import type { ICredentialType, IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { prng } from '../../../dev/sandbox/faults/prng.mts';
import type { Fault, FaultKind, FaultPlan } from '../../../dev/sandbox/index.mts';

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
const SHARE = 0.3;

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

/**
 * The fault of one try of an order, or none. The order and the seed decide, not which request happens
 * to arrive first.
 */
function faultOf(seed: number, order: string, tries: number, faults: readonly Fault[]) {
	const draw = prng(
		createHash('sha256').update(`${seed} ${order} ${tries}`).digest().readInt32LE(),
	);
	return draw() < SHARE ? faults[Math.floor(draw() * faults.length)] : undefined;
}

const inHeader = ({ kind, ...settings }: Fault): string =>
	[kind, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join('; ');

/** Tells the sandbox with each create which fault it has to play. */
export function stormyCredential(
	seed: number,
	creates: { path: string; orderField: string },
	faults: readonly Fault[],
): ICredentialType {
	const credential = new UnifiedPaymentsApi();
	const seal = credential.authenticate;
	const tries = new Map<string, number>();
	const draw = (body: unknown) => {
		const params = (typeof body === 'string' ? JSON.parse(body) : body) as IDataObject;
		const order = String(params[creates.orderField]);
		tries.set(order, (tries.get(order) ?? 0) + 1);
		return faultOf(seed, order, tries.get(order)!, faults);
	};
	// Not a class of its own: the host calls `authenticate` without `this`.
	return Object.assign(credential, {
		async authenticate(...[data, given]: Parameters<typeof seal>): ReturnType<typeof seal> {
			const sealed = await seal(data, given);
			const fault = given.url.endsWith(creates.path) ? draw(given.body) : undefined;
			if (fault === undefined) return sealed;
			return { ...sealed, headers: { ...sealed.headers, 'x-sandbox-fault': inHeader(fault) } };
		},
	});
}
