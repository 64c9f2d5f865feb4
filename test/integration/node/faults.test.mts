import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';

import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../host/engine/index.mts';
import { NaiveCredential, NaiveNode } from '../../helpers/naive.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { json, startWire, type Received, type Wire } from '../../helpers/wire.mts';

const COLLECT = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '0712345678',
	options: { timeoutSeconds: 1, concurrency: 1 },
};
const BALANCE = {
	resource: 'balance',
	operation: 'get',
	options: { timeoutSeconds: 1 },
};

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ amount: index + 1 }));
const accept = (response: ServerResponse) =>
	json(response, 200, { success: true, message: 'ok', data: {} });
const amountOf = ({ json: body }: Received) =>
	(body as { params: { amount: number } }).params.amount;

let wire: Wire | undefined;

afterEach(async () => {
	await wire?.close();
	wire = undefined;
});

/** Faults of the second row; the others are accepted. */
const onSecond = async (fault: (response: ServerResponse) => void) => {
	wire = await startWire((received, response) =>
		amountOf(received) === 2 ? fault(response) : accept(response),
	);
	return wire;
};

const text = (status: number, type: string, body: string) => (response: ServerResponse) => {
	response.writeHead(status, { 'content-type': type });
	response.end(body);
};

const says = (status: number, body: object) => (response: ServerResponse) =>
	json(response, status, body);
const no = (status: number, message: string) => says(status, { success: false, message });
const page = (status: number) => text(status, 'text/html', '<h1>Hello</h1>');
const typedJson = (body: string) => text(200, 'application/json', body);
const reset = (response: ServerResponse) => void response.socket?.destroy();
const truncated = (response: ServerResponse) => {
	response.writeHead(200, { 'content-length': '500' });
	response.write('{"success":true');
	setTimeout(() => reset(response), 20);
};
const redirect = (response: ServerResponse) => {
	response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' });
	response.end();
};
const otherAmount = { success: true, message: 'ok', data: { amount: '3.00' } };

type Fault = [
	name: string,
	fault: (response: ServerResponse) => void,
	outcome: string,
	rest: 'sent' | 'not sent',
	words: RegExp,
];

const FAULTS: Fault[] = [
	['no answer in time', () => undefined, 'unknown', 'sent', /did not answer/],
	['a reset after the bytes left', reset, 'unknown', 'sent', /did not answer/],
	['a truncated reply', truncated, 'unknown', 'sent', /did not answer/],
	['429', no(429, 'Slow down'), 'unknown', 'sent', /slow down/],
	['500', no(500, 'Oops'), 'unknown', 'sent', /could not handle.*Oops/],
	['502 with HTML', page(502), 'unknown', 'sent', /could not handle/],
	['400', no(400, 'No'), 'rejected', 'sent', /declined.*No/],
	['422', no(422, 'No'), 'rejected', 'sent', /declined.*No/],
	['400 with HTML', page(400), 'unknown', 'sent', /could not be read/],
	['401', no(401, 'Who?'), 'rejected', 'not sent', /not authorize.*Who/],
	['403', no(403, 'Who?'), 'rejected', 'not sent', /not authorize.*Who/],
	['a redirect', redirect, 'unknown', 'not sent', /another address/],
	['200 with HTML', page(200), 'unknown', 'sent', /could not be read/],
	['broken JSON', typedJson('{"success":tr'), 'unknown', 'sent', /could not be read/],
	['an empty body', typedJson(''), 'unknown', 'sent', /could not be read/],
	['no success', says(200, { message: 'hm' }), 'unknown', 'sent', /could not be read/],
	['success as a number', says(200, { success: 1 }), 'unknown', 'sent', /could not be read/],
	['success false', no(200, 'No'), 'rejected', 'sent', /declined.*No/],
	['another amount', says(200, otherAmount), 'unknown', 'sent', /another 'amount' than was sent/],
];

