import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../../helpers/naive.mts';
import {
	BALANCE as GET_BALANCE,
	COLLECT as CREATE,
	demoCredential,
	outcomes,
	paramsOf,
	runPayments,
	type RunOptions,
} from '../../helpers/payments.mts';
import { forNaive, goodSheet } from '../../helpers/soak/sheet.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire, type Received } from '../../helpers/wire.mts';

const COLLECT = { ...CREATE, options: { timeoutSeconds: 1, concurrency: 1 } };
const BALANCE = { ...GET_BALANCE, options: { timeoutSeconds: 1 } };

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ amount: index + 1 }));
const amountOf = (received: Received) => paramsOf(received).amount as number;

const opened = closing();
const serve = async (answer: Parameters<typeof startWire>[0]) => opened(await startWire(answer));
const run = async (
	url: string,
	parameters: INodeParameters,
	count: number,
	more: Partial<RunOptions> = {},
) =>
	await runPayments(parameters, { credential: demoCredential(url), items: rows(count), ...more });
const toErrorOutput = { onError: 'continueErrorOutput' } as const;

type Fault = (response: ServerResponse) => void;
const says =
	(status: number, body: object, headers: Record<string, string> = {}): Fault =>
	(response) => {
		for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
		json(response, status, body);
	};
const no = (status: number, message: string, headers = {}) =>
	says(status, { success: false, message }, headers);
const accept = says(200, { success: true, message: 'ok', data: {} });
const text =
	(status: number, type: string, body: string): Fault =>
	(response) =>
		void response.writeHead(status, { 'content-type': type }).end(body);
const page = (status: number) => text(status, 'text/html', '<h1>Hello</h1>');
const typedJson = (body: string) => text(200, 'application/json', body);
const reset: Fault = (response) => void response.socket?.destroy();
const truncated: Fault = (response) => {
	response.writeHead(200, { 'content-length': '500' });
	response.write('{"success":true');
	setTimeout(() => reset(response), 20);
};
const redirect: Fault = (response) =>
	void response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();

const NAMED = 'Payment link was not created.';

const FAULTS: Array<
	[name: string, fault: Fault, outcome: string, rest: 'sent' | 'not sent', words: RegExp]
> = [
	['no answer in time', () => undefined, 'unknown', 'sent', /did not answer/],
	['a reset after the bytes left', reset, 'unknown', 'sent', /did not answer/],
	['a truncated reply', truncated, 'unknown', 'sent', /did not answer/],
	['429', no(429, 'Slow down'), 'unknown', 'sent', /slow down/],
	['500', no(500, 'Oops'), 'unknown', 'sent', /could not handle.*Oops/],
	['502 with HTML', page(502), 'unknown', 'sent', /could not handle/],
	['400', no(400, 'No'), 'unknown', 'sent', /declined.*No/],
	['422', no(422, 'No'), 'unknown', 'sent', /declined.*No/],
	['400 with HTML', page(400), 'unknown', 'sent', /could not be read/],
	['401', no(401, 'Who?'), 'unknown', 'not sent', /Who/],
	['403', no(403, 'Who?'), 'unknown', 'not sent', /Who/],
	['a redirect', redirect, 'unknown', 'not sent', /another address/],
	['200 with HTML', page(200), 'unknown', 'sent', /could not be read/],
	['broken JSON', typedJson('{"success":tr'), 'unknown', 'sent', /could not be read/],
	['an empty body', typedJson(''), 'unknown', 'sent', /could not be read/],
	['no success', says(200, { message: 'hm' }), 'unknown', 'sent', /could not be read/],
	['success as a number', says(200, { success: 1 }), 'unknown', 'sent', /could not be read/],
	['success false', no(200, 'No'), 'unknown', 'sent', /declined.*No/],
	['a named refusal', no(200, NAMED), 'rejected', 'sent', /was not created/],
];

