import { Agent } from 'node:http';

import axios from 'axios';
import type { AxiosResponse } from 'axios';

export interface Reply {
	status: number;
	headers: AxiosResponse['headers'];
	text: string;
}

export interface Call {
	method?: string;
	headers?: Record<string, string>;
	body?: unknown;
	/** How long the answer may take; as long as it likes unless this is said. */
	timeoutMs?: number;
}

/** Gives what was answered as it is: any status, no redirect followed, no JSON parsed. */
const client = axios.create({
	adapter: 'http',
	// One connection for each request: a busy n8n closes idle ones while they are being used.
	httpAgent: new Agent({ keepAlive: false }),
	proxy: false,
	maxRedirects: 0,
	responseType: 'text',
	transformRequest: (body: unknown) => body,
	transformResponse: (body: unknown) => body,
	validateStatus: () => true,
});

export async function call(
	url: string,
	{ method = 'GET', headers, body, timeoutMs }: Call = {},
): Promise<Reply> {
	const response = await client.request<string>({
		url,
		method,
		// Without a body axios would call it a form.
		headers: { 'Content-Type': body === undefined ? false : 'application/json', ...headers },
		data: body === undefined ? undefined : JSON.stringify(body),
		...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
	});
	return { status: response.status, headers: response.headers, text: response.data };
}
