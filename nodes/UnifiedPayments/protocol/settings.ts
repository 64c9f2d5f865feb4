export type SignatureAlgorithm = 'sha256' | 'sha384' | 'sha512';
export type SignatureEncoding = 'hex' | 'base64';

/** How a signature is made. The specification does not show it, so each part is a setting. */
export interface SignatureRecipe {
	template: string;
	algorithm: SignatureAlgorithm;
	encoding: SignatureEncoding;
}

/** Who sends: the integration as its owner created it. */
export interface Identity {
	clientId: string;
	sender: string;
	secretKey: string;
}

/** The values that are fresh for every attempt. */
export interface Freshness {
	/** Unix seconds. */
	timestamp: number;
	salt: string;
}

export const SIGNATURE_DEFAULTS: SignatureRecipe = {
	template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
	algorithm: 'sha256',
	encoding: 'hex',
};

/** A setting or a body that cannot be signed; the message says which and what to do. */
export class ProtocolError extends Error {
	override readonly name = 'ProtocolError';
}
