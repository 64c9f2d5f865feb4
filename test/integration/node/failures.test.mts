/*
 * n8n reads `failure` of an error to decide whether it waits, or asks somebody to act. What may have
 * been processed must not be tried again by it.
 */
import type { INodeParameters } from 'n8n-workflow';

import { BALANCE, COLLECT, demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

let status: number;
let retryAfter: string | undefined;
const wire = throughout(
	async () =>
		await startWire((_, response) => {
			if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
			json(response, status, { success: false, message: 'No' });
		}),
);

const failure = async (parameters: INodeParameters, baseUrl = wire.url) => {
	const { nodeError } = await runPayments(parameters, { credential: demoCredential(baseUrl) });
	expect(nodeError).toBeDefined();
	return (nodeError as { failure?: unknown }).failure;
};

it.each([
	['a read', BALANCE, 429, undefined, { cause: 'rate-limited' }],
	['a read', BALANCE, 429, '1', { cause: 'rate-limited', retryAfterMs: 1000 }],
	['a read', BALANCE, 503, undefined, { cause: 'temporarily-unavailable' }],
	['a read', BALANCE, 401, undefined, { cause: 'credential-invalid' }],
	['a read', BALANCE, 403, undefined, { cause: 'credential-invalid' }],
	['a read', BALANCE, 400, undefined, undefined],
	['a read', BALANCE, 302, undefined, undefined],
	['a create, which may have been processed,', COLLECT, 429, undefined, undefined],
	['a create, which may have been processed,', COLLECT, 503, undefined, undefined],
])(
	'why %s went wrong, in the words of n8n (%#)',
	async (_, parameters, answer, after, expected) => {
		[status, retryAfter] = [answer, after];
		expect(await failure(parameters)).toEqual(expected);
	},
);

it.each([
	['a create that never left', COLLECT, 'http://127.0.0.1:1', 'temporarily-unavailable'],
	['a bad value', { ...COLLECT, amount: 'ten' }, undefined, 'configuration-invalid'],
	['a bad credential', BALANCE, 'not an address', 'configuration-invalid'],
])('%s may be tried later, or needs somebody to act', async (_, parameters, baseUrl, cause) => {
	expect(await failure(parameters, baseUrl)).toEqual({ cause });
});
