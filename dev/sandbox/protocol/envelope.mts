import { z } from 'zod';
import { rawMember } from './rawMember.mts';

const jsonObject = z.custom<Record<string, unknown>>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'Expected object',
);

const unsigned = z
	.object({
		client_id: z.string(),
		sender: z.string(),
		timestamp: z.number().int(),
		salt: z.string(),
		params: jsonObject,
	})
	.strict();

export const signedEnvelope = unsigned.extend({ signature: z.string() }).strict();

/** What the signing endpoint takes: the secret key in place of a signature. */
export const unsignedEnvelope = unsigned.extend({ secret_key: z.string() }).strict();

export type Envelope = z.infer<typeof signedEnvelope>;

/** The fields that can be shown, even if the envelope is malformed. */
export interface ReceivedFields {
	client_id: string | null;
	sender: string | null;
	timestamp: number | null;
	salt: string | null;
	signature: string | null;
	/** Raw text of `params`. */
	params: string | null;
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : null);

export function receivedFields(json: unknown, body: string): ReceivedFields {
	const fields = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
	return {
		client_id: stringOf(fields.client_id),
		sender: stringOf(fields.sender),
		timestamp: typeof fields.timestamp === 'number' ? fields.timestamp : null,
		salt: stringOf(fields.salt),
		signature: stringOf(fields.signature),
		params: rawMember(body, 'params') ?? null,
	};
}

/** "salt: Required; timestamp: Expected number, received string" */
export const issuesOf = (error: z.ZodError): string =>
	error.issues
		.slice(0, 5)
		.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
		.join('; ');
