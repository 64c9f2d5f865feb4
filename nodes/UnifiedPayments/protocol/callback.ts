import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { LONGEST } from './limits';
import { isRecord } from './parse';
import type { SignatureFormat } from './signing';

const MAX_BYTES = LONGEST.callback;
const DEEPEST = 32;
/** Keys by which a careless merge further down a workflow could be made to change all objects. */
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);

const isJson = (contentType: unknown): boolean =>
	typeof contentType === 'string' && /^\s*application\/json\s*(?:;|$)/i.test(contentType);

/** Walks without recursion: what is nested 50,000 deep must not exhaust the stack. */
function isSafe(body: object): boolean {
	let level = [body];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === DEEPEST || level.some(isHostile)) return false;
		level = level.flatMap((each) => Object.values(each) as unknown[]).filter(isObject);
	}
	return true;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isHostile = (value: object): boolean => Object.keys(value).some((key) => HOSTILE.has(key));

type BodyRefusal = 'too_large' | 'not_json' | 'not_an_object' | 'unacceptable_json';

/** Size and kind of a callback, before anything of it is read; null when nothing speaks against it. */
export function bodyRefusal(
	bytes: Buffer | undefined,
	body: unknown,
	contentType: unknown,
): BodyRefusal | null {
	if (bytes !== undefined && bytes.length > MAX_BYTES) return 'too_large';
	if (!isJson(contentType)) return 'not_json';
	if (bytes === undefined || !isRecord(body)) return 'not_an_object';
	return isSafe(body) ? null : 'unacceptable_json';
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares digests of equal length, so that the time it takes tells nothing about the secret. */
const sameSecret = (expected: string, given: string): boolean =>
	timingSafeEqual(digest(expected), digest(given));

/** The token must come exactly once: two of them in a query arrive as a list, and prove nothing. */
export const carriesToken = (
	query: Readonly<Record<string, unknown>>,
	callbackToken: string,
): boolean => typeof query.token === 'string' && sameSecret(callbackToken, query.token);

/** Some services write `sha256=` before the signature, and some write hexadecimal in capitals. */
export function isSignedBy(
	bytes: Buffer,
	header: unknown,
	secretKey: string,
	{ algorithm, encoding }: SignatureFormat,
): boolean {
	if (typeof header !== 'string') return false;
	const bare = header.trim().replace(new RegExp(`^${algorithm}=`, 'i'), '');
	const given = encoding === 'hex' ? bare.toLowerCase() : bare;
	return sameSecret(createHmac(algorithm, secretKey).update(bytes).digest(encoding), given);
}
