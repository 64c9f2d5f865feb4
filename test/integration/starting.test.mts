import { createServer } from 'node:http';

import { withEnds } from '../../dev/host/shared/ends.mts';
import { close, listen } from '../../dev/host/shared/listen.mts';
import { freePort } from '../../dev/host/shared/port.mts';

describe('ports for n8n and its services, which take seconds to start', () => {
	it('are none that a connection may get in the meantime, and each is another one', async () => {
		const ports = [await freePort(), await freePort(), await freePort()];
		expect(new Set(ports).size).toBe(3);
		expect(Math.max(...ports)).toBeLessThan(32_768);
	});

	it('are none that somebody listens on', async () => {
		const server = createServer();
		const taken = await listen(server, (await freePort()) + 1);
		try {
			expect(await freePort()).not.toBe(taken);
		} finally {
			await close(server);
		}
	});
});

it('what was started ends when the next does not start, the last first', async () => {
	const ended: string[] = [];
	const start = withEnds(async (ends) => {
		ends.push(
			async () => ended.push('folder'),
			async () => ended.push('sandbox'),
		);
		throw new Error('n8n ended before it was ready');
	});
	await expect(start).rejects.toThrow('n8n ended before it was ready');
	expect(ended).toEqual(['sandbox', 'folder']);
});
