/** Lines of the fault table that other tests leave out; docs/reliability.md says where the others are. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { saidBy, tally } from '../../helpers/soak/audit.mts';
import { COLLECTIONS_PATH, goodSheet, inFields } from '../../helpers/soak/sheet.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const opened = closing();

const run = async (url: string, rows = 1) =>
	await runPayments(inFields({ concurrency: 1, timeoutSeconds: 5 }), {
		credential: demoCredential(url),
		items: goodSheet(rows, 1),
		onError: 'continueRegularOutput',
	});

it('a service that speaks no TLS: unknown, and nothing of the request reached it', async () => {
	const heard: string[] = [];
	const server = createServer((socket) => {
		socket.on('error', () => undefined);
		socket.once('data', (chunk) => {
			heard.push(chunk.toString('latin1'));
			socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	try {
		const { items } = await run(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
		expect(tally(saidBy(items))).toEqual({ unknown: 1 });
		expect(heard.length).toBeGreaterThan(0);
		// They heard a greeting, and nothing of the request.
		expect(heard.join()).not.toMatch(/POST|client_id/);
	} finally {
		server.close();
		await once(server, 'close');
	}
});

it.each([['third_party_reference_1', 'of somebody else']] as const)(
	'a reply about another %s: unknown, and the batch goes on',
	async (field, value) => {
		const wire = opened(
			await startWire((_, response, nth) =>
				json(response, 200, { success: true, data: nth === 1 ? { [field]: value } : {} }),
			),
		);
		const { items } = await run(wire.url, 3);
		expect(saidBy(items).map(({ outcome }) => outcome)).toEqual([
			'unknown',
			'accepted',
			'accepted',
		]);
		expect(JSON.stringify(items[0]!.json.error)).toContain(field);
		expect(wire.received.filter(({ path }) => path === COLLECTIONS_PATH)).toHaveLength(3);
	},
);
