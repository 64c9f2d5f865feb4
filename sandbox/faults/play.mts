import type { ServerResponse } from 'node:http';
import type { Lifetime } from '../life/lifetime.mts';
import type { Fault, FaultKind } from './rule.mts';

/** A reply as it would have gone out. */
export interface Reply {
	status: number;
	body: string;
}

export interface Stage {
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

/** RST instead of FIN, as when the other side dies. */
const reset = ({ response }: Stage) => {
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

/** Promises the whole body, sends half of it, and goes away. */
function truncate({ response, reply }: Stage): void {
	const body = Buffer.from(reply?.body ?? '{}');
	response.writeHead(reply?.status ?? 200, {
		'content-type': JSON_TYPE,
		'content-length': body.length,
	});
	response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}

const DRIPS = 10;

async function drip({ response, reply, lifetime }: Stage, delayMs: number): Promise<void> {
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

const plain = ({ response, reply }: Stage, headers?: Record<string, string>) =>
	send(response, reply?.status ?? 200, reply?.body ?? '{}', headers);

/** What each kind does to the reply. */
const PLAY: Record<FaultKind, (stage: Stage, fault: Fault) => void | Promise<void>> = {
	latency: (stage) => plain(stage),
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
	'content-type': (stage, fault) =>
		plain(stage, { 'content-type': fault.contentType ?? 'text/plain; charset=utf-8' }),
	'slow-body': (stage, fault) => drip(stage, fault.delayMs ?? 2000),
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

export const play = (fault: Fault, stage: Stage): void | Promise<void> =>
	PLAY[fault.kind](stage, fault);
