import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Reply {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
}

export interface Call {
	method?: string;
	headers?: Record<string, string>;
	body?: unknown;
	/** How long the answer may take; as long as it likes unless this is said. */
	timeoutMs?: number;
}

/** One request on its own connection: a busy n8n closes idle ones while they are being used. */
export async function call(
	url: string,
	{ method = 'GET', headers, body, timeoutMs }: Call = {},
): Promise<Reply> {
	const sent = body === undefined ? undefined : JSON.stringify(body);
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, {
			method,
			agent: false,
			...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
			headers: { ...(sent && { 'Content-Type': 'application/json' }), ...headers },
		});
		outgoing.on('error', reject);
		outgoing.once('response', (incoming) => {
			const { statusCode = 0, headers } = incoming;
			text(incoming).then((body) => resolve({ status: statusCode, headers, text: body }), reject);
		});
		outgoing.end(sent);
	});
}
