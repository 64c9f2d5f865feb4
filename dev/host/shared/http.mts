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
	/** Text, bytes and forms are sent as they are, everything else as JSON. */
	body?: unknown;
	/** How long the answer may take; as long as it likes unless this is said. */
	timeoutMs?: number;
}

const isWritten = (body: unknown) =>
	body === undefined ||
	typeof body === 'string' ||
	body instanceof Uint8Array ||
	body instanceof FormData;

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
	const type = body === undefined ? false : 'application/json';
	const response = await client.request<string>({
		url,
		method,
		// What is not said here axios guesses: a form, where there is no body; the boundary of a form it knows.
		headers: { ...(!(body instanceof FormData) && { 'Content-Type': type }), ...headers },
		data: isWritten(body) ? body : JSON.stringify(body),
		...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
	});
	return { status: response.status, headers: response.headers, text: response.data };
}
