import { Agent, request as httpRequest } from 'node:http';
import { FAULT_KINDS, type FaultRuleInput, type SandboxOptions } from '../../../sandbox/index.mts';
import { admin, COLLECTION, defaultOf, PATHS, seal, signed, start, until } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start());
afterEach(() => sandbox.reset());

const create = (headers: Record<string, string> = {}) =>
	signed(sandbox, PATHS.collection, COLLECTION, { headers });

/** What a client sees on the wire, where fetch would hide it: the error, or the bytes that came. */
const watch = (headers: Record<string, string> = {}) =>
	new Promise<{ status: number | null; chunks: string[]; error: string | null }>((resolve) => {
		const body = seal(defaultOf(sandbox), JSON.stringify(COLLECTION));
		const chunks: string[] = [];
		let status: number | null = null;
		const end = (error: string | null) => resolve({ status, chunks, error });
		const request = httpRequest(
			sandbox.url + PATHS.collection,
			{
				method: 'POST',
				agent: new Agent(),
				headers: { 'content-type': 'application/json', ...headers },
			},
			(response) => {
				status = response.statusCode ?? null;
				response.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
				response.on('end', () => end(null));
				response.on('error', (error: Error & { code?: string }) =>
					end(error.code ?? error.message),
				);
			},
		);
		request.on('error', (error: Error & { code?: string }) => end(error.code ?? error.message));
		request.end(body);
	});

/** Accepted requests so far, and the fault of the newest one in the log. */
const seen = () => ({
	accepted: sandbox.state.ledger.accepted,
	fault: sandbox.state.requests[0]?.fault ?? null,
	status: sandbox.state.requests[0]?.status ?? null,
});

type Give = (fault: FaultRuleInput) => Record<string, string>;

const asHeader: Give = ({ kind, ...settings }) => ({
	'x-sandbox-fault': [
		kind,
		...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
	].join('; '),
});
const asRule: Give = (fault) => {
	sandbox.faults.add({ ...fault, first: 1 });
	return {};
};

