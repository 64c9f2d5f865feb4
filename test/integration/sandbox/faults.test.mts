import { Agent, request as httpRequest } from 'node:http';
import type { FaultKind, FaultRuleInput } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { COLLECTION, defaultOf, PATHS, seal, signed, start } from './client.mts';

const sandbox = throughout(async () => await start());
afterEach(() => sandbox.reset());

const create = (headers: Record<string, string> = {}) =>
	signed(sandbox, PATHS.collection, COLLECTION, { headers });

interface Watched {
	status: number | null;
	headers: Record<string, unknown>;
	chunks: string[];
	error: string | null;
}

/** What a client sees on the wire, where fetch would hide it: the error, or the bytes that came. */
const watch = (given: Record<string, string>, most = Infinity) =>
	new Promise<Watched>((resolve) => {
		const seen: Watched = { status: null, headers: {}, chunks: [], error: null };
		const fail = (error: Error & { code?: string }) =>
			resolve({ ...seen, error: error.code ?? error.message });
		const headers = { 'content-type': 'application/json', ...given };
		const url = sandbox.url + PATHS.collection;
		const request = httpRequest(url, { method: 'POST', agent: new Agent(), headers }, (reply) => {
			seen.status = reply.statusCode ?? null;
			seen.headers = reply.headers;
			reply.on('data', (chunk: Buffer) => {
				seen.chunks.push(chunk.toString());
				if (seen.chunks.join('').length > most) request.destroy();
			});
			reply.on('end', () => resolve(seen)).on('error', fail);
		});
		request.on('error', fail);
		request.end(seal(defaultOf(sandbox), JSON.stringify(COLLECTION)));
	});

const asHeader = ({ kind, ...settings }: FaultRuleInput) => ({
	'x-sandbox-fault': [kind, ...Object.entries(settings).map((pair) => pair.join('='))].join('; '),
});

const YES = /^\{"success":true.*\}$/;
const NO = /^\{"success":false.*\}$/;
const location = 'http://127.0.0.1:9/elsewhere';
const contentType = 'image/png';
type Row = [FaultRuleInput, accepted: number, Partial<Record<keyof Watched, unknown>>, RegExp];
const ROWS: Row[] = [
	[{ kind: 'latency', delayMs: 20 }, 1, { status: 200 }, YES],
	[{ kind: 'rate-limit' }, 0, { status: 429 }, NO],
	[{ kind: 'rate-limit', retryAfter: 7 }, 0, { headers: { 'retry-after': '7' } }, NO],
	[{ kind: 'server-error', status: 502 }, 0, { status: 502 }, NO],
	[{ kind: 'server-error', processed: true }, 1, { status: 503 }, NO],
	[{ kind: 'reset-before' }, 0, { status: null, error: 'ECONNRESET' }, /^$/],
	[{ kind: 'reset-after' }, 1, { status: null, error: 'ECONNRESET' }, /^$/],
	[{ kind: 'truncate' }, 1, { status: 200, error: 'ECONNRESET' }, /^\{"success":true[^}]*$/],
	[{ kind: 'html' }, 1, { status: 200 }, /^<!DOCTYPE html>/],
	[{ kind: 'empty' }, 1, { status: 200 }, /^$/],
	[{ kind: 'redirect', status: 308, location }, 0, { status: 308, headers: { location } }, /^/],
	[{ kind: 'content-type', contentType }, 1, { headers: { 'content-type': contentType } }, YES],
	[{ kind: 'slow-body', delayMs: 200 }, 1, { status: 200 }, YES],
	// The reply is there but for its last character, and then nothing but spaces.
	[{ kind: 'endless', delayMs: 5 }, 1, { status: 200 }, /^\{"success":true.*[^}] {9999,}$/],
];

it.each(ROWS)('%j, by header and by rule', async (fault, accepted, wire, text) => {
	for (const headers of [asHeader(fault), {}]) {
		sandbox.reset();
		if (!('x-sandbox-fault' in headers)) sandbox.faults.add({ ...fault, first: 1 });
		const seen = await watch(headers, 20_000);
		expect(seen).toMatchObject(wire);
		expect(seen.chunks.join('')).toMatch(text);
		if (fault.kind === 'slow-body') expect(seen.chunks.length).toBeGreaterThan(2);
		if (fault.retryAfter === undefined) expect(seen.headers['retry-after']).toBeUndefined();
		expect(sandbox.state.ledger.accepted).toBe(accepted);
		const [logged] = sandbox.state.requests;
		expect(logged).toMatchObject({ fault: fault.kind, status: seen.status });
	}
});

describe('aiming', () => {
	it.each([
		[{ first: 2 }, [503, 503, 200, 200], { seen: 4, hits: 2 }],
		[{ nth: 3 }, [200, 200, 503, 200], { seen: 4, hits: 1 }],
	])('%j', async (aim, expected, counted) => {
		sandbox.faults.add({ kind: 'server-error', ...aim });
		for (const status of expected) expect((await create()).status).toBe(status);
		expect(sandbox.faults.list()).toMatchObject([counted]);
	});

	it('one route, by name or path; others pass', async () => {
		sandbox.faults.add({ kind: 'server-error', route: 'balance' });
		sandbox.faults.add({ kind: 'rate-limit', route: PATHS.link });
		expect((await create()).status).toBe(200);
		expect((await signed(sandbox, PATHS.balance, {})).status).toBe(503);
		expect((await signed(sandbox, PATHS.link, {})).status).toBe(429);
	});

	it('a single request beats the rules; a header that makes no sense is refused', async () => {
		sandbox.faults.add({ kind: 'server-error' });
		expect((await create({ 'x-sandbox-fault': 'rate-limit' })).status).toBe(429);
		const reply = await create({ 'x-sandbox-fault': 'earthquake' });
		expect(reply.status).toBe(400);
		expect(reply.json.message).toMatch(/x-sandbox-fault: kind/);
		expect(sandbox.state.ledger.accepted).toBe(0);
	});
});

const KINDS: FaultKind[] = ['server-error', 'rate-limit', 'html'];
const run = async (seed: number) => {
	const faults = KINDS.map((kind) => ({ kind }));
	const faultPlan = { probability: 0.4, faults, routes: ['collection'], seed };
	const planned = await start({ faultPlan, settleDelayMs: Infinity });
	for (let index = 0; index < 60; index++) await signed(planned, PATHS.collection, COLLECTION);
	await signed(planned, PATHS.balance, {});
	const played = planned.state.requests.map(({ fault }) => fault).reverse();
	return { played, accepted: planned.state.ledger.accepted };
};

it('a seeded plan is reproducible, mixes its kinds and hits its share', async () => {
	const { played, accepted } = await run(42);
	expect(await run(42)).toEqual({ played, accepted });
	expect((await run(43)).played).not.toEqual(played);
	const hit = played.filter((fault) => fault !== null);
	expect(new Set(hit)).toEqual(new Set(KINDS));
	expect(hit.length).toBeGreaterThan(12);
	expect(hit.length).toBeLessThan(36);
	// A page instead of a reply means accepted all the same.
	expect(accepted).toBe(60 - hit.filter((fault) => fault !== 'html').length);
	expect(played[60]).toBeNull();
});