describe.each(FAULTS)('a create that meets %s', (_, fault, outcome, rest, words) => {
	it(`is ${outcome}, and the rows after it are ${rest}`, async () => {
		const { url, received } = await onSecond(fault);
		const result = await runPayments(COLLECT, {
			credential: demoCredential(url),
			items: rows(3),
			onError: 'continueErrorOutput',
		});
		// One POST per row, ever.
		expect(received.map(amountOf)).toEqual(rest === 'sent' ? [1, 2, 3] : [1, 2]);
		const [failed, skipped] = result.failedJson as Array<{
			amount: number;
			error: IDataObject;
		}>;
		expect(failed).toMatchObject({ amount: 2, error: { outcome, row: 2 } });
		expect(failed!.error.message).toMatch(words);
		expect(`${String(failed!.error.message)} ${String(failed!.error.description)}`).not.toMatch(
			/try again|retry|run it again/i,
		);
		if (rest === 'not sent') {
			expect(skipped).toMatchObject({ amount: 3, error: { outcome: 'not_sent', row: 3 } });
		}
		expect(result.successJson.map(({ outcome: each }) => each)).toEqual(
			rest === 'sent' ? ['accepted', 'accepted'] : ['accepted'],
		);
	});

	it('stops the run when told to stop, and loses nothing', async () => {
		const { url, received } = await onSecond(fault);
		const { nodeError } = await runPayments(COLLECT, {
			credential: demoCredential(url),
			items: rows(4),
		});
		expect(received.map(amountOf)).toEqual([1, 2]);
		expect(nodeError?.message).toMatch(words);
		expect(nodeError?.message).toMatch(/\[Item 1\]$/);
		expect(nodeError?.description).toContain(
			`In all: row 1 accepted; row 2 ${outcome}; rows 3-4 not sent.`,
		);
	});
});

describe('a create without a connection', () => {
	it('was not sent, says so, and is tried three times in all', async () => {
		let connections = 0;
		const closed = createServer((socket) => {
			connections += 1;
			socket.destroy();
		});
		closed.listen(0, '127.0.0.1');
		await once(closed, 'listening');
		const { port } = closed.address() as { port: number };
		closed.close();
		await once(closed, 'close');
		const result = await runPayments(COLLECT, {
			credential: demoCredential(`http://127.0.0.1:${port}`),
			items: rows(1),
			onError: 'continueErrorOutput',
		});
		expect(connections).toBe(0);
		expect(result.failedJson).toMatchObject([
			{
				error: {
					message: 'No connection to the service for the collection: nothing was sent [Item 0]',
					outcome: 'not_sent',
					description: expect.stringContaining('ECONNREFUSED'),
				},
			},
		]);
	});

	it('to a name that does not exist was not sent either', async () => {
		const result = await runPayments(COLLECT, {
			credential: demoCredential('http://no-such-host.invalid'),
			items: rows(1),
			onError: 'continueErrorOutput',
		});
		expect(result.failedJson).toMatchObject([{ error: { outcome: 'not_sent' } }]);
	});
});

describe('a read', () => {
	const passing: Array<[string, (response: ServerResponse) => void]> = [
		['no answer in time', () => undefined],
		['a reset', reset],
		[
			'429 with Retry-After',
			(r) => {
				r.setHeader('retry-after', '0');
				json(r, 429, {});
			},
		],
		['503', says(503, {})],
		['HTML', page(200)],
		['an empty body', typedJson('')],
	];

	it.each(passing)('that meets %s is asked again, sealed anew', async (_, fault) => {
		wire = await startWire((__, response, nth) =>
			nth === 1
				? fault(response)
				: json(response, 200, { success: 'true', message: '', data: [{ a: 1 }] }),
		);
		const result = await runPayments(BALANCE, { credential: demoCredential(wire.url) });
		expect(result.successJson).toEqual([{ a: 1 }]);
		expect(wire.received).toHaveLength(2);
		const [first, second] = wire.received.map(
			(each) => each.json as { salt: string; signature: string },
		);
		expect(first!.salt).not.toBe(second!.salt);
		expect(first!.signature).not.toBe(second!.signature);
	});

	it('gives up after the retries the user allows', async () => {
		wire = await startWire((_, response) => json(response, 503, { message: 'Down' }));
		const { nodeError } = await runPayments(BALANCE, { credential: demoCredential(wire.url) });
		expect(wire.received).toHaveLength(3);
		expect(nodeError?.message).toBe(
			'The service could not handle the balance: Down (HTTP 503) [Item 0]',
		);
	});

	it.each([400, 401, 403, 404, 307])('is not repeated on %i', async (status) => {
		wire = await startWire((_, response) => {
			response.setHeader('location', 'http://127.0.0.1:9/');
			json(response, status, { success: false, message: 'No' });
		});
		const { nodeError } = await runPayments(BALANCE, { credential: demoCredential(wire.url) });
		expect(nodeError).toBeDefined();
		expect(wire.received).toHaveLength(1);
	});
});

