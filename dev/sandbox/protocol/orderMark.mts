import { createHmac } from 'node:crypto';
import { sameText } from './signature.mts';

/** What a callback URL says about the payment it was sent for. */
export interface Order {
	/** Null when the payment has none that a URL can carry. */
	reference: string | null;
	amount: number;
	currency: string;
	/** Whether its code was made with the secret key, for this account and nothing else. */
	genuine: boolean;
}

interface Signer {
	clientId: string;
	secretKey: string;
}

/**
 * Reads `upo=<kind><order>.<hundredths><currency>.<key>.<node>.<code>`, with the order in base64url. It is
 * no part of the specification: the nodes of this package add it to a callback URL. `baseUrls` are the
 * addresses that the signer may know this service by. Null when the URL carries none, or one that nobody
 * could have written so.
 */
export function readOrder(url: string, signer: Signer, baseUrls: readonly string[]): Order | null {
	const query = /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '';
	const values = query.split('&').filter((one) => one.startsWith('upo='));
	if (values.length !== 1) return null;
	const parts = FORM.exec(values[0]!.slice('upo='.length));
	if (parts === null) return null;
	const [, text = '', order = '', hundredths, currency = '', code = ''] = parts;
	return {
		reference: order === '' ? null : Buffer.from(order, 'base64url').toString('utf8'),
		amount: Number(hundredths) / 100,
		currency,
		genuine: baseUrls.some((baseUrl) => sameText(codeFor(text, signer, baseUrl), code)),
	};
}

const FORM =
	/^([lc]([A-Za-z0-9_-]*)\.([0-9]+)([A-Z]{3})\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

const CODE_BYTES = 12;

function codeFor(text: string, { clientId, secretKey }: Signer, baseUrl: string): string {
	// However a client spells it: without the protocol.
	const address = baseUrl.replace(/^https?:\/\//, '');
	const signed = JSON.stringify(['unified-payments order', [address, clientId], text]);
	const code = createHmac('sha256', secretKey).update(signed, 'utf8').digest();
	return code.subarray(0, CODE_BYTES).toString('base64url');
}
