import { isRecord } from './parse';

/** A record of the service is about a kilobyte; no honest callback comes near. */
const MOST_BYTES = 256 * 1024;
const DEEPEST = 32;
/** Keys by which a careless merge further down a workflow could be made to change all objects. */
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);

const isJson = (contentType: unknown): boolean =>
	typeof contentType === 'string' && /^\s*application\/json\s*(?:;|$)/i.test(contentType);

/** Walks without recursion: what is nested 50,000 deep must not exhaust the stack. */
function isSafe(body: unknown): boolean {
	let level: unknown[] = [body];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === DEEPEST) return false;
		const next: unknown[] = [];
		for (const value of level) {
			if (typeof value !== 'object' || value === null) continue;
			for (const [key, inner] of Object.entries(value)) {
				if (HOSTILE.has(key)) return false;
				if (typeof inner === 'object' && inner !== null) next.push(inner);
			}
		}
		level = next;
	}
	return true;
}

type BodyRefusal = 'too_large' | 'not_json' | 'not_an_object' | 'unacceptable_json';

/** Size and kind of a callback, before anything of it is read; null when nothing speaks against it. */
export function bodyRefusal(
	bytes: Buffer | undefined,
	body: unknown,
	contentType: unknown,
): BodyRefusal | null {
	if (bytes !== undefined && bytes.length > MOST_BYTES) return 'too_large';
	if (!isJson(contentType)) return 'not_json';
	if (bytes === undefined || !isRecord(body)) return 'not_an_object';
	return isSafe(body) ? null : 'unacceptable_json';
}