describe.each<[string, Give]>([
	['by header', asHeader],
	['by rule', asRule],
])('each kind, %s', (_, give) => {
	it('latency', async () => {
		let answered = false;
		const reply = create(give({ kind: 'latency', delayMs: 1500 })).then((one) => {
			answered = true;
			return one;
		});
		await until(() => sandbox.state.ledger.accepted === 1);
		expect(answered).toBe(false);
		expect((await reply).json).toMatchObject({ success: true });
		expect(seen()).toEqual({ accepted: 1, fault: 'latency', status: 200 });
	});

	it('429 without Retry-After', async () => {
		const reply = await create(give({ kind: 'rate-limit' }));
		expect(reply).toMatchObject({ status: 429, json: { success: false } });
		expect(reply.headers.get('retry-after')).toBeNull();
		expect(seen()).toEqual({ accepted: 0, fault: 'rate-limit', status: 429 });
	});

	it('429 with Retry-After in seconds and as a date', async () => {
		const seconds = await create(give({ kind: 'rate-limit', retryAfter: 7 }));
		expect(seconds.headers.get('retry-after')).toBe('7');
		const date = await create(
			give({ kind: 'rate-limit', retryAfter: 3600, retryAfterFormat: 'date' }),
		);
		const wait = Date.parse(date.headers.get('retry-after') ?? '') - Date.now();
		expect(wait).toBeGreaterThan(3_500_000);
		expect(wait).toBeLessThanOrEqual(3_600_000);
	});

	it.each([500, 502, 503, 504])('%i', async (status) => {
		expect((await create(give({ kind: 'server-error', status }))).status).toBe(status);
		expect(seen()).toEqual({ accepted: 0, fault: 'server-error', status });
	});

	it('5xx after processing', async () => {
		const reply = await create(give({ kind: 'server-error', processed: true }));
		expect(reply.status).toBe(503);
		expect(seen().accepted).toBe(1);
	});

	it('reset before processing', async () => {
		expect(await watch(give({ kind: 'reset-before' }))).toMatchObject({
			status: null,
			error: 'ECONNRESET',
		});
		expect(seen()).toEqual({ accepted: 0, fault: 'reset-before', status: null });
	});

	it('reset after processing', async () => {
		expect(await watch(give({ kind: 'reset-after' }))).toMatchObject({
			status: null,
			error: 'ECONNRESET',
		});
		expect(seen()).toEqual({ accepted: 1, fault: 'reset-after', status: null });
	});

	it('truncated reply', async () => {
		const { status, chunks, error } = await watch(give({ kind: 'truncate' }));
		expect({ status, error }).toEqual({ status: 200, error: 'ECONNRESET' });
		expect(chunks.join('')).toMatch(/^\{"success":true/);
		expect(() => JSON.parse(chunks.join(''))).toThrow();
		expect(seen().accepted).toBe(1);
	});

	it('HTML reply', async () => {
		const reply = await create(give({ kind: 'html' }));
		expect(reply.status).toBe(200);
		expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
		expect(reply.text).toMatch(/^<!DOCTYPE html>/);
		expect(seen().accepted).toBe(1);
	});

	it('empty reply', async () => {
		expect(await create(give({ kind: 'empty' }))).toMatchObject({ status: 200, text: '' });
		expect(seen().accepted).toBe(1);
	});

	it.each([301, 302, 307, 308])('redirect %i', async (status) => {
		const location = 'http://127.0.0.1:9/elsewhere';
		const reply = await create(give({ kind: 'redirect', status, location }));
		expect(reply.status).toBe(status);
		expect(reply.headers.get('location')).toBe(location);
		expect(seen()).toEqual({ accepted: 0, fault: 'redirect', status });
	});

	it('wrong content type', async () => {
		const reply = await create(give({ kind: 'content-type', contentType: 'image/png' }));
		expect(reply.headers.get('content-type')).toBe('image/png');
		expect(reply.json).toMatchObject({ success: true });
		expect(seen().accepted).toBe(1);
	});

	it('slow body', async () => {
		const { status, chunks, error } = await watch(give({ kind: 'slow-body', delayMs: 200 }));
		expect({ status, error }).toEqual({ status: 200, error: null });
		expect(chunks.length).toBeGreaterThan(2);
		expect(JSON.parse(chunks.join(''))).toMatchObject({ success: true });
		expect(seen().accepted).toBe(1);
	});

	it('endless body', async () => {
		const abort = new AbortController();
		const response = await fetch(sandbox.url + PATHS.collection, {
			method: 'POST',
			body: seal(defaultOf(sandbox), JSON.stringify(COLLECTION)),
			headers: { 'content-type': 'application/json', ...give({ kind: 'endless', delayMs: 5 }) },
			signal: abort.signal,
		});
		const reader = response.body!.getReader();
		let text = '';
		while (text.length < 20_000)
			text += new TextDecoder().decode((await reader.read()).value ?? new Uint8Array());
		// The reply is there but for its last character, and then nothing but spaces.
		expect(JSON.parse(`${text.trimEnd()}}`)).toMatchObject({ success: true });
		abort.abort();
		await expect(reader.read()).rejects.toThrow(/abort/i);
		expect(seen()).toEqual({ accepted: 1, fault: 'endless', status: 200 });
	});
});

describe('aiming', () => {
	const statuses = async (count: number) => {
		const result: number[] = [];
		for (let index = 0; index < count; index++) result.push((await create()).status);
		return result;
	};

	it('the first N', async () => {
		sandbox.faults.add({ kind: 'server-error', first: 2 });
		expect(await statuses(4)).toEqual([503, 503, 200, 200]);
		expect(sandbox.faults.list()).toMatchObject([{ seen: 4, hits: 2 }]);
	});

	it('the nth', async () => {
		sandbox.faults.add({ kind: 'server-error', nth: 3 });
		expect(await statuses(4)).toEqual([200, 200, 503, 200]);
	});

	it('one route, by name or path; others pass', async () => {
		sandbox.faults.add({ kind: 'server-error', route: 'balance' });
		sandbox.faults.add({ kind: 'rate-limit', route: PATHS.link });
		expect((await create()).status).toBe(200);
		expect((await signed(sandbox, PATHS.balance, {})).status).toBe(503);
		expect((await signed(sandbox, PATHS.link, {})).status).toBe(429);
	});

	it('a share, drawn from a seed: the same again for the same seed', async () => {
		const draw = async (seed: number) => {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'server-error', probability: 0.5, seed });
			return statuses(30);
		};
		const first = await draw(7);
		expect(await draw(7)).toEqual(first);
		expect(await draw(8)).not.toEqual(first);
		expect(new Set(first)).toEqual(new Set([200, 503]));
	});

	it('a single request beats the rules', async () => {
		sandbox.faults.add({ kind: 'server-error' });
		expect((await create({ 'x-sandbox-fault': 'rate-limit' })).status).toBe(429);
	});

	it('a header that makes no sense is refused with the reason', async () => {
		const reply = await create({ 'x-sandbox-fault': 'earthquake' });
		expect(reply.status).toBe(400);
		expect(reply.json.message).toMatch(/x-sandbox-fault: kind/);
		expect(seen().accepted).toBe(0);
	});
});

describe('a seeded plan', () => {
	const faultPlan: SandboxOptions['faultPlan'] = {
		seed: 42,
		probability: 0.4,
		faults: [{ kind: 'server-error' }, { kind: 'rate-limit' }, { kind: 'html' }],
		routes: ['collection'],
	};
	const run = async (seed: number) => {
		const planned = await start({ faultPlan: { ...faultPlan, seed }, settleDelayMs: Infinity });
		for (let index = 0; index < 60; index++) await signed(planned, PATHS.collection, COLLECTION);
		await signed(planned, PATHS.balance, {});
		const faults = planned.state.requests.map(({ fault }) => fault).reverse();
		const { accepted } = planned.state.ledger;
		await planned.close();
		return { faults, accepted };
	};

	it('is reproducible, mixes its kinds and hits its share', async () => {
		const { faults, accepted } = await run(42);
		expect(await run(42)).toEqual({ faults, accepted });
		expect((await run(43)).faults).not.toEqual(faults);
		const hit = faults.filter((fault) => fault !== null);
		expect(new Set(hit)).toEqual(new Set(['server-error', 'rate-limit', 'html']));
		expect(hit.length).toBeGreaterThan(12);
		expect(hit.length).toBeLessThan(36);
		// A page instead of a reply means accepted all the same.
		expect(accepted).toBe(60 - hit.filter((fault) => fault !== 'html').length);
		expect(faults[60]).toBeNull();
	});

	it('can be set while running, and is gone after a reset', async () => {
		await admin(sandbox, 'POST', '/faults/plan', { ...faultPlan, probability: 1 });
		expect((await create()).text).not.toMatch(/"success":true/);
		sandbox.reset();
		expect((await create()).json).toMatchObject({ success: true });
	});
});

it('tests every kind there is', () => {
	expect([...FAULT_KINDS].sort()).toEqual(
		[
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
		].sort(),
	);
});
