import type { Mark } from '../../payment/mark';
import { bodyRefusal, signatureRefusal } from '../../protocol/callback';
import type { Credential } from '../../protocol/credential';
import { mayAskForStranger } from '../../transport/strangers';
import { isFromService, type Delivery } from '../delivery';
import { missingIn, type Settings } from '../settings';
import { isAllowed } from './allowList';

/** A request to the endpoint, as n8n has read it. */
export interface Incoming {
	/** The body before it was parsed; undefined when there was none. */
	bytes: Buffer | undefined;
	body: unknown;
	headers: Readonly<Record<string, unknown>>;
	address: string;
	/** Path and query, as they were called. */
	url: string;
	/** Whether the sender is answered when the workflow has ended, not when the callback is stored. */
	isAnsweredAtTheEnd: boolean;
}

/** Each refusal has one status and one word, which is all that the sender learns. */
const REFUSALS = {
	too_large: 413,
	not_json: 415,
	not_an_object: 400,
	unacceptable_json: 400,
	not_set_up: 403,
	address_not_allowed: 403,
	/** The address names a payment, with a code that was not made with this credential. */
	invalid_mark: 401,
	/** The address names no payment. */
	no_mark: 401,
	invalid_signature: 401,
	too_old: 401,
	too_new: 401,
	/** Strangers have made us ask too often. */
	too_many: 503,
	try_again_later: 500,
} as const;

type RefusalReason = keyof typeof REFUSALS;

export interface Refusal {
	accepted: false;
	status: number;
	reason: RefusalReason;
}

interface Acceptance {
	accepted: true;
	/** What was proven here. Whether the content is true is another question. */
	verified: Delivery['verified'];
}

export const refuse = (reason: RefusalReason): Refusal => ({
	accepted: false,
	status: REFUSALS[reason],
	reason,
});

/** Size and kind of the body, before anything is looked up: null when there is nothing to say against it. */
export function checkBody({ bytes, body, headers }: Incoming): Refusal | null {
	const reason = bodyRefusal(bytes, body, headers['content-type']);
	return reason === null ? null : refuse(reason);
}

/**
 * Who called. Only the service was given an address with our mark, so a mark that holds is its
 * proof, and one that does not hold is a forgery. Without a mark it is a stranger.
 */
export function checkSender(
	{ bytes, headers, address }: Incoming,
	mark: Mark['is'],
	settings: Settings,
	{ identity }: Pick<Credential, 'identity'>,
	now: number,
): Acceptance | Refusal {
	if (missingIn(settings) !== null) return refuse('not_set_up');
	const { verification, signatureHeader, signature, timestamp, allowList } = settings;
	if (!isAllowed(allowList, address)) return refuse('address_not_allowed');
	if (mark === 'invalid') return refuse('invalid_mark');
	if (verification === 'hmac') {
		const at = timestamp && {
			written: headers[timestamp.header],
			toleranceSeconds: timestamp.toleranceSeconds,
			now,
		};
		const { secretKey } = identity;
		const reason = signatureRefusal(bytes!, headers[signatureHeader], secretKey, signature, at);
		return reason === null ? { accepted: true, verified: 'hmac' } : refuse(reason);
	}
	if (mark === 'valid') return { accepted: true, verified: 'address' };
	return verification === 'address' ? refuse('no_mark') : { accepted: true, verified: false };
}

/** A stranger makes us ask the service only so often; then whoever it is may come again. */
export function checkBudget(
	{ verified }: Acceptance,
	{ verification }: Settings,
	credential: Credential,
	now: number,
): Refusal | null {
	if (verification !== 'confirm' || isFromService({ verified })) return null;
	return mayAskForStranger(credential, now) ? null : refuse('too_many');
}
