import type { Integration } from '../integrations.mts';
import type { Verdict } from '../model.mts';
import { explain } from './explain.mts';
import { sign, textToSign } from './signature.mts';
import type { Evidence } from './verify.mts';

/** The dashboard shows texts to people; a logo of megabytes would only bury the difference. */
const SHOWN_CHARACTERS = 4000;

function shown(text: string): string {
	if (text.length <= SHOWN_CHARACTERS) return text;
	// Through a buffer: a slice would keep the whole text alive behind it.
	const start = Buffer.from(text.slice(0, SHOWN_CHARACTERS), 'utf8').toString('utf8');
	return `${start}… (${text.length} characters in all)`;
}

/** The expected text to sign beside the received one, and why they differ. */
export function judge(evidence: Evidence, integrations: readonly Integration[]): Verdict {
	const { reason, received, integration } = evidence;
	const fields = {
		client_id: received.client_id ?? '',
		sender: received.sender ?? '',
		timestamp: received.timestamp ?? '',
		salt: received.salt ?? '',
		params: received.params ?? '',
	};
	const recipe = integration?.signature ?? null;
	const expectedText =
		integration === null
			? null
			: textToSign(integration.signature.template, {
					...fields,
					client_id: integration.clientId,
					sender: integration.title,
				});
	const receivedText = recipe === null ? null : textToSign(recipe.template, fields);
	return {
		ok: reason === null,
		reason,
		explanation: reason === null ? null : explain(evidence, integrations),
		expectedText: expectedText === null ? null : shown(expectedText),
		receivedText: receivedText === null ? null : shown(receivedText),
		expectedSignature:
			integration === null || expectedText === null
				? null
				: sign(expectedText, integration.secretKey, integration.signature),
		receivedSignature: received.signature === null ? null : shown(received.signature),
	};
}
