import { bodyRefusal, carriesToken, isSignedBy } from '../../protocol/callback';
import type { Credential } from '../../protocol/credential';
import { missingIn, type Settings } from '../settings';
import { isAllowed } from './allowList';

/** A request to the endpoint, as n8n has read it. */
export interface Incoming {
	/** The body before it was parsed; undefined when there was none. */
	bytes: Buffer | undefined;
	body: unknown;
	headers: Readonly<Record<string, unknown>>;
	query: Readonly<Record<string, unknown>>;
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
	invalid_token: 401,
	address_not_allowed: 403,
	invalid_signature: 401,
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
	verified: 'token' | 'hmac' | false;
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

/** Who sent it. A callback that cannot be checked is refused. */
export function checkSender(
	{ bytes, headers, query, address }: Incoming,
	settings: Settings,
	credential: Pick<Credential, 'callbackToken' | 'identity'>,
): Acceptance | Refusal {
	if (missingIn(settings, credential) !== null) return refuse('not_set_up');
	const { verification, signatureHeader, signature, allowList } = settings;
	const { callbackToken, identity } = credential;
	if (callbackToken !== null && !carriesToken(query, callbackToken)) {
		return refuse('invalid_token');
	}
	if (!isAllowed(allowList, address)) return refuse('address_not_allowed');
	if (verification === 'hmac') {
		const isSigned =
			bytes !== undefined &&
			isSignedBy(bytes, headers[signatureHeader], identity.secretKey, signature);
		return isSigned ? { accepted: true, verified: 'hmac' } : refuse('invalid_signature');
	}
	const byToken = verification !== 'none' && callbackToken !== null;
	return { accepted: true, verified: byToken ? 'token' : false };
}