describe('what the host does on its own', () => {
	const naive = async (url: string, items: IDataObject[], options = {}) =>
		await runNode(
			new NaiveNode(),
			{ amount: '={{ $json.amount }}' },
			{
				items,
				credentials: { unifiedPaymentsApi: demoCredential(url) },
				credentialTypes: [new UnifiedPaymentsApi()],
				...options,
			},
		);

	it('a 401 is sent once, with one envelope; a naive node sends it twice, still sealed once', async () => {
		wire = await startWire((_, response) =>
			json(response, 401, { success: false, message: 'Who?' }),
		);
		await runPayments(COLLECT, { credential: demoCredential(wire.url), items: rows(1) });
		expect(wire.received).toHaveLength(1);
		wire.received.length = 0;
		await naive(wire.url, rows(1));
		expect(wire.received).toHaveLength(2);
		for (const { json: body } of wire.received) {
			expect(Object.keys(body as IDataObject)).toEqual([
				'client_id',
				'sender',
				'timestamp',
				'salt',
				'signature',
				'params',
			]);
			expect((body as IDataObject).params).toEqual({ amount: 1 });
		}
	});

	it('a 307 reaches no other origin, from a naive node neither; a naive credential hands the signed body over', async () => {
		const other = await startWire((_, response) => accept(response));
		wire = await startWire((_, response) => {
			response.writeHead(307, { location: `${other.url}/elsewhere` });
			response.end();
		});
		try {
			await runPayments(COLLECT, { credential: demoCredential(wire.url), items: rows(1) });
			expect(other.received).toHaveLength(0);
			await naive(wire.url, rows(1));
			expect(other.received).toHaveLength(0);
			await naive(wire.url, rows(1), { credentialTypes: [new NaiveCredential()] });
			expect(other.received).toHaveLength(1);
		} finally {
			await other.close();
		}
	});

	it('Retry On Fail sends every row once; a naive node sends all of them every time', async () => {
		const answer = (received: Received, response: ServerResponse) =>
			json(response, 200, { success: amountOf(received) !== 1, message: 'No' });
		const retry = {
			onError: 'continueErrorOutput',
			retryOnFail: true,
			maxTries: 5,
			waitBetweenTries: 1,
		} as const;
		wire = await startWire(answer);
		const result = await runPayments(COLLECT, {
			credential: demoCredential(wire.url),
			items: rows(10),
			...retry,
		});
		expect(wire.received.map(amountOf).sort((a, b) => a - b)).toEqual(
			rows(10).map(({ amount }) => amount),
		);
		expect(result.failedJson).toMatchObject([{ amount: 1, error: { outcome: 'rejected' } }]);
		expect(result.successJson).toHaveLength(9);

		const failing = await startWire((_, response) => json(response, 500, {}));
		try {
			await naive(failing.url, rows(10), retry);
			expect(failing.received.length).toBe(50);
		} finally {
			await failing.close();
		}
	});

	it('Retry On Fail with Stop Workflow goes on where it stopped', async () => {
		let down = true;
		wire = await startWire((received, response) => {
			if (amountOf(received) === 2 && down) {
				down = false;
				return json(response, 500, {});
			}
			accept(response);
		});
		const { nodeError } = await runPayments(COLLECT, {
			credential: demoCredential(wire.url),
			items: rows(3),
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		});
		// Row 2 is unknown and stays so; nothing is sent twice.
		expect(wire.received.map(amountOf)).toEqual([1, 2]);
		expect(nodeError?.message).toMatch(/could not handle/);
	});
});

it('a batch rests as long as the service asks before it goes on', async () => {
	const times: number[] = [];
	wire = await startWire((received, response) => {
		times.push(Date.now());
		if (amountOf(received) === 1) {
			response.setHeader('retry-after', '1');
			return json(response, 429, { success: false, message: 'Slow down' });
		}
		accept(response);
	});
	const result = await runPayments(COLLECT, {
		credential: demoCredential(wire.url),
		items: rows(2),
		onError: 'continueErrorOutput',
	});
	expect(result.successJson).toHaveLength(1);
	expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
});

