import type { Integration } from '../integrations.mts';
import { guessMistake } from './mistakes.mts';
import type { Evidence } from './verify.mts';

/** Says in a sentence or two why a request was not verified and what to change. */
export function explain(evidence: Evidence, integrations: readonly Integration[]): string {
	const { reason, detail, received, integration } = evidence;
	switch (reason) {
		case null:
			return 'The request was verified.';
		case 'malformed_envelope':
			return `The envelope is not as specified: ${detail ?? 'a field is missing or wrong'}.`;
		case 'unknown_sender':
			return explainSender(received.sender ?? '', integration, integrations);
		case 'client_id_mismatch':
			return `The integration "${integration?.title ?? ''}" has the client id "${integration?.clientId ?? ''}", but the request says "${received.client_id ?? ''}".`;
		case 'timestamp_out_of_tolerance':
			return explainClock(received.timestamp ?? 0, evidence.now, detail ?? '');
		case 'api_key_mismatch':
			return `Status v2 needs the integration's API key in the header ${integration?.apiKeyHeader ?? ''}; it was ${detail ?? 'wrong'}.`;
		case 'signature_mismatch':
			return (
				guessMistake(evidence, integrations) ??
				'The signature is not an HMAC of the expected text, nor of any common variation of it. Check the secret key, and compare the text you sign with the expected one, character by character.'
			);
	}
}

function explainSender(
	sender: string,
	meant: Integration | null,
	integrations: readonly Integration[],
): string {
	const fold = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
	const near = integrations.find(({ title }) => fold(title) === fold(sender));
	if (near !== undefined)
		return `The sender "${sender}" differs from the integration's title "${near.title}" in case or spaces; it must be copied exactly.`;
	if (meant !== null)
		return `The sender must be the integration's title: "${meant.title}" for the client id "${meant.clientId}", but the request says "${sender}".`;
	return `No integration has the title "${sender}". The sandbox has: ${integrations.map(({ title }) => `"${title}"`).join(', ')}.`;
}

function explainClock(timestamp: number, now: number, tolerance: string): string {
	// Within a year of now when read as milliseconds.
	if (Math.abs(timestamp / 1000 - now) < 31_536_000)
		return `The timestamp ${timestamp} looks like milliseconds; Unix seconds are needed, now ${now}.`;
	const off = timestamp - now;
	const side = off < 0 ? 'behind' : 'ahead of';
	return `The timestamp is ${Math.abs(off)} s ${side} the sandbox's clock (${now}); ${tolerance}. Take a fresh timestamp for every request and check the clock of the sending machine.`;
}
