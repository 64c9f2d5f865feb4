import type { Integration } from '../integrations.mts';
import {
	issuesOf,
	receivedFields,
	signedEnvelope,
	type Envelope,
	type ReceivedFields,
} from './envelope.mts';
import { sameText, sign, textToSign } from './signature.mts';

export type Reason =
	| 'malformed_envelope'
	| 'unknown_sender'
	| 'client_id_mismatch'
	| 'timestamp_out_of_tolerance'
	| 'signature_mismatch'
	| 'api_key_mismatch';

/** What a verdict is derived from later, when somebody looks: deriving it for every request would cost more than answering. */
export interface Evidence {
	reason: Reason | null;
	/** What the check itself already knows, e.g. which field of the envelope is wrong. */
	detail: string | null;
	received: ReceivedFields;
	/** The integration the request most likely meant. */
	integration: Integration | null;
	/** The sandbox's clock at the check, in Unix seconds. */
	now: number;
}

export type Verification =
	| { ok: true; integration: Integration; params: Envelope['params']; evidence: Evidence }
	| { ok: false; reason: Reason; evidence: Evidence };

export interface VerifierSettings {
	integrations: readonly Integration[];
	toleranceSeconds: number;
}

/**
 * Envelope → integration → clock → signature, in that order; verified data is handed back, so that
 * nothing unverified is ever in an endpoint's hands.
 */
export function verify(
	json: unknown,
	body: string,
	now: number,
	{ integrations, toleranceSeconds }: VerifierSettings,
): Verification {
	const received = receivedFields(json, body);
	const byTitle = integrations.filter(({ title }) => title === received.sender);
	const byClient = integrations.find(({ clientId }) => clientId === received.client_id);
	const meant = byTitle.find((one) => one === byClient) ?? byTitle[0] ?? byClient ?? null;
	const refuse = (reason: Reason, detail: string | null = null): Verification => ({
		ok: false,
		reason,
		evidence: { reason, detail, received, integration: meant, now },
	});

	const envelope = signedEnvelope.safeParse(json);
	if (!envelope.success) return refuse('malformed_envelope', issuesOf(envelope.error));
	// The record is found by its title ("sender must be the integration title"); only then can the
	// client id be said not to match it.
	if (meant === null || byTitle.length === 0) return refuse('unknown_sender');
	if (meant.clientId !== envelope.data.client_id) return refuse('client_id_mismatch');
	if (!(Math.abs(now - envelope.data.timestamp) <= toleranceSeconds))
		return refuse('timestamp_out_of_tolerance', `the tolerance is ${toleranceSeconds} s`);

	const text = textToSign(meant.signature.template, {
		...envelope.data,
		params: received.params ?? '',
	});
	if (!sameText(sign(text, meant.secretKey, meant.signature), envelope.data.signature))
		return refuse('signature_mismatch');
	return {
		ok: true,
		integration: meant,
		params: envelope.data.params,
		evidence: { reason: null, detail: null, received, integration: meant, now },
	};
}
