import {
	createClient,
	createEndpointClient,
} from '../../../nodes/UnifiedPayments/transport/client.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { demoCredential } from '../../helpers/payments.mts';

const MB = 1024 * 1024;
const DONE = { success: true, message: 'OK', data: { token: 'token of this run' } };
const options = { timeoutSeconds: 5 };

interface Sent {
	url: string;
	body?: string;
	headers: Record<string, string>;
}

/** An account whose requests this function answers. */
async function clientOf(answer: (sent: Sent) => unknown, changes = {}, headers = {}) {
	const httpRequestWithAuthentication = async (_: string, sent: Sent) => {
		const body = await answer(sent);
		return { statusCode: 200, headers, body };
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

it('the clock of the service is known by its last answer', async () => {
	const once = { ...options, maxRetries: 0 };
	const dated = async (answer: () => unknown, date?: string) => {
		const { client } = await clientOf(answer, {}, { date });
		await client.query('/balance', {}, once, 'the balance').catch(() => undefined);
		return await client.secondsAhead();
	};
	const ago = new Date(Date.now() - 90_000).toUTCString();
	expect(Math.abs((await dated(() => DONE, ago))! - 90)).toBeLessThan(3);
	expect(await dated(() => DONE, 'in 5 minutes')).toBeNull();
	expect(await dated(() => DONE)).toBeNull();
	expect(await dated(async () => await Promise.reject(new Error('reset')), ago)).toBeNull();
});

describe('the token of lists', () => {
	/** A service whose list is refused, or whose token endpoint is away, the first time. */
	async function twice(isAway: (nth: number) => boolean) {
		const asked: string[] = [];
		const { client } = await clientOf(({ url }) => {
			asked.push(url.replace(/.*\//, ''));
			return isAway(asked.length) ? { success: false, message: 'No' } : DONE;
		});
		const list = async () =>
			await client.list('/links', options, 'the links').then(
				() => 'given',
				() => 'failed',
			);
		return { ends: [await list(), await list(), await list()], asked };
	}

	it('is asked for once', async () => {
		expect(await twice(() => false)).toEqual({
			ends: ['given', 'given', 'given'],
			asked: ['get-token', 'links', 'links', 'links'],
		});
	});

	it('is forgotten when it was not given', async () => {
		expect(await twice((nth) => nth === 1)).toEqual({
			ends: ['failed', 'given', 'given'],
			asked: ['get-token', 'get-token', 'links', 'links'],
		});
	});

	it('is forgotten when it did not open the list', async () => {
		expect(await twice((nth) => nth === 2)).toEqual({
			ends: ['failed', 'given', 'given'],
			asked: ['get-token', 'links', 'get-token', 'links', 'links'],
		});
	});
});

it.each(['hex', 'base64'])(
	'a reply that says its %s signature back does not show it',
	async (encoding) => {
		for (let time = 0; time < 20; time++) {
			let signature = '';
			const { client } = await clientOf(
				({ body }) => {
					signature = (JSON.parse(String(body)) as { signature: string }).signature;
					const said = `You sent ${signature} or ${encodeURIComponent(signature)}!`;
					// As PHP and .NET write it.
					const text = JSON.stringify({ success: true, message: said, data: { [said]: [body] } });
					return text.replaceAll('/', '\\/').replaceAll('+', '\\u002B');
				},
				{ signatureEncoding: encoding },
			);
			const reply = await client.query('/balance', {}, options, 'the balance');
			expect(signature.length).toBeGreaterThan(40);
			expect(reply.message).toBe('You sent *** or ***!');
			expect(JSON.stringify(reply)).not.toContain(signature);
		}
	},
);

it('the key goes to the token and the signing endpoint only, in a body of its own', async () => {
	const sent: Record<string, unknown> = {};
	const { client } = await clientOf(
		({ url, body, headers }) => {
			sent[url] = { ...(JSON.parse(body ?? '{}') as object), headers };
			return { ...DONE, signature: 'theirs' };
		},
		{ signatureSource: 'endpoint', apiKey: 'api-key' },
	);
	await client.list('/links', options, 'the links');
	await client.create('/links', { amount: 1 }, options);
	await client.query('/api/v2/get-unified-transaction-status', { id: 'x' }, options, 'it');
	const holding = (secret: string) =>
		Object.keys(sent).filter((url) => JSON.stringify(sent[url]).includes(secret));
	expect(holding('demo-secret-key')).toEqual([
		'https://pay.example.com/api/integration/get-token',
		'https://pay.example.com/api/service-signature',
	]);
	expect(holding('api-key')).toEqual([
		'https://pay.example.com/api/v2/get-unified-transaction-status',
	]);
	expect(sent['https://pay.example.com/links']).toMatchObject({ signature: 'theirs' });
});

it.each([
	[5 * MB, 4],
	[10_000, 8],
])('of bodies with %i bytes no more are under way than memory has room for', async (size, most) => {
	let [underWay, seen] = [0, 0];
	const { client } = await clientOf(async () => {
		seen = Math.max(seen, ++underWay);
		await new Promise((resolve) => setTimeout(resolve, 20));
		underWay--;
		return DONE;
	});
	const params = { logo: 'x'.repeat(size), amount: 1 };
	const eight = Array.from({ length: 8 });
	await Promise.all(eight.map(async () => await client.create('/links', params, options)));
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