it('cancelling stops within one request per lane', async () => {
	const controller = new AbortController();
	wire = await startWire((_, response, nth) => {
		if (nth === 3) controller.abort();
		setTimeout(() => accept(response), 20);
	});
	await runPayments(
		{ ...COLLECT, options: { concurrency: 3 } },
		{ credential: demoCredential(wire.url), items: rows(50), signal: controller.signal },
	);
	expect(wire.received.length).toBeLessThanOrEqual(6);
});

it.each([
	['a pause at once, and nothing more is sent', COLLECT, 5],
	['the wait before another try of a read', BALANCE, 1],
])('cancelling ends %s', async (_, parameters, count) => {
	const controller = new AbortController();
	wire = await startWire((__, response) => {
		response.setHeader('retry-after', '60');
		no(429, 'Slow down')(response);
		setTimeout(() => controller.abort(), 50);
	});
	await runPayments(parameters, {
		credential: demoCredential(wire.url),
		items: rows(count),
		onError: 'continueErrorOutput',
		signal: controller.signal,
	});
	expect(wire.received).toHaveLength(1);
});

it('rows of a read after one that went wrong are not asked for when the run stops', async () => {
	wire = await startWire((_, response) => json(response, 400, { success: false, message: 'No' }));
	const { nodeError } = await runPayments(
		{ ...BALANCE, options: { concurrency: 1 } },
		{ credential: demoCredential(wire.url), items: rows(4) },
	);
	expect(nodeError?.message).toMatch(/\[Item 0\]$/);
	expect(wire.received).toHaveLength(1);
});

it('at most so many requests a second leave as the user allows', async () => {
	const times: number[] = [];
	wire = await startWire((_, response) => {
		times.push(Date.now());
		accept(response);
	});
	await runPayments(
		{ ...COLLECT, options: { concurrency: 5, requestsPerSecond: 10 } },
		{ credential: demoCredential(wire.url), items: rows(5) },
	);
	expect(times).toHaveLength(5);
	// Four pauses of 100 ms, as seen from the other side.
	expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(250);
});

it('a reply that is nested without end is accepted once, and not read further', async () => {
	wire = await startWire((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			`{"success":true,"message":"ok","data":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}`,
		);
	});
	const result = await runPayments(COLLECT, {
		credential: demoCredential(wire.url),
		items: rows(1),
	});
	expect(result.successJson).toMatchObject([{ outcome: 'accepted' }]);
	expect(JSON.stringify(result.successJson)).toContain('[nested too deeply]');
});

describe('secrets', () => {
	const SECRETS = {
		secretKey: 'canary-secret-key',
		apiKey: 'canary-api-key',
		callbackToken: 'canary-callback-token',
	};

	/** A hostile service: it says back all it received. */
	const echo = (status: number) => (received: Received, response: ServerResponse) => {
		const { signature } = (received.json ?? {}) as { signature?: string };
		json(response, status, {
			success: status === 200 && !received.path.includes('list'),
			message: `You sent ${received.text} with ${JSON.stringify(received.headers)}`,
			data: {
				token: received.path.endsWith('get-token') ? 'canary-token' : undefined,
				signature,
				secret_key: SECRETS.secretKey,
				nested: [received.text],
			},
		});
	};

	it.each([200, 400, 401, 429, 500])(
		'appear nowhere when the service echoes them (%i)',
		async (status) => {
			wire = await startWire(echo(status));
			const credential = demoCredential(wire.url, SECRETS);
			const more = { callbackUrl: 'https://shop.example.com/hook' };
			for (const parameters of [
				{ ...COLLECT, ...more },
				BALANCE,
				{
					resource: 'transaction',
					operation: 'get',
					reference: 'R',
					apiVersion: 'v2',
				},
				{ resource: 'paymentLink', operation: 'getAll' },
			]) {
				const result = await runPayments(parameters, {
					credential,
					items: rows(1),
					onError: 'continueErrorOutput',
				});
				const seen = JSON.stringify([result.run, result.log, result.items]);
				expect(seen).not.toMatch(/canary-(secret|api|callback|token)/);
				for (const { json: body } of wire.received) {
					const { signature } = (body ?? {}) as { signature?: string };
					if (signature) expect(seen).not.toContain(signature);
				}
			}
		},
	);
});
