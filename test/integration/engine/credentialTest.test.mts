import { testCredential } from '../../../host/engine/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';
import { bearerCredential, sealingCredential } from './toys/credential.mts';
import { toyNode } from './toys/node.mts';

let answer: [status: number, body: unknown];
const service = throughout(async () => await startWire((_, response) => json(response, ...answer)));

test('a 2xx is a success, and the request was authenticated by the credential', async () => {
	answer = [200, {}];
	const result = await testCredential(sealingCredential(), { baseUrl: service.url, key: 'k' });

	expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
	expect(service.received).toMatchObject([
		{ method: 'POST', path: '/check', json: { key: 'k', params: { a: 1 } } },
	]);
});

test("a 200 whose body matches a rule fails with the service's message", async () => {
	const message = 'Invalid signature';
	answer = [200, { success: false, message }];
	const result = await testCredential(sealingCredential(), { baseUrl: service.url });

	expect(result).toEqual({ status: 'Error', message });
});

test('an HTTP error fails with the message of its rule, or with the status text', async () => {
	const baseUrl = {
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		default: '',
	} as const;
	const properties = [...bearerCredential.properties, baseUrl];
	const messageFor = async (status: number) => {
		answer = [status, {}];
		const type = { ...bearerCredential, properties };
		return (await testCredential(type, { baseUrl: service.url })).message;
	};

	expect(await messageFor(403)).toBe('The token has no rights');
	expect(await messageFor(500)).toBe('Internal Server Error');
});

test('a service that cannot be reached fails with the network error', async () => {
	const result = await testCredential(sealingCredential(), { baseUrl: 'http://127.0.0.1:1' });
	expect(result).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
});

test('a node can test a credential that has no test of its own', async () => {
	const untested = { ...sealingCredential(), test: undefined };
	const tester = toyNode(
		async () => [[]],
		{ credentials: [{ name: 'toyApi', testedBy: 'check' }] },
		{
			credentialTest: {
				async check({ data }) {
					const reply: unknown = await this.helpers.request(`${String(data?.baseUrl)}/own`);
					return { status: 'Error', message: `said ${String(reply)}` };
				},
			},
		},
	);
	answer = [200, 'no'];

	expect(await testCredential(untested, { baseUrl: service.url }, [tester])).toEqual({
		status: 'Error',
		message: 'said "no"',
	});
	expect((await testCredential(untested, {})).message).toContain('No testing function');
});
