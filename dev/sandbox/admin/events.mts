import type { FastifyInstance } from 'fastify';
import type { World } from '../world.mts';

const HEARTBEAT_MS = 15_000;
/** A reader that falls this far behind loses events rather than filling the memory. */
const BACKLOG_BYTES = 1024 * 1024;

/** Server-Sent Events for every change, as it happens. */
export function eventRoutes(app: FastifyInstance, world: World): void {
	app.get('/sandbox/events', { exposeHeadRoute: false }, (request, reply) => {
		reply.hijack();
		const { raw } = reply;
		raw.writeHead(200, {
			'content-type': 'text/event-stream',
			'cache-control': 'no-cache',
			connection: 'keep-alive',
		});
		raw.write('retry: 1000\n\n');
		const unsubscribe = world.events.subscribe((name, data) => {
			if (raw.writableLength < BACKLOG_BYTES)
				raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
		});
		const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
		heartbeat.unref();
		request.raw.on('close', () => {
			clearInterval(heartbeat);
			unsubscribe();
		});
	});
}
