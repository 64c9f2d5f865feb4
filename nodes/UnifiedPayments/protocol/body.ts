import { LONGEST } from './limits';
import { isRecord } from './parse';

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
