import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { runNode } from '../../../host/engine/index.mts';
import { closing, throughout } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';
import { bearerCredential, sealingCredential } from './toys/credential.mts';
import { toyNode } from './toys/node.mts';

let answer: Parameters<typeof startWire>[0];
const service = throughout(async () => await startWire((...given) => answer(...given)));
const opened = closing();
const says = (status: number, body: object) => {
	answer = (_, response) => json(response, status, body);
};
beforeEach(() => {
	service.received.length = 0;
	says(200, {});
});

/** Posts once per run, with whatever options the test adds. */
const poster = (options: Partial<IHttpRequestOptions> = {}) =>
	toyNode(async function (this: IExecuteFunctions) {
		const { baseUrl } = await this.getCredentials('toyApi');
		const reply = (await this.helpers.httpRequestWithAuthentication.call(this, 'toyApi', {
			url: `${String(baseUrl)}/pay`,
			method: 'POST',
			body: { amount: this.getNodeParameter('amount', 0) },
			...options,
		})) as object;
		return [[{ json: { ...reply } }]];
	});

/** As the built-in HTTP Request node sends: the older helper, and `uri` for the address. */
const httpRequest = toyNode(async function () {
	const { baseUrl } = await this.getCredentials('toyApi');
	const reply = (await this.helpers.requestWithAuthentication.call(this, 'toyApi', {
		uri: `${String(baseUrl)}/pay`,
		method: 'POST',
		body: { amount: 5 },
		json: true,
	})) as object;
	return [[{ json: { ...reply } }]];
});

const withKey = () => ({
	credentials: { toyApi: { baseUrl: service.url } },
	credentialTypes: [sealingCredential()],
});

test('authenticate as a function seals the body, defaults of the credential included', async () => {
	says(200, { ok: true });
	const { successJson } = await runNode(poster(), { amount: 7 }, withKey());

	expect(successJson).toEqual([{ ok: true }]);
	expect(service.received.map(({ json: sent }) => sent)).toEqual([
		{ key: 'default-key', sealed: 1, params: { amount: 7 } },
	]);
});

test('authenticate by declaration resolves the credential in headers', async () => {
	const open = toyNode(async function () {
		const url = this.getNodeParameter('reference', 0) as string;
		await this.helpers.httpRequestWithAuthentication.call(this, 'toyApi', { url });
		return [[]];
	});
	await runNode(
		open,
		{ operation: 'read', reference: service.url },
		{ credentials: { toyApi: { token: '={{ "t" + 1 }}' } }, credentialTypes: [bearerCredential] },
	);

	expect(service.received[0]?.headers.authorization).toBe('Bearer t1');
});

test('a 401 makes the helper authenticate and send twice, sealing what was sealed', async () => {
	says(401, { message: 'no' });
	const options = withKey();
	const { nodeError } = await runNode(poster(), {}, options);

	expect(nodeError?.message).toContain('Authorization failed');
	expect(options.credentialTypes[0]?.sealed).toBe(2);
	expect(service.received).toHaveLength(2);
	const [first, second] = service.received;
	expect(second!.json).toMatchObject({ sealed: 2, params: first!.text });
});

test('the HTTP Request node sends once, also after a 401', async () => {
	says(401, { message: 'no' });
	const options = withKey();
	const { nodeError } = await runNode(httpRequest, {}, options);

	expect(nodeError?.message).toContain('Authorization failed');
	expect(options.credentialTypes[0]?.sealed).toBe(1);
	expect(service.received).toHaveLength(1);
});

test('ignoring HTTP errors stops the second sending', async () => {
	says(401, { message: 'no' });
	const quiet = poster({ ignoreHttpStatusErrors: true, returnFullResponse: true });
	const { successJson } = await runNode(quiet, {}, withKey());

	expect(successJson).toMatchObject([{ statusCode: 401, body: { message: 'no' } }]);
	expect(service.received).toHaveLength(1);
});

test('a 307 sends the body on to another address unless told not to', async () => {
	const other = opened(await startWire((_, response) => json(response, 200, {})));
	const location = `${other.url}/stolen`;
	answer = (_, response) => void response.writeHead(307, { location }).end('{}');

	await runNode(poster(), {}, withKey());
	expect(other.received).toMatchObject([{ method: 'POST', path: '/stolen' }]);

	await runNode(poster({ disableFollowRedirect: true }), {}, withKey());
	expect(other.received).toHaveLength(1);
});

test('a node without its credential says so', async () => {
	const { nodeError } = await runNode(poster(), {}, { credentialTypes: [sealingCredential()] });

	expect(nodeError?.message).toContain('credentials');
	expect(service.received).toEqual([]);
});

test('cancelling the execution aborts a request that is under way', async () => {
	const stop = new AbortController();
	answer = () => stop.abort();
	let aborted = false;
	const patient = toyNode(async function () {
		const { baseUrl } = await this.getCredentials('toyApi');
		const signal = this.getExecutionCancelSignal();
		const url = String(baseUrl);
		try {
			await this.helpers.httpRequestWithAuthentication.call(this, 'toyApi', { url });
		} finally {
			aborted = signal?.aborted === true;
		}
		return [[]];
	});
	const { status, success } = await runNode(patient, {}, { ...withKey(), signal: stop.signal });

	expect(status).toBe('canceled');
	expect(aborted).toBe(true);
	expect(success).toEqual([]);
	expect(service.received).toHaveLength(1);
});
