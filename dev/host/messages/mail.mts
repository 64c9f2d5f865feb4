import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Mail {
	to: string;
	subject: string;
	text: string;
}

export interface MailServer {
	port: number;
	close: () => Promise<void>;
}

/** A stand-in for a mail server: it speaks as much of SMTP as n8n needs. */
export async function startMail(keep: (mail: Mail) => void): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		// A sender that is killed resets the connection.
		socket.on('error', () => socket.destroy());
		converse(socket, keep);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

function converse(socket: Socket, keep: (mail: Mail) => void): void {
	const say = (line: string) => void socket.write(`${line}\r\n`);
	let received = '';
	let recipient = '';
	let isContent = false;

	const command = (line: string) => {
		const verb = line.slice(0, 4).toUpperCase();
		if (verb === 'QUIT') return void socket.end('221 Bye\r\n');
		if (verb === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
		isContent = verb === 'DATA';
		say(isContent ? '354 Go on' : '250 OK');
	};
	const content = (raw: string) => {
		isContent = false;
		keep({ to: recipient, ...readMail(raw.replace(/^\.\./gm, '.')) });
		say('250 Taken');
	};

	socket.setEncoding('latin1');
	socket.on('data', (chunk: string) => {
		received += chunk;
		for (;;) {
			const mark = isContent ? '\r\n.\r\n' : '\r\n';
			const end = received.indexOf(mark);
			if (end === -1) return;
			const part = received.slice(0, end);
			received = received.slice(end + mark.length);
			(isContent ? content : command)(part);
		}
	});
	say('220 stand-in');
}

function readMail(raw: string): Omit<Mail, 'to'> {
	const { headers, body } = split(raw);
	const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
	const parts =
		boundary === undefined
			? [{ headers, body }]
			: body
					.split(`--${boundary}`)
					.slice(1, -1)
					.map((part) => split(part.replace(/^\r\n/, '')));
	const texts = parts
		.filter((part) => !/filename/.test(part.headers['content-disposition'] ?? ''))
		.map((part) => decode(part.body, part.headers['content-transfer-encoding']));
	return { subject: headers.subject ?? '', text: texts.join('\n') };
}

/** Headers in lower case, and the rest. */
function split(raw: string): { headers: Record<string, string>; body: string } {
	const at = raw.indexOf('\r\n\r\n');
	const lines = raw
		.slice(0, at)
		.replace(/\r\n[ \t]+/g, ' ')
		.split('\r\n');
	const headers = lines.map((line) => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
	});
	return { headers: Object.fromEntries(headers), body: raw.slice(at + 4) };
}

function decode(body: string, encoding = ''): string {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	const bytes =
		encoding === 'quoted-printable'
			? body
					.replace(/=\r\n/g, '')
					.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
			: body;
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
