import fc from 'fast-check';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readThrown, type Attempt } from '../../../nodes/UnifiedPayments/transport/exchange.ts';
import {
	namedRefusalOnly,
	ofThisPayment,
	outcomeOf,
	verdictOf,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const ACCOUNT = readCredential({
	...{ baseUrl: 'https://pay.example.com', clientId: 'c', sender: 's', secretKey: 'secret-key' },
});

const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));

/** Replies that are nearly right, and whatever else a server or a gateway may say. */
const bodies = fc.oneof(
	fc.anything({ maxDepth: 1, maxKeys: 3 }),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.json({ maxDepth: 1 }),
	fc
		.record(
			{
				success: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', 'True', 1, 0, null, [])),
				message: scalar,
				data: fc.oneof(
					scalar,
					fc.dictionary(fc.constantFrom('amount', 'currency', 'reference', '__proto__'), scalar),
				),
			},
			{ requiredKeys: [] },
		)
		.chain((body) => fc.constantFrom<unknown>(body, JSON.stringify(body))),
);

const statuses = fc.oneof(
	fc.integer({ min: 100, max: 599 }),
	fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 403, 422, 429, 500, 502),
	fc.constantFrom(0, -1, 600, 999),
);

const headers = fc.dictionary(
	fc.constantFrom('retry-after', 'location', 'content-type'),
	fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.date().map(String)),
);

/** One request, as it may end. */
export const attempts: fc.Arbitrary<Attempt> = fc.oneof(
	fc.record({
		kind: fc.constant('unanswered' as const),
		sent: fc.constantFrom('no' as const, 'maybe' as const),
		code: fc.string({ maxLength: 8 }),
	}),
	fc.record({ kind: fc.constant('answered' as const), status: statuses, headers, body: bodies }),
);

type Classify = (attempt: Attempt) => string;

/** Our own classifier: what becomes of a create that ended like this. */
export const classify: Classify = (attempt) =>
	outcomeOf(
		ofThisPayment(
			namedRefusalOnly(verdictOf(attempt, Date.now()), ACCOUNT),
			{ amount: 5, currency: 'KES' },
			ACCOUNT,
		),
	);

/** As it is often written: everything below 400 went well, everything else did not. */
export const classifyNaively: Classify = (attempt) => {
	if (attempt.kind === 'unanswered') return 'not_sent';
	return attempt.status < 400 ? 'accepted' : 'rejected';
};

/** What the service itself said, read without any of our code. */
function said(body: unknown): unknown {
	let read = body;
	if (typeof body === 'string') {
		try {
			read = JSON.parse(body);
		} catch {
			return undefined;
		}
	}
	if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
	const { success } = read as { success?: unknown };
	return typeof success === 'string' ? success.toLowerCase() === 'true' || 'no' : success;
}

/** Never more is claimed than the attempt shows. */
export const isHonest = (classified: Classify) => (attempt: Attempt) => {
	const outcome = classified(attempt);
	if (outcome === 'unknown') return true;
	if (attempt.kind === 'unanswered') return outcome === 'not_sent' && attempt.sent === 'no';
	const { status, body } = attempt;
	if (outcome === 'accepted') return status >= 200 && status < 300 && said(body) === true;
	const isNo = [401, 403].includes(status) || [false, 'no'].includes(said(body) as never);
	return outcome === 'rejected' && isNo;
};

const errors = fc.letrec((tie) => ({
	error: fc.oneof(
		{ maxDepth: 3 },
		fc.anything({ maxDepth: 1, maxKeys: 3 }),
		fc.record(
			{
				name: fc.oneof(scalar, fc.constantFrom('Error', 'AxiosError', 'NodeApiError')),
				code: fc.oneof(
					scalar,
					fc.constantFrom('ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ECONNREFUSED', 'ECONNABORTED'),
				),
				syscall: fc.constantFrom('read', 'write', 'connect', 'getaddrinfo'),
				message: scalar,
				cause: tie('error'),
				errors: fc.array(tie('error'), { maxLength: 2 }),
			},
			{ requiredKeys: [] },
		),
	),
}));

export const thrown = errors.error;

/** Whatever was thrown is read, and an unlisted cause never counts as "nothing was sent". */
export function isReadSafely(value: unknown): boolean {
	const { kind, sent, code } = readThrown(value);
	const known = /ECONNREFUSED|"(?:connect|getaddrinfo)"/.test(JSON.stringify(value) ?? '');
	return (
		kind === 'unanswered' &&
		typeof code === 'string' &&
		(sent === 'maybe' || (sent === 'no' && known))
	);
}
