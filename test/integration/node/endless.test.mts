import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ settleDelayMs: Infinity });
	// A piece of a reply every 50 ms, for ever: the connection is never silent.
	sandbox.faults.add({ kind: 'endless', delayMs: 50 });
});
afterAll(async () => await sandbox.close());

const run = async (parameters: INodeParameters) =>
	await runPayments(
		{ ...parameters, options: { timeoutSeconds: 1, maxRetries: 0, onUnknown: 'report' } },
		{
			credential: demoCredential(sandbox.url, { listAuthentication: 'none' }),
			items: [{}],
			onError: 'continueErrorOutput',
		},
	);

it('a create whose reply never ends is unknown, and does not hold the run', async () => {
	const { failedJson } = await run({
		resource: 'collection',
		operation: 'create',
		country: 'KE',
		amount: 10,
		mobile: '0712345678',
	});
	expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
}, 15_000);

it.each<[string, INodeParameters]>([
	['list', { resource: 'paymentLink', operation: 'getAll' }],
	['status', { resource: 'transaction', operation: 'get', reference: 'TX-1' }],
	['balance', { resource: 'balance', operation: 'get' }],
	['token', { resource: 'token', operation: 'get' }],
])(
	'a %s that never ends is an error',
	async (_, parameters) => {
		const { failedJson } = await run(parameters);
		expect(failedJson).toMatchObject([{ error: { message: expect.any(String) as unknown } }]);
	},
	15_000,
);
