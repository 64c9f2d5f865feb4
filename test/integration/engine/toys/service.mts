import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Left out: the request stays unanswered. */
	body?: unknown;
}

export interface ToyService {
	url: string;
	seen: Seen[];
	/** Decides every answer from now on. */
	answer: (seen: Seen) => Answer;
	close: () => Promise<void>;
}

/** An HTTP server on a free port that notes every request. */
export async function toyService(): Promise<ToyService> {
	const service: Omit<ToyService, 'url' | 'close'> = { seen: [], answer: () => ({ body: {} }) };
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
			service.seen.push(seen);
			const { status = 200, headers: more = {}, body } = service.answer(seen);
			if (body === undefined) return;
			response.writeHead(status, { 'Content-Type': 'application/json', ...more });
			response.end(JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return Object.assign(service, {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
}
