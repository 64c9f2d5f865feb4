import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';

import { until } from '../shared/until.mts';
import { startInbox } from './inbox.mts';

/** An e-mail that the server took. */
export interface Mail {
	to: string;
	subject: string;
	text: string;
	files: Array<{ name: string; content: Buffer }>;
	at: Date;
}

export interface MailServer {
	port: number;
	/** The page that shows the e-mails. */
	url: string;
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

interface MailOptions {
	/** The port of the page with the e-mails; by default a free one. */
	pagePort?: number;
	/** Where e-mails are kept for the next start. */
	file?: string;
}

/**
 * A stand-in for a mail server: it speaks as much of SMTP as n8n needs, keeps what it gets, and shows it
 * on a page.
 */
export async function startMail({ pagePort = 0, file }: MailOptions = {}): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		// A sender that is killed resets the connection.
		socket.on('error', () => socket.destroy());
		converse(socket, mail, keep);
	});
	const listen = async (port: number) =>
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	await listen(0);
	const mails = file === undefined ? [] : await readMails(file);
	const keep = (each: Mail) => {
		mails.push(each);
		if (file !== undefined) keepMail(file, each);
	};
	const inbox = await startInbox(pagePort, () => mails);
	const to = (address: string) => mail.mails.filter((each) => each.to === address);
	const mail: MailServer = {
		port: (server.address() as AddressInfo).port,
		url: inbox.url,
		mails,
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
			await inbox.close();
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return mail;
}

/** One e-mail on each line, without what was attached to it. */
async function readMails(file: string): Promise<Mail[]> {
	const kept = await readFile(file, 'utf8').catch(() => '');
	return kept
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => {
			const mail = JSON.parse(line) as Mail;
			return { ...mail, files: [], at: new Date(mail.at) };
		});
}

function keepMail(file: string, mail: Mail): void {
	mkdirSync(dirname(file), { recursive: true });
	appendFileSync(file, `${JSON.stringify({ ...mail, files: [] })}\n`);
}

function converse(socket: Socket, server: MailServer, keep: (mail: Mail) => void): void {
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
		const mail = { to: recipient, at: new Date(), ...readMail(raw.replace(/^\.\./gm, '.')) };
		keep(mail);
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

function readMail(raw: string): Omit<Mail, 'to' | 'at'> {
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