describe.each(FAULTS)('a create that meets %s', (_, fault, outcome, rest, words) => {
	const onSecond = async () =>
		await serve((received, response) => (amountOf(received) === 2 ? fault : accept)(response));

	it(`is ${outcome}, and the rows after it are ${rest}`, async () => {
		const { url, received } = await onSecond();
		const result = await run(url, COLLECT, 3, toErrorOutput);
		// One POST per row, ever.
		expect(received.map(amountOf)).toEqual(rest === 'sent' ? [1, 2, 3] : [1, 2]);
		const last = rest === 'sent' ? 'accepted' : 'not_sent';
		expect(outcomes(result)).toEqual(['accepted', outcome, last]);
		const [{ error, ...fields }] = result.failedJson as [{ error: IDataObject }];
		expect(fields).toEqual({ amount: 2 });
		expect(error).toMatchObject({ row: null, message: expect.stringMatching(words) as string });
		expect(`${String(error.message)} ${String(error.description)}`).not.toMatch(
			/try again|retry|run it again/i,
		);
	});

	it('stops the run when told to stop, and loses nothing', async () => {
		const { url, received } = await onSecond();
		const { nodeError } = await run(url, COLLECT, 4);
		expect(received.map(amountOf)).toEqual([1, 2]);
		expect(nodeError?.message).toMatch(words);
		expect(nodeError?.message).toMatch(/\[Item 1\]$/);
		expect(nodeError?.description).toContain(
			outcome === 'rejected'
				? 'In all: item 1 of the input accepted; item 2 of the input rejected; items 3-4 of the input not sent.'
				: 'In all: item 1 of the input accepted; item 2 of the input unknown; items 3-4 of the input not sent.',
		);
	});
});

it.each(['http://127.0.0.1', 'http://no-such-host.invalid'])(
	'a create without a connection was not sent, and says so: %s',
	async (host) => {
		const closed = createServer().listen(0, '127.0.0.1');
		await once(closed, 'listening');
		const { port } = closed.address() as { port: number };
		closed.close();
		await once(closed, 'close');
		const { failedJson } = await run(`${host}:${port}`, COLLECT, 1, toErrorOutput);
		expect(failedJson).toMatchObject([
			{
				error: {
					message: 'No connection to the service for the collection: nothing was sent [Item 0]',
					outcome: 'not_sent',
					description: expect.stringMatching(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/) as string,
				},
			},
		]);
	},
);

describe('a read', () => {
	it.each<[string, Fault]>([
		['no answer in time', () => undefined],
		['a reset', reset],
		['429 with Retry-After', says(429, {}, { 'retry-after': '0' })],
		['503', says(503, {})],
		['HTML', page(200)],
		['an empty body', typedJson('')],
	])('that meets %s is asked again, sealed anew', async (_, fault) => {
		const right = says(200, { success: 'true', message: '', data: [{ a: 1 }] });
		const wire = await serve((__, response, nth) => (nth === 1 ? fault : right)(response));
		expect((await run(wire.url, BALANCE, 1)).successJson).toEqual([{ a: 1 }]);
		expect(wire.received).toHaveLength(2);
		for (const name of ['salt', 'signature']) {
			const [first, second] = wire.received.map((each) => (each.json as IDataObject)[name]);
			expect(first).not.toBe(second);
		}
	});

	it('gives up after the retries the user allows', async () => {
		const wire = await serve((_, response) => says(503, { message: 'Down' })(response));
		const { nodeError } = await run(wire.url, BALANCE, 1);
		expect(wire.received).toHaveLength(3);
		expect(nodeError?.message).toBe(
			'The service could not handle the balance: Down (HTTP 503) [Item 0]',
		);
	});

	it.each([400, 401, 403, 404, 307])(
		'is not repeated on %i, nor are the rows after it asked for',
		async (status) => {
			const answer = no(status, 'No', { location: 'http://127.0.0.1:9/' });
			const wire = await serve((_, response) => answer(response));
			const { nodeError } = await run(wire.url, { ...BALANCE, options: { concurrency: 1 } }, 4);
			expect(nodeError?.message).toMatch(/\[Item 0\]$/);
			expect(wire.received).toHaveLength(1);
		},
	);
});

