import { z } from 'zod';

export const FAULT_KINDS = [
	'latency',
	'rate-limit',
	'server-error',
	'reset-before',
	'reset-after',
	'truncate',
	'html',
	'empty',
	'redirect',
	'content-type',
	'slow-body',
	'endless',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

const fault = z
	.object({
		kind: z.enum(FAULT_KINDS),
		/** latency: before the reply; slow-body: over the whole body; endless: between two pieces. */
		delayMs: z.number().int().min(0).max(600_000).optional(),
		/** server-error 5xx, redirect 3xx, html any. */
		status: z.number().int().min(200).max(599).optional(),
		/** rate-limit: seconds; left out = no Retry-After header. */
		retryAfter: z.number().int().min(0).optional(),
		retryAfterFormat: z.enum(['seconds', 'date']).optional(),
		/** redirect: where to. */
		location: z.string().max(2000).optional(),
		/** content-type: what the reply claims to be. */
		contentType: z.string().max(200).optional(),
		/** Whether the request is carried out before the fault hits its reply. */
		processed: z.boolean().optional(),
	})
	.strict();

/** Which requests a rule hits. Without any of these settings it hits all of them. */
const aim = {
	/** Name or path of an endpoint; left out = every endpoint. */
	route: z.string().max(200).optional(),
	/** Only the first N matching requests. */
	first: z.number().int().min(1).optional(),
	/** Only the nth matching request, counted from 1. */
	nth: z.number().int().min(1).optional(),
	/** Each matching request with this probability, drawn from `seed`. */
	probability: z.number().min(0).max(1).optional(),
	seed: z.number().int().optional(),
};

export const faultRuleSchema = fault.extend(aim).strict();

/** Draws one of `faults` for a share of all requests; the same seed gives the same sequence. */
export const faultPlanSchema = z
	.object({
		seed: z.number().int(),
		probability: z.number().min(0).max(1),
		faults: z.array(fault).min(1),
		routes: z.array(z.string()).optional(),
	})
	.strict();

export type Fault = z.infer<typeof fault>;
export type FaultRuleInput = z.infer<typeof faultRuleSchema>;
export type FaultPlan = z.infer<typeof faultPlanSchema>;
export interface FaultRule extends FaultRuleInput {
	id: string;
	/** Requests that matched the route so far, and those that were hit. */
	seen: number;
	hits: number;
}

/** Whether a fault hits after the request was carried out: true for faults of the reply, false for those that keep it from the service. */
const AFTER_PROCESSING: Record<FaultKind, boolean> = {
	latency: true,
	'rate-limit': false,
	'server-error': false,
	'reset-before': false,
	'reset-after': true,
	truncate: true,
	html: true,
	empty: true,
	redirect: false,
	'content-type': true,
	'slow-body': true,
	endless: true,
};

export function isProcessed({ kind, processed }: Fault): boolean {
	// The names of these two kinds already say it.
	if (kind === 'reset-before' || kind === 'reset-after') return AFTER_PROCESSING[kind];
	return processed ?? AFTER_PROCESSING[kind];
}

/** `rate-limit; retryAfter=2` → `{kind: 'rate-limit', retryAfter: 2}`, for the header of one request. */
export function parseFaultHeader(header: string): z.SafeParseReturnType<unknown, Fault> {
	const [kind = '', ...settings] = header.split(';').map((part) => part.trim());
	const fields = settings.filter(Boolean).map((setting): [string, unknown] => {
		const equals = setting.indexOf('=');
		return equals === -1
			? [setting, true]
			: [setting.slice(0, equals).trim(), headerValue(setting.slice(equals + 1).trim())];
	});
	return fault.safeParse({ ...Object.fromEntries(fields), kind });
}

const headerValue = (text: string): unknown => {
	if (text === 'true' || text === 'false') return text === 'true';
	return /^\d+$/.test(text) ? Number(text) : text;
};
