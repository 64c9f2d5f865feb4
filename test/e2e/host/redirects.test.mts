import type { IDataObject, INode } from 'n8n-workflow';

import { startStranger, startWire } from '../../helpers/wire.mts';
import type { Stranger, Wire } from '../../helpers/wire.mts';
import { place, to, useDemo } from './support.mts';

const demo = useDemo();

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const STATUSES = [301, 302, 303, 307, 308];
const REQUESTS = [
	['POST', '/api/integration/get-token'],
	['POST', '/api/v3/get-unified-balance'],
	['GET', '/api/payment-link-api/list'],
] as const;

/** With what a user may turn on in the node, and with what it does by itself. */
const OPTIONS: Record<string, IDataObject> = {
	'the defaults': {},
	'redirects turned on': { redirect: { redirect: { followRedirects: true, maxRedirects: 21 } } },
};

let stranger: Stranger;
let service: Wire;

beforeAll(async () => {
	stranger = await startStranger();
	service = await startWire(({ path }, response) => {
		const [, status] = /[?&]answer=(\d+)/.exec(path) ?? [];
		response.writeHead(Number(status), { location: stranger.url });
		response.end();
	});
});

afterAll(async () => {
	await service.close();
	await stranger.close();
});

/** One HTTP Request node for each request and answer, one after the other. */
async function callAll(typeVersion: number, options: IDataObject) {
	const { client } = demo().host;
	const { type } = demo().credential;
	const { id, name } = await client.createCredential('Redirected', type, {
		baseUrl: service.url,
		clientId: 'canary-client',
		sender: 'Canary',
		secretKey: 'canary-secret-key',
	});
	const nodes = REQUESTS.flatMap(([method, path]) =>
		STATUSES.map((status): INode => ({
			...place(`${method} ${path} ${status}`, HTTP_REQUEST, {
				method,
				url: `${service.url}${path}?answer=${status}`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: type,
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'Authorization', value: 'Bearer canary' }] },
				...(method === 'POST' && { sendBody: true, specifyBody: 'json', jsonBody: '{"a":1}' }),
				options,
			} as INode['parameters']),
			typeVersion,
			onError: 'continueRegularOutput',
			credentials: { [type]: { id, name } },
		})),
	);
	const chain = ['Start', ...nodes.map((each) => each.name)];
	const workflow = await client.createWorkflow({
		name: `Redirects ${typeVersion}`,
		nodes: [place('Start', 'n8n-nodes-base.manualTrigger'), ...nodes],
		connections: Object.fromEntries(
			chain.slice(0, -1).map((from, index) => [from, { main: [to(chain[index + 1]!)] }]),
		),
	});
	await client.run(workflow, 'Start');
	return nodes.length;
}

test.each(Object.entries(OPTIONS))(
	'with %s the HTTP Request node takes no secret to another origin',
	async (_, options) => {
		const before = service.received.length;
		const sent = await callAll(4.2, options);

		// Each was sent once, with a signature in it; those to the token endpoint were refused.
		expect(service.received.length - before).toBe(sent - STATUSES.length);
		expect(service.received.some(({ text }) => text.includes('canary-client'))).toBe(true);
		expect(service.received.some(({ text }) => text.includes('canary-secret-key'))).toBe(false);
		expect(stranger.seen()).toEqual({ connections: 0, bytes: 0 });
	},
);
