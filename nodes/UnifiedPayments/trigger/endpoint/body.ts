import { LONGEST } from '../../protocol/limits';

export const MOST_BYTES = LONGEST.callback;
const DEEPEST = 32;
/** Keys by which a careless merge further down a workflow could be made to change all objects. */
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);

export const isJson = (contentType: unknown): boolean =>
	typeof contentType === 'string' && /^\s*application\/json\s*(?:;|$)/i.test(contentType);

/** Walks without recursion: what is nested 50,000 deep must not exhaust the stack. */
export function isSafe(body: unknown): boolean {
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
