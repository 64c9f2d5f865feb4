import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Endpoint } from '../api/endpoint.mts';
import { play, statusUnder } from '../faults/play.mts';
import { isProcessed, parseFaultHeader, type Fault } from '../faults/rule.mts';
import { isoTime } from '../life/time.mts';
import { issuesOf } from '../protocol/envelope.mts';
import type { World } from '../world.mts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Handles one request: picks a fault, asks the endpoint, logs, and sends the answer or what the fault makes of it. */
export function apiRoute(endpoint: Endpoint, world: World) {
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const started = performance.now();
		const at = isoTime(world.settings.clock());
		const header = request.headers['x-sandbox-fault'];
		const single = typeof header === 'string' ? parseFaultHeader(header) : null;
		const fault = single === null ? world.faults.pick(endpoint) : (single.data ?? null);

		let answer: Answer | null = null;
		if (single?.success === false)
			answer = {
				status: 400,
				body: endpoint.refusalBody(`x-sandbox-fault: ${issuesOf(single.error)}`),
			};
		else if (fault === null || isProcessed(fault)) answer = ask(endpoint, request, world);
		if (answer?.before !== undefined) await answer.before;
		if (fault?.kind === 'latency') await world.lifetime.pause(fault.delayMs ?? 1000);

		world.log.add({
			at,
			method: request.method,
			path: request.url,
			status: loggedStatus(fault, answer),
			durationMs: Math.round((performance.now() - started) * 1000) / 1000,
			integration: answer?.integration ?? null,
			evidence: answer?.evidence ?? null,
			order: answer?.order ?? null,
			message: answer === null ? null : logMessage(answer),
			fault: fault?.kind ?? null,
		});
		if (fault === null && answer !== null)
			return reply.code(answer.status).type(JSON_TYPE).send(JSON.stringify(answer.body));
		if (fault === null) return reply.code(500).send();
		reply.hijack();
		await play(fault, {
			response: reply.raw,
			reply: answer && { status: answer.status, body: JSON.stringify(answer.body) },
			lifetime: world.lifetime,
		});
		return reply;
	};
}

function ask(endpoint: Endpoint, request: FastifyRequest, world: World): Answer {
	if (endpoint.method === 'GET')
		return endpoint.handle({ headers: request.headers, body: '', json: null }, world);
	const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
	// Decoding would replace invalid bytes, and the signed text would no longer be the sent one.
	if (!isUtf8(bytes))
		return { status: 400, body: endpoint.refusalBody('The body is not valid UTF-8.') };
	const body = bytes.toString('utf8');
	let json: unknown;
	try {
		json = JSON.parse(body);
	} catch {
		return { status: 400, body: endpoint.refusalBody('The body is not valid JSON.') };
	}
	return endpoint.handle({ headers: request.headers, body, json }, world);
}

function loggedStatus(fault: Fault | null, answer: Answer | null): number | null {
	if (fault === null) return answer?.status ?? 500;
	return statusUnder(fault, answer && { status: answer.status, body: '' });
}

const logMessage = ({ body, note }: Answer): string => {
	const message = String(body.message);
	return note ? `${message} (${note})` : message;
};
