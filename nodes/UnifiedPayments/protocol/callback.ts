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

/** When a callback was signed, in Unix seconds, and how far from now that may be. */
interface SignedAt {
	/** As the header gives it. */
	written: unknown;
	toleranceSeconds: number;
	now: number;
}

type SignatureRefusal = 'invalid_signature' | 'too_old' | 'too_new';

/**
 * Null when the signature holds. With a time, `{time}.{body}` is what was signed. Some services write
 * `sha256=` before the signature, and some write hexadecimal in capitals.
 */
export function signatureRefusal(
	bytes: Buffer,
	header: unknown,
	secretKey: string,
	{ algorithm, encoding }: SignatureFormat,
	at: SignedAt | null = null,
): SignatureRefusal | null {
	if (typeof header !== 'string') return 'invalid_signature';
	const bare = header.trim().replace(new RegExp(`^${algorithm}=`, 'i'), '');
	const given = encoding === 'hex' ? bare.toLowerCase() : bare;
	const hmac = createHmac(algorithm, secretKey);
	if (at !== null) {
		if (typeof at.written !== 'string' || !UNIX_SECONDS.test(at.written))
			return 'invalid_signature';
		hmac.update(`${at.written}.`);
	}
	if (!sameSecret(hmac.update(bytes).digest(encoding), given)) return 'invalid_signature';
	if (at === null) return null;
	const age = at.now / 1_000 - Number(at.written);
	if (age > at.toleranceSeconds) return 'too_old';
	return -age > at.toleranceSeconds ? 'too_new' : null;
}

const UNIX_SECONDS = /^\d{1,12}$/;
