import { createServer as createHttpServer } from 'node:http';
import { Agent, createServer as createHttpsServer, request } from 'node:https';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

import { readThrown } from '../../../nodes/UnifiedPayments/transport/exchange.ts';

/** TLS with a shared key: real handshakes and records, and no certificate to keep. */
const KEY = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const TLS = {
	ciphers: 'PSK-AES128-GCM-SHA256',
	minVersion: 'TLSv1.2',
	maxVersion: 'TLSv1.2',
} as const;

const open: Server[] = [];

async function listen<Listener extends Server>(server: Listener): Promise<number> {
	open.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

afterEach(async () => {
	await Promise.all(
		open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))),
	);
});

/** What a POST to the port ends with. */
const thrownBy = (port: number) =>
	new Promise<unknown>((resolve, reject) => {
		const agent = new Agent({
			...TLS,
			pskCallback: () => ({ psk: KEY, identity: 'test' }),
			checkServerIdentity: () => undefined,
		});
		const sent = request({ host: '127.0.0.1', port, method: 'POST', agent }, (response) => {
			response.resume();
			response.on('end', () => reject(new Error('It was answered')));
		});
		sent.on('error', resolve);
		sent.end('{"amount":1500}');
	});

it('a server without TLS was sent nothing, which its code does not tell', async () => {
	let received = 0;
	const port = await listen(createHttpServer(() => received++));
	expect(readThrown(await thrownBy(port))).toMatchObject({ sent: 'maybe' });
	expect(received).toBe(0);
});

it('nor does that of a server that shares no cipher', async () => {
	let received = 0;
	const server = createHttpsServer(
		{ ...TLS, ciphers: 'PSK-AES256-CBC-SHA384', pskCallback: () => KEY },
		() => received++,
	);
	expect(readThrown(await thrownBy(await listen(server)))).toMatchObject({ sent: 'maybe' });
	expect(received).toBe(0);
});

/** Behind the header of the first record: its sum no longer fits. */
const damaged = (chunk: Buffer) =>
	Buffer.from(chunk.map((byte, index) => (index === 20 ? byte ^ 0xff : byte)));

it.each([
	['is damaged on its way', damaged],
	['is replaced by plain text', () => Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
])('a server whose reply %s may have processed the request', async (_, spoil) => {
	let received = '';
	const server = createHttpsServer({ ...TLS, pskCallback: () => KEY }, (incoming, response) => {
		incoming.on('data', (chunk: Buffer) => (received += chunk.toString()));
		incoming.on('end', () => response.end('{"success":true}'));
	});
	const target = await listen(server);
	const proxy = createServer((client) => {
		const upstream = connect(target, '127.0.0.1');
		client.on('data', (chunk) => upstream.write(chunk));
		// Everything after the server has read the request is the reply.
		upstream.on('data', (chunk) => client.write(received === '' ? chunk : spoil(chunk)));
		for (const socket of [client, upstream]) {
			socket.on('error', () => undefined);
			socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
		}
	});
	const thrown = await thrownBy(await listen(proxy));
	expect(received).toBe('{"amount":1500}');
	expect(readThrown(thrown)).toMatchObject({ sent: 'maybe' });
});
