import { once } from 'node:events';
import { connect } from 'node:net';

/** A request of which every byte is ours. */
export interface Shot {
	method?: string;
	/** None unless told. */
	query?: string;
	/** Lines as they are sent. JSON unless told. */
	headers?: string[];
	body?: string | Buffer;
	/** Hangs up after so many bytes of the body. */
	cutAfter?: number;
}

export interface Hit {
	/** Null when there was no answer. */
	status: number | null;
	/** The JSON of the answer, or its text. */
	answer: unknown;
}

const JSON_TYPE = 'Content-Type: application/json';

/** Sends it through a bare socket, where no library corrects it. */
export async function shoot(url: string, shot: Shot): Promise<Hit> {
	const { method = 'POST', query = '', headers = [JSON_TYPE], cutAfter } = shot;
	const { hostname, port, pathname } = new URL(url);
	const body = Buffer.from(shot.body ?? '{"ref":"PX"}');
	const head = [
		`${method} ${pathname}${query && `?${query}`} HTTP/1.1`,
		`Host: ${hostname}:${port}`,
		'Connection: close',
		...(method === 'GET' ? [] : [`Content-Length: ${body.length}`]),
		...headers,
	];
	const socket = connect(Number(port), hostname);
	const chunks: Buffer[] = [];
	socket.on('data', (chunk) => chunks.push(chunk));
	// A server that refuses a large body may hang up while it is still being sent.
	socket.on('error', () => undefined);
	const closed = new Promise((resolve) => socket.once('close', resolve));
	await once(socket, 'connect');
	socket.write(`${head.join('\r\n')}\r\n\r\n`);
	if (cutAfter !== undefined) {
		socket.write(body.subarray(0, cutAfter), () => socket.destroy());
	} else if (method !== 'GET') {
		socket.write(body);
	}
	await closed;
	return read(Buffer.concat(chunks).toString());
}

function read(text: string): Hit {
	const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
	const content = text.slice(text.indexOf('\r\n\r\n') + 4);
	return { status: status === undefined ? null : Number(status), answer: parse(content) };
}

function parse(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		return content;
	}
}
