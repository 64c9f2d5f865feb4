import type { IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { demoCredential } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';
import { startStranger, startWire } from '../../helpers/wire.mts';
import { toyNode } from '../engine/toys/node.mts';

type Send = (
	this: IExecuteFunctions,
	method: IHttpRequestMethods,
	address: string,
) => Promise<unknown>;

/** Both of the host's helpers, told by their caller to follow whatever they are pointed to. */
const HELPERS: Record<string, Send> = {
	async httpRequestWithAuthentication(method, url) {
		const { httpRequestWithAuthentication: send } = this.helpers;
		return await send.call(this, 'unifiedPaymentsApi', {
			method,
			url,
			headers: { Authorization: 'Bearer canary' },
			body: method === 'GET' ? undefined : { canary: true },
			disableFollowRedirect: false,
		});
	},

	async requestWithAuthentication(method, uri) {
		const { requestWithAuthentication: send } = this.helpers;
		return await send.call(this, 'unifiedPaymentsApi', {
			method,
			uri,
			headers: { Authorization: 'Bearer canary' },
			body: method === 'GET' ? undefined : { canary: true },
			json: true,
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: 21,
		});
	},
};

const PATHS: Record<IHttpRequestMethods & ('GET' | 'POST'), readonly string[]> = {
	GET: ['/api/payment-link-api/list', '/api/integration/get-token'],
	POST: ['/api/v3/get-unified-balance', '/api/v4/something-new'],
};

let status = 307;
const stranger = throughout(startStranger);
const service = throughout(
	async () =>
		await startWire(
			(_, response) => void response.writeHead(status, { location: stranger.url }).end(),
		),
);

describe.each(Object.entries(HELPERS))('with %s', (_, send) => {
	describe.each(['GET', 'POST'] as const)('a %s', (method) => {
		it.each([301, 302, 303, 307, 308])(
			'that is answered with %d takes nothing elsewhere',
			async (answer) => {
				status = answer;
				const before = service.received.length;
				const node = toyNode(
					async function () {
						// What the helper makes of the answer is its own business.
						for (const path of PATHS[method]) {
							await send.call(this, method, service.url + path).catch(() => undefined);
						}
						return [[]];
					},
					{ credentials: [{ name: 'unifiedPaymentsApi' }] },
				);
				await runNode(
					node,
					{},
					{
						credentials: { unifiedPaymentsApi: demoCredential(service.url) },
						credentialTypes: [new UnifiedPaymentsApi()],
					},
				);
				expect(service.received.slice(before).map(({ path }) => path)).toEqual(PATHS[method]);
				expect(stranger.seen()).toEqual({ connections: 0, bytes: 0 });
			},
		);
	});
});
