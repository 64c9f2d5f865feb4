import type { Integration } from '../integrations.mts';
import type { Verdict } from '../model.mts';
import { compareTexts } from './compare.mts';
import { explain } from './explain.mts';
import { fieldsFor, sign, textToSign } from './signature.mts';
import type { Evidence } from './verify.mts';

/** The page shows texts to people; a logo of megabytes would only bury the difference. */
const SHOWN_CHARACTERS = 4000;

function shown(text: string): string {
	if (text.length <= SHOWN_CHARACTERS) return text;
	// Copied through a buffer, because a slice would keep the whole text in memory.
	const start = Buffer.from(text.slice(0, SHOWN_CHARACTERS), 'utf8').toString('utf8');
	return `${start}… (${text.length} characters in all)`;
}

/** Whether a request was verified, why not, and the text that should have been signed next to the received one. */
export function verdictFrom(evidence: Evidence, integrations: readonly Integration[]): Verdict {
	const { reason, received, integration } = evidence;
	const verdict: Verdict = {
		ok: reason === null,
		reason,
		explanation: reason === null ? null : explain(evidence, integrations),
		expectedText: null,
		receivedText: null,
		comparison: [],
		expectedSignature: null,
		receivedSignature: received.signature === null ? null : shown(received.signature),
	};
	if (integration === null) return verdict;
	const fields = fieldsFor(integration.signature, {
		client_id: received.client_id ?? '',
		sender: received.sender ?? '',
		timestamp: received.timestamp ?? '',
		salt: received.salt ?? '',
		params: received.params ?? '',
	});
	const { template } = integration.signature;
	const { clientId: client_id, title: sender } = integration;
	const text = textToSign(template, { ...fields, client_id, sender });
	const expectedText = shown(text);
	const receivedText = shown(textToSign(template, fields));
	return {
		...verdict,
		expectedText,
		receivedText,
		comparison: compareTexts(expectedText, receivedText),
		expectedSignature: sign(text, integration.secretKey, integration.signature),
	};
}
