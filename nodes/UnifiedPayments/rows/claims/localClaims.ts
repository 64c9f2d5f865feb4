import type { Claim, ClaimedPayment, ClaimRequest } from './claim';

type LocalState = 'underWay' | 'answered' | 'released';

/** A payment that this process claimed, until the store says the same about it. */
interface LocalClaim {
	state: LocalState;
	payment: ClaimedPayment;
}

/** What this process knows about the payments of a node, for all its runs. */
export interface LocalClaims {
	payments: Map<string, LocalClaim>;
	/** Those under way that were sent before, without an answer. */
	sentBefore: Set<string>;
	/** Entries that a look-up left behind, because they could not be removed. */
	leftovers: Set<string>;
}

const processWide = new Map<string, LocalClaims>();

export function localClaimsOf(store: { name: string }): LocalClaims {
	const local = processWide.get(store.name) ?? {
		payments: new Map(),
		sentBefore: new Set(),
		leftovers: new Set(),
	};
	processWide.set(store.name, local);
	return local;
}

export const paymentsThatAre = ({ payments }: LocalClaims, state: LocalState): ClaimedPayment[] =>
	[...payments.values()].flatMap((claim) => (claim.state === state ? [claim.payment] : []));

/** Asked for every row, so without a list of its own. */
export function isAny({ payments }: LocalClaims, state: LocalState): boolean {
	for (const claim of payments.values()) if (claim.state === state) return true;
	return false;
}

/** Of a payment that this process itself knows about; the others are left to the store. */
export function locally({ payments }: LocalClaims, request: ClaimRequest): Claim | undefined {
	const claim = payments.get(request.key);
	if (claim === undefined) return undefined;
	if (claim.state !== 'answered') return claim.state === 'released' ? 'mine' : claim.state;
	return claim.payment.values === request.values ? 'answered' : 'answeredWithOtherValues';
}

export function markAs(
	{ payments }: LocalClaims,
	requests: readonly ClaimRequest[],
	state: LocalState,
): void {
	for (const payment of requests) payments.set(payment.key, { state, payment });
}
