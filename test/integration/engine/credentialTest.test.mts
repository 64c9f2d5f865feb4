import { testCredential } from '../../../host/engine/index.mts';
import { bearerCredential, sealingCredential } from './toys/credential.mts';
import { toyNode } from './toys/node.mts';
import { toyService } from './toys/service.mts';
import type { ToyService } from './toys/service.mts';

let service: ToyService;
beforeEach(async () => {
	service = await toyService();
});
afterEach(async () => await service.close());

test('a 2xx is a success, and the request was authenticated by the credential', async () => {
	const result = await testCredential(sealingCredential(), { baseUrl: service.url, key: 'k' });

	expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
	expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /check']);
	expect(JSON.parse(service.seen[0]?.body ?? '')).toMatchObject({ key: 'k', params: { a: 1 } });
});

test("a 200 whose body matches a rule fails with the service's message", async () => {
	service.answer = () => ({ body: { success: false, message: 'Invalid signature' } });

	expect(await testCredential(sealingCredential(), { baseUrl: service.url })).toEqual({
		status: 'Error',
		message: 'Invalid signature',
	});
});

test('an HTTP error fails with the message of its rule, or with the status text', async () => {
	const url = { baseUrl: service.url };
	const type = {
		...bearerCredential,
		properties: [
			...bearerCredential.properties,
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' } as const,
		],
	};

	service.answer = () => ({ status: 403, body: {} });
	expect((await testCredential(type, url)).message).toBe('The token has no rights');
	service.answer = () => ({ status: 500, body: {} });
	expect((await testCredential(type, url)).message).toBe('Internal Server Error');
});

test('a service that cannot be reached fails with the network error', async () => {
	const { url } = service;
	await service.close();

	const result = await testCredential(sealingCredential(), { baseUrl: url });
	expect(result).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
	service = await toyService();
});

test('a node can test a credential that has no test of its own', async () => {
	const untested = { ...sealingCredential(), test: undefined };
	const tester = toyNode(
		async () => [[]],
		{ credentials: [{ name: 'toyApi', testedBy: 'check' }] },
		{
			credentialTest: {
				async check(credential) {
					const reply: unknown = await this.helpers.request(
						`${String(credential.data?.baseUrl)}/own`,
					);
					return { status: 'Error', message: `said ${String(reply)}` };
				},
			},
		},
	);
	service.answer = () => ({ body: 'no' });

	expect(await testCredential(untested, { baseUrl: service.url }, [tester])).toEqual({
		status: 'Error',
		message: 'said "no"',
	});
	expect((await testCredential(untested, {})).message).toContain('No testing function');
});
