import { createServer } from 'node:http';

import { openFrontDoor } from '../../host/n8n/queue/frontDoor.mts';
import { call } from '../../host/shared/http.mts';
import { close, listen } from '../../host/shared/listen.mts';

/** Answers as n8n does while it starts: yes to everything, but not that it is ready. */
async function startSlowly() {
	const state = { isReady: false };
	const server = createServer(({ url }, response) => {
		const isOk = state.isReady || url !== '/healthz/readiness';
		response.writeHead(isOk ? 200 : 503).end(state.isReady ? 'ready' : 'n8n is starting up');
	});
	const port = await listen(server);
	return { state, port, close: async () => await close(server) };
}

it('lets no callback through to a process that starts, which would say yes to it', async () => {
	let slow = await startSlowly();
	const behind = { main: slow.port, webhook: slow.port };
	const door = await openFrontDoor(behind);
	const send = async () => {
		const { status, text } = await call(`${door.url}/webhook/pay`, { method: 'POST', body: {} });
		return [status, text];
	};
	try {
		expect(await send()).toEqual([502, '']);
		slow.state.isReady = true;
		expect(await send()).toEqual([200, 'ready']);
		await slow.close();
		expect(await send()).toEqual([502, '']);
		slow = await startSlowly();
		behind.webhook = slow.port;
		expect(await send()).toEqual([502, '']);
		slow.state.isReady = true;
		expect(await send()).toEqual([200, 'ready']);
	} finally {
		await door.close();
		await slow.close();
	}
});
