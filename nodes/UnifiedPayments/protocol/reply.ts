/** A reply of the service, read but not yet judged. */
export interface Reply {
	/** Null when the body has no `success` that can be read as true or false. */
	success: boolean | null;
	message: string | null;
	data: unknown;
}

const UNREADABLE: Reply = { success: null, message: null, data: undefined };

/** Reads any body whatsoever, as text or already parsed; it never throws. */
export function readReply(body: unknown): Reply {
	const parsed = typeof body === 'string' ? parseJson(body) : body;
	if (!isRecord(parsed)) return UNREADABLE;
	return {
		success: readSuccess(parsed.success),
		message: typeof parsed.message === 'string' ? parsed.message : null,
		data: parsed.data,
	};
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Booleans, and the strings that the balance endpoint uses. Anything else is no answer. */
function readSuccess(value: unknown): boolean | null {
	if (typeof value === 'boolean') return value;
	if (value === 'true') return true;
	if (value === 'false') return false;
	return null;
}

/** The signature in a reply of the signing endpoint, whose shape is an assumption. */
export function readSignature(body: unknown): string | null {
	const parsed = typeof body === 'string' ? parseJson(body) : body;
	if (!isRecord(parsed)) return null;
	const nested = isRecord(parsed.data) ? parsed.data.signature : undefined;
	const found = [parsed.signature, nested, parsed.data].find(
		(value) => typeof value === 'string' && value !== '',
	);
	return typeof found === 'string' ? found : null;
}

/** Null for what is no JSON, as for JSON's own null: neither is an answer. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return null;
	}
}
