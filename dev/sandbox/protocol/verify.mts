import type { Integration } from '../integrations.mts';
import {
	issuesOf,
	receivedFields,
	signedEnvelope,
	type Envelope,
	type ReceivedFields,
} from './envelope.mts';
import { fieldsFor, sameText, sign, textToSign } from './signature.mts';

export type Reason =
	| 'malformed_envelope'
	| 'unknown_sender'
	| 'client_id_mismatch'
	| 'timestamp_out_of_tolerance'
	| 'signature_mismatch'
	| 'api_key_mismatch';

/** What the verdict is derived from when somebody looks at it. Deriving it for every request would take longer than answering. */
export interface Evidence {
	reason: Reason | null;
	/** What the check found, e.g. which field of the envelope is wrong. */
	detail: string | null;
	received: ReceivedFields;
	/** The integration the request most likely meant. */
	integration: Integration | null;
	/** The sandbox's clock at the check, in Unix seconds. */
	now: number;
}

type Verification =
	| { ok: true; integration: Integration; params: Envelope['params']; evidence: Evidence }
	| { ok: false; reason: Reason; evidence: Evidence };

interface VerifierSettings {
	integrations: readonly Integration[];
	toleranceSeconds: number;
}

/**
 * Checks envelope, integration, clock and signature, in that order. It returns the verified params, so
 * that an endpoint never works with unverified ones.
 */
export function verify(
	json: unknown,
	body: string,
	now: number,
	{ integrations, toleranceSeconds }: VerifierSettings,
): Verification {
	const received = receivedFields(json, body);
	const integration = integrationMeant(received, integrations);
	const evidence: Evidence = { reason: null, detail: null, received, integration, now };

	const envelope = signedEnvelope.safeParse(json);
	if (!envelope.success) return refuse(evidence, 'malformed_envelope', issuesOf(envelope.error));
	// The title comes first ("sender must be the integration title"), because only a known integration
	// has a client id to compare with.
	if (integration?.title !== received.sender) return refuse(evidence, 'unknown_sender');
	if (integration.clientId !== received.client_id) return refuse(evidence, 'client_id_mismatch');
	const { timestamp, salt, signature, params } = envelope.data;
	if (!(Math.abs(now - timestamp) <= toleranceSeconds))
		return refuse(evidence, 'timestamp_out_of_tolerance', `the tolerance is ${toleranceSeconds} s`);
	const fields = fieldsFor(integration.signature, {
		client_id: integration.clientId,
		sender: integration.title,
		timestamp,
		salt,
		params: received.params ?? '',
	});
	const text = textToSign(integration.signature.template, fields);
	if (!sameText(sign(text, integration.secretKey, integration.signature), signature))
		return refuse(evidence, 'signature_mismatch');
	return { ok: true, integration, params, evidence };
}

const refuse = (
	evidence: Evidence,
	reason: Reason,
	detail: string | null = null,
): Verification => ({
	ok: false,
	reason,
	evidence: { ...evidence, reason, detail },
});

/** The integration with this title and client id, otherwise the one with this title, otherwise with this client id. */
function integrationMeant(
	{ sender, client_id }: ReceivedFields,
	integrations: readonly Integration[],
): Integration | null {
	let best: Integration | null = null;
	let closeness = 0;
	for (const one of integrations) {
		const close = (one.title === sender ? 2 : 0) + (one.clientId === client_id ? 1 : 0);
		if (close > closeness) [best, closeness] = [one, close];
	}
	return best;
}
