import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { issuesOf } from '../protocol/envelope.mts';

/** A refusal of the admin API; the error handler answers with its message. */
export class AdminError extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/** The parsed body; an absent one counts as an empty object. */
export function bodyOf<T>(request: FastifyRequest, schema: z.ZodType<T, z.ZodTypeDef, unknown>): T {
	let json: unknown = {};
	if (Buffer.isBuffer(request.body) && request.body.length > 0) {
		try {
			json = JSON.parse(request.body.toString('utf8'));
		} catch {
			throw new AdminError(400, 'The body is not valid JSON.');
		}
	}
	const parsed = schema.safeParse(json);
	if (!parsed.success) throw new AdminError(400, issuesOf(parsed.error));
	return parsed.data;
}
