import type { INodeParameters } from 'n8n-workflow';

import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';

/*
 * n8n reads `failure` of an error to decide whether it waits, or asks somebody to act. What may have
 * been processed must not be tried again by it.
 */

let wire: Wire;
let answer: { status: number; headers?: Record<string, string> };

beforeAll(async () => {
	wire = await startWire((_, response) => {
		for (const [name, value] of Object.entries(answer.headers ?? {}))
			response.setHeader(name, value);
		json(response, answer.status, { success: false, message: 'No' });
	});
});

afterAll(async () => await wire.close());

const READ = { resource: 'balance', operation: 'get' };
const CREATE = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: 10,
	mobile: '0712345678',
};

const failure = async (parameters: INodeParameters, baseUrl = wire.url) => {
	const { nodeError } = await runPayments(parameters, { credential: demoCredential(baseUrl) });
	expect(nodeError).toBeDefined();
	return (nodeError as { failure?: unknown }).failure;
};

describe('why it went wrong, in the words of the host', () => {
	it.each([
		[429, { cause: 'rate-limited' }],
		[503, { cause: 'temporarily-unavailable' }],
		[401, { cause: 'credential-invalid' }],
		[403, { cause: 'credential-invalid' }],
		[400, undefined],
		[302, undefined],
	])('a read answered with %i: %j', async (status, expected) => {
		answer = { status };
		expect(await failure(READ)).toEqual(expected);
	});

	it('a wait that the service asked for comes along', async () => {
		answer = { status: 429, headers: { 'Retry-After': '1' } };
		expect(await failure(READ)).toEqual({ cause: 'rate-limited', retryAfterMs: 1000 });
	});

	it.each([429, 503])('nothing about a create that may have been processed: %i', async (status) => {
		answer = { status };
		expect(await failure(CREATE)).toBeUndefined();
	});

	it('a create that never left may be tried later', async () => {
		expect(await failure(CREATE, 'http://127.0.0.1:1')).toEqual({
			cause: 'temporarily-unavailable',
		});
	});

	it.each([
		['a bad value', { ...CREATE, amount: 'ten' }, undefined],
		['a bad credential', READ, 'not an address'],
	])('somebody has to act: %s', async (_, parameters, baseUrl) => {
		expect(await failure(parameters, baseUrl)).toEqual({ cause: 'configuration-invalid' });
	});
});
