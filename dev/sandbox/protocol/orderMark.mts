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
 * Reads `upo=<kind><order>.<hundredths><currency><node>.<code>`. It is no part of the specification: the
 * nodes of this package add it to a callback URL. `baseUrls` are the addresses that the signer may know
 * this service by. Null when the URL carries none, or one that nobody could have written so.
 */
export function readOrder(url: string, signer: Signer, baseUrls: readonly string[]): Order | null {
	const query = /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '';
	const values = query.split('&').filter((one) => one.startsWith('upo='));
	if (values.length !== 1) return null;
	const [order = '', asked = '', code = '', ...more] = values[0]!.slice('upo='.length).split('.');
	const money = /^([0-9]+)([A-Z]{3})[A-Za-z0-9_-]{4}$/.exec(asked);
	const reference = referenceIn(order);
	if (more.length > 0 || money === null || reference === undefined) return null;
	return {
		reference,
		amount: Number(money[1]) / 100,
		currency: money[2]!,
		genuine: baseUrls.some((baseUrl) =>
			sameText(codeFor(`${order}.${asked}`, signer, baseUrl), code),
		),
	};
}

/**
 * `1` and the reference as it is, `2` and its base64url, or `0` and a hash in place of one; `3` and `4` are
 * `1` and `2` with six characters of a hash before the reference.
 */
function referenceIn(order: string): string | null | undefined {
	const text = order.slice(1);
	if (text === '' || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
	if (order.startsWith('0')) return null;
	if (order.startsWith('1')) return text;
	if (order.startsWith('2')) return Buffer.from(text, 'base64url').toString('utf8');
	const behindKey = text.slice(6);
	if (behindKey === '') return undefined;
	if (order.startsWith('3')) return behindKey;
	return order.startsWith('4') ? Buffer.from(behindKey, 'base64url').toString('utf8') : undefined;
}

const CODE_BYTES = 12;

function codeFor(text: string, { clientId, secretKey }: Signer, baseUrl: string): string {
	// However a client spells it: without the protocol.
	const address = baseUrl.replace(/^https?:\/\//, '');
	const signed = JSON.stringify(['unified-payments order', [address, clientId], text]);
	const code = createHmac('sha256', secretKey).update(signed, 'utf8').digest();
	return code.subarray(0, CODE_BYTES).toString('base64url');
}
