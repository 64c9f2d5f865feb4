import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { until } from '../../../../host/shared/until.mts';

/** An e-mail that the server took. */
export interface Mail {
	to: string;
	subject: string;
	text: string;
	files: Array<{ name: string; content: Buffer }>;
}

export interface MailServer {
	port: number;
	/** Everything that arrived, oldest first. */
	mails: Mail[];
	to: (address: string) => Mail[];
	/** Waits until an address has at least that many. */
	arrived: (address: string, count?: number) => Promise<Mail[]>;
	/** Nobody answers any more, until `comeBack`. */
	leave: () => Promise<void>;
	comeBack: () => Promise<void>;
	/** Addresses that are refused. */
	refused: Set<string>;
	/** Called when an e-mail has arrived and before that is confirmed; as long as it runs, it is not. */
	beforeConfirming: (mail: Mail) => Promise<void>;
	close: () => Promise<void>;
}

/** A stand-in for a mail server: it speaks as much of SMTP as n8n needs, and keeps what it gets. */
export async function startMail(): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		// A sender that is killed resets the connection.
		socket.on('error', () => socket.destroy());
		converse(socket, mail);
	});
	const listen = async (port: number) =>
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	await listen(0);
	const to = (address: string) => mail.mails.filter((each) => each.to === address);
	const mail: MailServer = {
		port: (server.address() as AddressInfo).port,
		mails: [],
		to,
		arrived: async (address, count = 1) =>
			await until(`${count} e-mails to ${address}`, async () =>
				to(address).length >= count ? to(address) : undefined,
			),
		leave: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
		comeBack: async () => {
			if (!server.listening) await listen(mail.port);
		},
		refused: new Set(),
		beforeConfirming: async () => {},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return mail;
}

function converse(socket: Socket, server: MailServer): void {
	const say = (line: string) => void socket.write(`${line}\r\n`);
	let received = '';
	let recipient = '';
	let isContent = false;

	const command = (line: string) => {
		const verb = line.slice(0, 4).toUpperCase();
		if (verb === 'RCPT') {
			recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
			return say(server.refused.has(recipient) ? '550 No such mailbox' : '250 OK');
		}
		if (verb === 'DATA') {
			isContent = true;
			return say('354 Go on');
		}
		if (verb === 'QUIT') return void socket.end('221 Bye\r\n');
		return say('250 OK');
	};
	const content = async (raw: string) => {
		const mail = { to: recipient, ...readMail(raw.replace(/^\.\./gm, '.')) };
		server.mails.push(mail);
		await server.beforeConfirming(mail);
		say('250 Taken');
	};

	socket.setEncoding('latin1');
	socket.on('data', (chunk: string) => {
		received += chunk;
		for (;;) {
			const end = received.indexOf(isContent ? '\r\n.\r\n' : '\r\n');
			if (end === -1) return;
			const part = received.slice(0, end);
			received = received.slice(end + (isContent ? 5 : 2));
			if (!isContent) command(part);
			else {
				isContent = false;
				void content(part);
			}
		}
	});
	say('220 stand-in');
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

function decode(body: string, encoding = ''): Buffer {
	if (encoding === 'base64') return Buffer.from(body, 'base64');
	if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
	const bytes = body
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1');
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
	const contents = parts.map((part) => ({
		name: /filename="?([^";]+)/.exec(part.headers['content-disposition'] ?? '')?.[1],
		content: decode(part.body, part.headers['content-transfer-encoding']),
	}));
	const text = contents.filter(({ name }) => name === undefined);
	return {
		subject: headers.subject ?? '',
		text: text.map(({ content }) => content.toString('utf8')).join('\n'),
		files: contents.flatMap(({ name, content }) => (name === undefined ? [] : [{ name, content }])),
	};
}
