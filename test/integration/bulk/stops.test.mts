import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../host/engine/index.mts';
import { NaiveCredential, NaivePayments } from '../../helpers/naive.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { saidBy, tally } from '../../helpers/soak/audit.mts';
import { forNaive, goodSheet, inFields } from '../../helpers/soak/sheet.mts';
import { json, startWire, type Received, type Wire } from '../../helpers/wire.mts';

const ROWS = 100;
const NAIVE_ROWS = 2;
const ENVELOPE = ['client_id', 'sender', 'timestamp', 'salt', 'signature', 'params'];

const rows = goodSheet(ROWS, 1);

/** One envelope, with the fields of the row in it and not another envelope. */
const isSealedOnce = ({ json: body }: Received): boolean => {
	const { params, ...rest } = body as { params: IDataObject };
	const keys = [...Object.keys(rest), 'params'];
	return keys.join() === ENVELOPE.join() && 'mobile' in params && !('params' in params);
};

const ours = async (url: string, lanes: number) =>
	await runPayments(inFields({ concurrency: lanes, timeoutSeconds: 10 }), {
		credential: demoCredential(url),
		items: rows,
		onError: 'continueRegularOutput',
	});

const naive = async (url: string, credentialType = new UnifiedPaymentsApi()) =>
	await runNode(new NaivePayments(), forNaive(), {
		items: rows.slice(0, NAIVE_ROWS),
		credentials: { unifiedPaymentsApi: demoCredential(url) },
		credentialTypes: [credentialType],
		onError: 'continueRegularOutput',
	});

let wire: Wire | undefined;

afterEach(async () => {
	await wire?.close();
	wire = undefined;
});

describe.each([401, 403])('a service that answers %i', (status) => {
	const answer = async () => {
		wire = await startWire((_, response) =>
			json(response, status, { success: false, message: 'Who?' }),
		);
		return wire;
	};

	it.each([1, 20])('is asked once by each of %i lanes, with one envelope', async (lanes) => {
		const { url, received } = await answer();
		const result = await ours(url, lanes);
		expect(received.length).toBeGreaterThan(0);
		expect(received.length).toBeLessThanOrEqual(lanes);
		expect(received.every(isSealedOnce)).toBe(true);
		expect(tally(saidBy(result.items))).toEqual({
			rejected: received.length,
			not_sent: ROWS - received.length,
		});
	});

	it('gets every row several times from a naive node', async () => {
		const { url, received } = await answer();
		await naive(url);
		expect(received.length).toBeGreaterThan(NAIVE_ROWS);
	});
});

describe('a service that redirects', () => {
	/** Another origin that counts the bytes and the connections that reach it. */
	const startOther = async () => {
		const seen = { connections: 0, bytes: 0 };
		const server = createServer((socket) => {
			seen.connections += 1;
			socket.on('error', () => undefined);
			socket.on('data', (chunk) => {
				seen.bytes += chunk.length;
				socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		return { seen, url, close: async () => void (server.close(), await once(server, 'close')) };
	};

	it.each([301, 302, 303, 307, 308])('with %i: not a byte reaches the other', async (status) => {
		const other = await startOther();
		wire = await startWire((_, response) => {
			response.writeHead(status, { location: `${other.url}/elsewhere` });
			response.end();
		});
		try {
			const lanes = 20;
			const result = await ours(wire.url, lanes);
			expect(other.seen).toEqual({ connections: 0, bytes: 0 });
			expect(wire.received.length).toBeLessThanOrEqual(lanes);
			expect(tally(saidBy(result.items))).toEqual({
				unknown: wire.received.length,
				not_sent: ROWS - wire.received.length,
			});
			// Our credential keeps other nodes from it as well.
			await naive(wire.url);
			expect(other.seen).toEqual({ connections: 0, bytes: 0 });
			// The control: these two keep the method and the body, so the host hands both over.
			if (status < 307) return;
			await naive(wire.url, new NaiveCredential());
			expect(other.seen.bytes).toBeGreaterThan(0);
		} finally {
			await other.close();
		}
	});
});
