/** What a person can do about each, beyond reading the message. */
const ADVICE = {
	no_reference:
		"Look at the body of the callback. If your service names transactions in a field of its own, add that name to 'Reference Fields' of the credential.",
	not_found:
		"If you do not know this payment, somebody may be trying to fake one. If it is yours, look at the credential's account and at the option 'Transaction Type', and ask for it later with 'Get' of 'Transaction'.",
	wrong_type:
		"If you expect such callbacks, change the option 'Transaction Type' of the trigger. Do not treat money that was paid out as money that came in.",
	reference_mismatch:
		'Do not act on it. Look both transactions up in the service; one callback mixes them.',
	amount_mismatch:
		'Do not act on the amount of the callback. Look the transaction up: the amount that the service states is the true one.',
	currency_mismatch:
		'Do not act on the currency of the callback. Look the transaction up: the currency that the service states is the true one.',
	state_not_confirmed:
		"Do not act on it yet. Ask for the transaction later with 'Get' of 'Transaction', and go by what the service says then.",
	order_code_invalid:
		"Do not match it to an order. If the credential's 'Client ID', 'Base URL' or 'Secret Key' was changed after the payment was created, look the payment up by its reference; otherwise somebody has altered the URL.",
	order_mismatch:
		'Do not match it to either order before you have looked the payment up in the service by its reference.',
	unreadable:
		'Let callbacks come to the Production URL or Test URL of the trigger, and give it no other items.',
} satisfies Record<string, string>;

/** Why a callback is not believed, for workflows to branch on. */
export type RejectionReason = keyof typeof ADVICE;

export interface Rejection {
	rejected: true;
	reason: RejectionReason;
	/** What is wrong with this one callback. */
	message: string;
	/** What the callback claims to be about, where that is known. */
	reference: string | null;
	/** True when the service may say otherwise later. */
	mayBecomeTrue: boolean;
}

export const reject = (
	reason: RejectionReason,
	message: string,
	reference: string | null = null,
	mayBecomeTrue = false,
): Rejection => ({ rejected: true, reason, message, reference, mayBecomeTrue });

export const adviceFor = (reason: RejectionReason): string => ADVICE[reason];