describe('Retry On Fail', () => {
	const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };

	it('sends every row once; a naive node sends all of them every time', async () => {
		const wire = await serve((received, response) =>
			says(200, { success: amountOf(received) !== 1, message: NAMED })(response),
		);
		const result = await run(wire.url, COLLECT, 10, { ...retry, ...toErrorOutput });
		const sent = wire.received.map(amountOf).sort((a, b) => a - b);
		expect(sent).toEqual(rows(10).map(({ amount }) => amount));
		expect(outcomes(result)).toEqual(['rejected', ...Array<string>(9).fill('accepted')]);

		const failing = await serve((_, response) => says(500, {})(response));
		await runNode(new NaivePayments(), forNaive(), {
			items: goodSheet(10, 1),
			credentials: { unifiedPaymentsApi: demoCredential(failing.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
			...retry,
			...toErrorOutput,
		});
		// It tries each of them three times by itself.
		expect(failing.received.length).toBe(10 * 3 * retry.maxTries);
	});

	it('with Stop Workflow sends nothing twice: what is unknown stays so', async () => {
		const wire = await serve((_, response, nth) => (nth === 2 ? says(500, {}) : accept)(response));
		const { nodeError } = await run(wire.url, COLLECT, 3, retry);
		expect(wire.received.map(amountOf)).toEqual([1, 2]);
		expect(nodeError?.message).toMatch(/could not handle/);
	});
});

describe('the pace', () => {
	/** Milliseconds from the first to the last request. */
	const timed = async (parameters: INodeParameters, count: number, first: Fault) => {
		const times: number[] = [];
		const wire = await serve((_, response, nth) => {
			times.push(Date.now());
			(nth === 1 ? first : accept)(response);
		});
		await run(wire.url, parameters, count, toErrorOutput);
		expect(times).toHaveLength(count);
		return times.at(-1)! - times[0]!;
	};

	it('a batch rests as long as the service asks before it goes on', async () => {
		const rest = no(429, 'Slow down', { 'retry-after': '1' });
		expect(await timed(COLLECT, 2, rest)).toBeGreaterThanOrEqual(990);
	});

	it('a batch does not wait longer than a minute: the rows that are left are not sent', async () => {
		const wire = await serve((_, response) =>
			no(429, 'Slow down', { 'retry-after': '3600' })(response),
		);
		const parameters = { ...COLLECT, options: { concurrency: 1 } };
		const { failedJson } = await run(wire.url, parameters, 4, toErrorOutput);
		const outcomes = failedJson.map(({ error }) => (error as { outcome: string }).outcome);
		expect(outcomes).toEqual(['unknown', 'not_sent', 'not_sent', 'not_sent']);
		expect(wire.received.filter(({ path }) => path?.includes('collections'))).toHaveLength(1);
	});

	it('at most so many requests a second leave as the user allows', async () => {
		const options = { concurrency: 5, requestsPerSecond: 10 };
		// Four pauses of 100 ms, as seen from the other side.
		expect(await timed({ ...COLLECT, options }, 5, accept)).toBeGreaterThanOrEqual(250);
	});
});

it.each([
	['a pause at once, and nothing more is sent', COLLECT, 5],
	['the wait before another try of a read', BALANCE, 1],
])('cancelling ends %s', async (_, parameters, count) => {
	const controller = new AbortController();
	const wire = await serve((__, response) => {
		no(429, 'Slow down', { 'retry-after': '60' })(response);
		setTimeout(() => controller.abort(), 50);
	});
	await run(wire.url, parameters, count, { ...toErrorOutput, signal: controller.signal });
	expect(wire.received).toHaveLength(1);
});

it('a reply that is nested without end is not read, and the row is unknown', async () => {
	const data = `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`;
	const answer = typedJson(`{"success":true,"message":"ok","data":${data}}`);
	const wire = await serve((_, response) => answer(response));
	const result = await run(wire.url, COLLECT, 1, toErrorOutput);
	expect(result.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
	expect(wire.received).toHaveLength(1);
});
