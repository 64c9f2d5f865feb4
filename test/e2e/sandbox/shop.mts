import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Callback {
	body: Record<string, unknown>;
	signature: string | undefined;
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

export async function openShop(): Promise<Shop> {
	const callbacks: Callback[] = [];
	const visits: URL[] = [];
	const answerNext: number[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const url = new URL(request.url ?? '/', shop.origin);
			if (url.pathname === '/callback') {
				const signature = request.headers['x-signature'];
				callbacks.push({
					body: JSON.parse(text) as Record<string, unknown>,
					signature: Array.isArray(signature) ? signature[0] : signature,
				});
				response.writeHead(answerNext.shift() ?? 200).end();
			} else if (url.pathname === '/thanks') {
				visits.push(url);
				response.writeHead(200, { 'content-type': 'text/html' });
				response.end(
					'<!doctype html><link rel="icon" href="data:,"><title>Shop</title><h1>Welcome back</h1>',
				);
			} else {
				response.writeHead(404).end();
			}
		});
	});
	const shop: Shop = {
		origin: '',
		callbackUrl: '',
		thanksUrl: '',
		callbacks,
		visits,
		answerNext,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	shop.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	shop.callbackUrl = `${shop.origin}/callback`;
	shop.thanksUrl = `${shop.origin}/thanks?order=17`;
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
