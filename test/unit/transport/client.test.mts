import { randomUUID } from 'node:crypto';

import {
	createClient,
	createEndpointClient,
} from '../../../nodes/UnifiedPayments/transport/client.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { demoCredential } from '../../helpers/payments.mts';

const MB = 1024 * 1024;
const DONE = { success: true, message: 'OK', data: { token: 'token of this run' } };
const options = { timeoutSeconds: 5 };

/** An account whose requests this function answers. */
async function clientOf(answer: () => unknown, changes = {}) {
	const httpRequestWithAuthentication = async () => {
		const body = await answer();
		return { statusCode: 200, headers: { 'x-ratelimit-limit': '5' }, body };
	};
	const ofRun = new Redactor();
	const context = {
		getCredentials: async () => demoCredential('https://pay.example.com', changes),
		helpers: { httpRequestWithAuthentication },
	};
	return { ofRun, client: await createEndpointClient(context as never, ofRun) };
}

it('a token that lists are asked with is not shown', async () => {
	const { client, ofRun } = await clientOf(() => DONE, { listAuthentication: 'bearer' });
	await client.list('/links', options, 'the links');
	for (const each of [client.redactor, ofRun]) expect(each.text(DONE.data.token)).toBe('***');
});

it('what the headers say is noticed, and where nothing came, nothing', async () => {
	const { client } = await clientOf(() => DONE);
	await client.query('/balance', {}, options, 'the balance');
	expect(await client.noticed()).toMatchObject({ limits: { 'x-ratelimit-limit': '5' } });
	const silent = await clientOf(() => Promise.reject(new Error('reset')));
	const once = { ...options, maxRetries: 0 };
	await expect(silent.client.query('/balance', {}, once, 'the balance')).rejects.toThrow();
	expect(await silent.client.noticed()).toMatchObject({ secondsAhead: null, limits: {} });
});

it("n8n's proof in the address of callbacks is not shown when it comes back", async () => {
	// Another one each time: what was sent once stays known to the process.
	const proof = `${randomUUID()}=`;
	const { client } = await clientOf(() => DONE);
	const address = `https://n8n.example.com/webhook-waiting/7?a=b&signature=${proof}&c=d`;
	await client.create('/links', { callback_url: address }, options);
	await client.create('/links', {}, options);
	expect(client.redactor.text(`It is ${proof}, not b`)).toBe('It is ***, not b');
});

it.each([
	[5 * MB, 2],
	[10_000, 3],
])('of bodies with %i bytes no more are under way than memory has room for', async (size, most) => {
	let [underWay, seen] = [0, 0];
	const { client } = await clientOf(async () => {
		seen = Math.max(seen, ++underWay);
		await new Promise((resolve) => setTimeout(resolve, 20));
		underWay--;
		return DONE;
	});
	const params = { logo: 'x'.repeat(size), amount: 1 };
	await Promise.all([1, 2, 3].map(async () => await client.create('/links', params, options)));
	expect(seen).toBe(most);
});

it('nothing is asked again once the execution is cancelled', async () => {
	const cancel = new AbortController();
	let asked = 0;
	const httpRequestWithAuthentication = async () => {
		asked++;
		cancel.abort();
		throw new Error('reset');
	};
	const context = {
		getInputData: () => [{}],
		getCredentials: async () => demoCredential('https://pay.example.com'),
		getExecutionCancelSignal: () => cancel.signal,
		helpers: { httpRequestWithAuthentication },
	};
	const client = createClient(context as never).forRow(0);
	await expect(client.query('/balance', {}, options, 'it')).rejects.toThrow();
	expect(asked).toBe(1);
});
