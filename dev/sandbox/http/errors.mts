import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainRefusal } from '../api/endpoint.mts';
import { ENDPOINTS } from '../api/index.mts';
import { isoTime } from '../life/time.mts';
import type { World } from '../world.mts';

type HttpError = Error & { statusCode?: number; code?: string };

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

/** Errors outside an endpoint are logged and answered in the same format as the service's own. */
export function errorAnswers(world: World) {
	const answer = (
		request: FastifyRequest,
		reply: FastifyReply,
		status: number,
		message: string,
	): FastifyReply => {
		const path = pathOf(request);
		if (!path.startsWith('/sandbox/'))
			world.log.add({
				at: isoTime(world.settings.clock()),
				method: request.method,
				path: request.url.slice(0, 500),
				status,
				durationMs: 0,
				integration: null,
				evidence: null,
				order: null,
				message,
				fault: null,
			});
		const endpoint = ENDPOINTS.find((one) => one.path === path);
		return reply.code(status).send((endpoint?.refusalBody ?? plainRefusal)(message));
	};

	const onError = (error: HttpError, request: FastifyRequest, reply: FastifyReply) => {
		switch (error.code) {
			case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
				return answer(request, reply, 415, 'Content-Type must be application/json.');
			case 'FST_ERR_CTP_BODY_TOO_LARGE':
				return answer(request, reply, 413, 'The body is too large.');
			default:
				return answer(request, reply, error.statusCode ?? 500, error.message);
		}
	};

	const onNotFound = (request: FastifyRequest, reply: FastifyReply) => {
		const path = pathOf(request);
		const known = ENDPOINTS.find((endpoint) => endpoint.path === path);
		if (known === undefined)
			return answer(request, reply, 404, `There is no ${request.method} ${path}.`.slice(0, 300));
		reply.header('allow', known.method);
		return answer(request, reply, 405, `${known.path} takes ${known.method} only.`);
	};

	return {
		/** Addresses the router cannot read. */
		frameworkErrors: onError,
		/** For bytes that are not HTTP. There is no request object yet, so the answer is written by hand. */
		clientErrorHandler(_error: Error, socket: Socket): void {
			if (!socket.writable) return void socket.destroy();
			const body = JSON.stringify({ success: false, message: 'This is not valid HTTP.' });
			socket.end(
				`HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
			);
		},
		register(app: FastifyInstance): void {
			app.setErrorHandler(onError);
			app.setNotFoundHandler(onNotFound);
		},
	};
}
