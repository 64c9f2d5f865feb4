import type { ServerResponse } from 'node:http';
import type { Lifetime } from '../life/lifetime.mts';
import type { Fault, FaultKind } from './rule.mts';

/** The reply that would have been sent without the fault. */
export interface Reply {
	status: number;
	body: string;
}

export interface Exchange {
	response: ServerResponse;
	/** Null when the request was not carried out. */
	reply: Reply | null;
	lifetime: Lifetime;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PAGE =
	'<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>The service is taking a break</h1></body></html>';

const busy = (message: string) => JSON.stringify({ success: false, message });

function send(
	response: ServerResponse,
	status: number,
	body: string,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, {
		'content-type': JSON_TYPE,
		'content-length': Buffer.byteLength(body),
		...headers,
	});
	response.end(body);
}

/** Sends RST instead of FIN, as a crashed server would. */
const reset = ({ response }: Exchange) => {
	response.socket?.resetAndDestroy();
};

function retryAfter({ retryAfter, retryAfterFormat }: Fault): Record<string, string> {
	if (retryAfter === undefined) return {};
	return {
		'retry-after':
			retryAfterFormat === 'date'
				? new Date(Date.now() + retryAfter * 1000).toUTCString()
				: String(retryAfter),
	};
}

/** Announces the whole body, sends half of it and closes the connection. */
function truncate({ response, reply }: Exchange): void {
	const body = Buffer.from(reply?.body ?? '{}');
	response.writeHead(reply?.status ?? 200, {
		'content-type': JSON_TYPE,
		'content-length': body.length,
	});
	response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}

const DRIPS = 10;

async function drip({ response, reply, lifetime }: Exchange, delayMs: number): Promise<void> {
	const body = Buffer.from(reply?.body ?? '{}');
	response.writeHead(reply?.status ?? 200, {
		'content-type': JSON_TYPE,
		'content-length': body.length,
	});
	response.flushHeaders();
	const size = Math.ceil(body.length / DRIPS);
	for (let start = 0; start < body.length; start += size) {
		if (!(await lifetime.pause(delayMs / DRIPS))) break;
		response.write(body.subarray(start, start + size));
	}
	response.end();
}

const PIECE = ' '.repeat(1024);

/** Something keeps coming, so a client that only watches for silence waits for ever. */
async function neverEnd({ response, reply, lifetime }: Exchange, delayMs: number): Promise<void> {
	response.writeHead(reply?.status ?? 200, { 'content-type': JSON_TYPE });
	response.write((reply?.body ?? '{}').slice(0, -1));
	while (!response.destroyed && (await lifetime.pause(delayMs)))
		// A client that does not read must not fill the memory.
		if (!response.writableNeedDrain) response.write(PIECE);
	response.destroy();
}

const plain = ({ response, reply }: Exchange, headers?: Record<string, string>) =>
	send(response, reply?.status ?? 200, reply?.body ?? '{}', headers);

/** What each kind does to the reply. */
const PLAY: Record<FaultKind, (exchange: Exchange, fault: Fault) => void | Promise<void>> = {
	latency: (exchange) => plain(exchange),
	'rate-limit': ({ response }, fault) =>
		send(response, 429, busy('Too many requests.'), retryAfter(fault)),
	'server-error': ({ response }, fault) =>
		send(response, fault.status ?? 503, busy('Server error.'), retryAfter(fault)),
	'reset-before': reset,
	'reset-after': reset,
	truncate,
	html: ({ response }, fault) =>
		send(response, fault.status ?? 200, PAGE, { 'content-type': 'text/html; charset=utf-8' }),
	empty: ({ response, reply }, fault) => send(response, fault.status ?? reply?.status ?? 200, ''),
	redirect: ({ response }, fault) =>
		send(response, fault.status ?? 302, '', { location: fault.location ?? '/elsewhere' }),
	'content-type': (exchange, fault) =>
		plain(exchange, { 'content-type': fault.contentType ?? 'text/plain; charset=utf-8' }),
	'slow-body': (exchange, fault) => drip(exchange, fault.delayMs ?? 2000),
	endless: (exchange, fault) => neverEnd(exchange, fault.delayMs ?? 100),
};

/** The status a fault sends; null when it cuts the connection before one. */
export function statusUnder(fault: Fault, reply: Reply | null): number | null {
	switch (fault.kind) {
		case 'reset-before':
		case 'reset-after':
			return null;
		case 'rate-limit':
			return 429;
		case 'server-error':
			return fault.status ?? 503;
		case 'redirect':
			return fault.status ?? 302;
		case 'html':
			return fault.status ?? 200;
		case 'empty':
			return fault.status ?? reply?.status ?? 200;
		default:
			return reply?.status ?? 200;
	}
}

export const play = (fault: Fault, exchange: Exchange): void | Promise<void> =>
	PLAY[fault.kind](exchange, fault);
