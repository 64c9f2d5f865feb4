import { readReply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import type { Attempt } from '../../../nodes/UnifiedPayments/transport/exchange.ts';
import {
	failedVerdict,
	failureOf,
	verdictOf,
	type FailureKind,
	outcomeOf,
	stopsBatch,
	namedRefusalOnly,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const answered = (status: number, body: unknown, headers: object = {}): Attempt => ({
	kind: 'answered',
	status,
	headers: { ...headers },
	body,
});
const unanswered = (sent: 'no' | 'maybe'): Attempt => ({ kind: 'unanswered', sent, code: 'ECODE' });

/** A failure of which nothing is known. */
const BLANK = {
	status: null,
	serviceMessage: null,
	code: null,
	refusal: null,
	retryAfterMs: null,
};

const LISTS = { referenceFields: ['reference'], linkFields: [], finalRefusals: ['No'] };

const NO = '{"success":false,"message":"No"}';
const YES = '{"success":true,"message":"Yes","data":{"a":1}}';

const BUSY = '{"success":false,"message":"Already being processed"}';
const NAMED = '{"success":false,"message":"No","data":{"reference":"R-1"}}';
const CREATED = '{"success":false,"message":"Transaction was not created!"}';

/** Every row of the fault matrix: what it is, what becomes of a create, whether the batch stops. */
const FAULTS: Array<[string, Attempt, FailureKind, string, boolean]> = [
	['no byte written', unanswered('no'), 'notConnected', 'not_sent', false],
	['bytes written, no reply', unanswered('maybe'), 'noReply', 'unknown', false],
	['no number for a status', answered(NaN, '{"success":true}'), 'redirected', 'unknown', true],
	['429', answered(429, NO), 'rateLimited', 'unknown', false],
	['429 with HTML', answered(429, '<html>'), 'rateLimited', 'unknown', false],
	['500', answered(500, NO), 'serverFault', 'unknown', false],
	['500 that says yes', answered(500, YES), 'serverFault', 'unknown', false],
	['502 with HTML', answered(502, '<html>'), 'serverFault', 'unknown', false],
	['599', answered(599, ''), 'serverFault', 'unknown', false],
	['400', answered(400, NO), 'refused', 'rejected', false],
	['422', answered(422, NO), 'refused', 'rejected', false],
	['404 of the service', answered(404, NO), 'refused', 'rejected', false],
	['408', answered(408, NO), 'serverFault', 'unknown', false],
	['409', answered(409, NO), 'serverFault', 'unknown', false],
	['200 in other words', answered(200, BUSY), 'refused', 'unknown', false],
	['400 in other words', answered(400, BUSY), 'refused', 'unknown', false],
	['422 in other words', answered(422, BUSY), 'refused', 'unknown', false],
	['401 in other words', answered(401, BUSY), 'notAuthorized', 'unknown', true],
	['403 in other words', answered(403, BUSY), 'notAuthorized', 'unknown', true],
	['400 with a reference', answered(400, NAMED), 'refused', 'unknown', false],
	['425', answered(425, NO), 'serverFault', 'unknown', false],
	['499', answered(499, NO), 'refused', 'rejected', false],
	['404 in the words of the specification', answered(404, CREATED), 'refused', 'rejected', false],
	['400 with text for success', answered(400, '{"success":"false"}'), 'refused', 'unknown', false],
	['400 with HTML', answered(400, '<html>'), 'invalidReply', 'unknown', false],
	['404 of a gateway', answered(404, '{"message":"Not Found"}'), 'invalidReply', 'unknown', false],
	['400 that says yes', answered(400, YES), 'invalidReply', 'unknown', false],
	['401', answered(401, NO), 'notAuthorized', 'rejected', true],
	['401 with HTML', answered(401, '<html>'), 'notAuthorized', 'unknown', true],
	['403 of a gateway', answered(403, '{}'), 'notAuthorized', 'unknown', true],
	['403', answered(403, NO), 'notAuthorized', 'rejected', true],
	['402', answered(402, NO), 'refused', 'rejected', false],
	['300', answered(300, YES), 'redirected', 'unknown', true],
	['301', answered(301, ''), 'redirected', 'unknown', true],
	['307', answered(307, YES), 'redirected', 'unknown', true],
	['399', answered(399, YES), 'redirected', 'unknown', true],
	['199', answered(199, YES), 'redirected', 'unknown', true],
	['200 with HTML', answered(200, '<html>'), 'invalidReply', 'unknown', false],
	['200 with broken JSON', answered(200, '{"success":tr'), 'invalidReply', 'unknown', false],
	['200 with nothing', answered(200, ''), 'invalidReply', 'unknown', false],
	['204', answered(204, undefined), 'invalidReply', 'unknown', false],
	['200 without success', answered(200, '{"message":"Yes"}'), 'invalidReply', 'unknown', false],
	['200 with success 1', answered(200, '{"success":1}'), 'invalidReply', 'unknown', false],
	['200 that says no', answered(200, NO), 'refused', 'rejected', false],
	[
		'200 that says "false"',
		answered(200, '{"success":"false","message":"No"}'),
		'refused',
		'rejected',
		false,
	],
];

it.each(FAULTS)('%s', (_, attempt, kind, outcome, stops) => {
	const verdict = verdictOf(attempt, NOW);
	expect(verdict).toMatchObject({ ok: false, failure: { kind } });
	const plain = namedRefusalOnly(verdict, LISTS);
	expect(outcomeOf(plain)).toBe(outcome);
	expect(!plain.ok && stopsBatch(plain.failure)).toBe(stops);
});

describe('verdictOf', () => {
	it.each([
		[200, YES],
		[201, YES],
		[299, '{"success":"true","message":"Yes","data":{"a":1}}'],
	])('believes a %i that says yes', (status, body) => {
		const verdict = verdictOf(answered(status, body), NOW);
		const all = expect.any(Object) as never;
		const reply = { success: true, message: 'Yes', data: { a: 1 }, body: all };
		expect(verdict).toEqual({ ok: true, status, reply });
		expect(outcomeOf(verdict)).toBe('accepted');
	});

	it.each([400, 401, 429, 500, 307, 200])('tells status and words of a %i', (status) => {
		const kind = expect.any(String) as unknown;
		const refusal = readReply(NO);
		const failure = { ...BLANK, kind, status, serviceMessage: 'No', refusal };
		expect(verdictOf(answered(status, NO), NOW)).toEqual({ ok: false, failure });
	});

	it('tells the code of a network cause', () => {
		const failure = { ...BLANK, kind: 'noReply', code: 'ECODE' };
		expect(verdictOf(unanswered('maybe'), NOW)).toEqual({ ok: false, failure });
	});
});

describe('Retry-After', () => {
	const wait = (value: unknown) => {
		const verdict = verdictOf(answered(429, NO, { 'retry-after': value }), NOW);
		return verdict.ok ? undefined : verdict.failure.retryAfterMs;
	};

	it.each([
		['0', 0],
		['7', 7000],
		['59', 59_000],
		['60', 60_000],
		['61', 61_000],
		['86400', 86_400_000],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thu, 01 Jan 2026 00:05:00 GMT', 300_000],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	])('of %j is %i ms', (value, expected) => {
		expect(wait(value)).toBe(expected);
	});

	it.each([
		...['', ' ', 'soon', 'in 5 minutes', '-5', '1.5', '5s', 's5', '1e3', 'someday GMT'],
		...['2026-01-01T00:00:30Z', 'Thu, 01 Jan 2026 00:00:30', 7, ['7'], null, undefined],
	])('is not read from %j', (value) => {
		expect(wait(value)).toBeNull();
	});

	it('is read with a 429 only', () => {
		const verdict = verdictOf(answered(503, NO, { 'retry-after': '7' }), NOW);
		expect(verdict).toMatchObject({ failure: { kind: 'serverFault', retryAfterMs: null } });
	});
});

it('failures made elsewhere have every field', () => {
	const failure = { ...BLANK, kind: 'invalidReply' };
	expect(failureOf('invalidReply')).toEqual(failure);
	expect(failureOf('invalidReply', { status: 200 })).toEqual({ ...failure, status: 200 });
	const verdict = failedVerdict('invalidReply', { code: 'x' });
	expect(verdict).toEqual({ ok: false, failure: { ...failure, code: 'x' } });
});
