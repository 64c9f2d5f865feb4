import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

export interface Reply {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
}

export interface Call {
	method?: string;
	headers?: Record<string, string>;
	body?: unknown;
}

/** One request on a connection of its own: a busy n8n closes idle ones under its callers. */
export async function call(
	url: string,
	{ method = 'GET', headers, body }: Call = {},
): Promise<Reply> {
	const sent = body === undefined ? undefined : JSON.stringify(body);
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, {
			method,
			agent: false,
			headers: { ...(sent && { 'Content-Type': 'application/json' }), ...headers },
		});
		outgoing.on('error', reject);
		outgoing.once('response', (incoming) => {
			const chunks: Buffer[] = [];
			incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
			incoming.on('error', reject);
			incoming.once('end', () =>
				resolve({
					status: incoming.statusCode ?? 0,
					headers: incoming.headers,
					text: Buffer.concat(chunks).toString(),
				}),
			);
		});
		outgoing.end(sent);
	});
}
