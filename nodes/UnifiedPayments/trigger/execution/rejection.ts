/** Why a callback is not believed, for workflows to branch on. */
export type RejectionReason =
	| 'no_reference'
	| 'not_found'
	| 'reference_mismatch'
	| 'amount_mismatch'
	| 'currency_mismatch'
	| 'state_not_confirmed'
	| 'unreadable';

export interface Rejection {
	rejected: true;
	reason: RejectionReason;
	message: string;
	/** What the callback claims to be about, where that is known. */
	reference: string | null;
	/** True when the service may say otherwise in a moment. */
	mayPass: boolean;
}

export const reject = (
	reason: RejectionReason,
	message: string,
	reference: string | null = null,
	mayPass = false,
): Rejection => ({ rejected: true, reason, message, reference, mayPass });
