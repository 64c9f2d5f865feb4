import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Callback {
	body: Record<string, unknown>;
	text: string;
	headers: IncomingHttpHeaders;
}

/** The merchant's side: takes callbacks, and greets customers who come back. */
export interface Shop {
	origin: string;
	callbackUrl: string;
	thanksUrl: string;
	callbacks: Callback[];
	/** Addresses that customers came back to. */
	visits: URL[];
	/** Statuses to answer the next callbacks with; after them, 200. */
	answerNext: number[];
	close(): Promise<void>;
}

const THANKS =
	'<!doctype html><link rel="icon" href="data:,"><title>Shop</title><h1>Welcome back</h1>';

export async function openShop(): Promise<Shop> {
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const url = new URL(request.url ?? '/', shop.origin);
			if (url.pathname === '/callback') {
				const body = JSON.parse(text) as Callback['body'];
				shop.callbacks.push({ body, text, headers: request.headers });
				response.writeHead(shop.answerNext.shift() ?? 200, { location: '/thanks' }).end();
			} else if (url.pathname === '/thanks') {
				shop.visits.push(url);
				response.writeHead(200, { 'content-type': 'text/html' }).end(THANKS);
			} else response.writeHead(404).end();
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const shop: Shop = {
		origin,
		callbackUrl: `${origin}/callback`,
		thanksUrl: `${origin}/thanks?order=17`,
		callbacks: [],
		visits: [],
		answerNext: [],
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return shop;
}

/** Asks until there is an answer, for at most 15 s. */
export async function eventually<T>(what: string, ask: () => T | undefined | false): Promise<T> {
	const deadline = Date.now() + 15_000;
	while (Date.now() < deadline) {
		const answer = ask();
		if (answer !== undefined && answer !== false) return answer;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error(`No sign of ${what} after 15 s`);
}
