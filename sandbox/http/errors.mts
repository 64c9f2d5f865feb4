import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../api/index.mts';
import { isoTime } from '../life/time.mts';
import type { World } from '../world.mts';

/** Whatever goes wrong outside an endpoint is answered in the service's own shape, and logged. */
export function answerErrors(app: FastifyInstance, world: World): void {
	const answer = (
		request: FastifyRequest,
		reply: FastifyReply,
		status: number,
		message: string,
	) => {
		const path = request.url.split('?')[0] ?? '';
		if (!path.startsWith('/sandbox/'))
			world.log.add({
				at: isoTime(world.settings.clock()),
				method: request.method,
				path: request.url.slice(0, 500),
				status,
				durationMs: 0,
				integration: null,
				evidence: null,
				message,
				fault: null,
			});
		const no = ENDPOINTS.find((endpoint) => endpoint.path === path)?.no;
		return reply.code(status).send(no?.(message) ?? { success: false, message });
	};

	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?')[0];
		const known = ENDPOINTS.find((endpoint) => endpoint.path === path);
		if (known === undefined)
			return answer(request, reply, 404, `There is no ${request.method} ${path}.`.slice(0, 300));
		reply.header('allow', known.method);
		return answer(request, reply, 405, `${known.path} takes ${known.method} only.`);
	});

	app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
		switch (error.code) {
			case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
				return answer(request, reply, 415, 'Content-Type must be application/json.');
			case 'FST_ERR_CTP_BODY_TOO_LARGE':
				return answer(request, reply, 413, 'The body is too large.');
			default:
				return answer(request, reply, error.statusCode ?? 500, error.message);
		}
	});
}
