import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import type { SignatureFormat } from './signing';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares digests of equal length, so that the time it takes tells nothing about the secret. */
const sameSecret = (expected: string, given: string): boolean =>
	timingSafeEqual(digest(expected), digest(given));

/** The token must come exactly once: two of them in a query arrive as a list, and prove nothing. */
export const carriesToken = (
	query: Readonly<Record<string, unknown>>,
	callbackToken: string,
): boolean => typeof query.token === 'string' && sameSecret(callbackToken, query.token);

/** What the service would have written into the header for these very bytes. */
const callbackSignature = (
	bytes: Buffer,
	secretKey: string,
	{ algorithm, encoding }: SignatureFormat,
): string => createHmac(algorithm, secretKey).update(bytes).digest(encoding);

/** Some services write `sha256=` before the signature, and some write hexadecimal in capitals. */
export function isSignedBy(
	bytes: Buffer,
	header: unknown,
	secretKey: string,
	how: SignatureFormat,
): boolean {
	if (typeof header !== 'string') return false;
	const bare = header.trim().replace(new RegExp(`^${how.algorithm}=`, 'i'), '');
	const given = how.encoding === 'hex' ? bare.toLowerCase() : bare;
	return sameSecret(callbackSignature(bytes, secretKey, how), given);
}
