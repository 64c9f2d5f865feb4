import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Mail {
	to: string[];
	/** Headers and body as they were sent, with soft line breaks taken out. */
	text: string;
}

/** A mail server that takes everything and keeps it. */
export interface MailServer {
	port: number;
	received: Mail[];
	close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const received: Mail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
		talk(socket, (mail) => received.push(mail));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		received,
		async close() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

/** As much of SMTP as it takes to be given a mail. */
function talk(socket: Socket, keep: (mail: Mail) => void): void {
	let pending = '';
	let to: string[] = [];
	let isData = false;
	const say = (line: string) => socket.write(`${line}\r\n`);
	const answer = (line: string) => {
		const [verb = ''] = line.toUpperCase().split(' ');
		if (verb === 'RCPT') to.push(/<(.*)>/.exec(line)?.[1] ?? line);
		isData = verb === 'DATA';
		if (verb === 'QUIT') socket.end('221 Bye\r\n');
		else say(isData ? '354 Go on' : '250 Fine');
	};
	socket.on('data', (chunk) => {
		pending += chunk.toString('utf8');
		for (;;) {
			const end = isData ? '\r\n.\r\n' : '\r\n';
			const at = pending.indexOf(end);
			if (at === -1) return;
			const part = pending.slice(0, at);
			pending = pending.slice(at + end.length);
			if (!isData) {
				answer(part);
				continue;
			}
			isData = false;
			keep({ to, text: decoded(part) });
			to = [];
			say('250 Kept');
		}
	});
	say('220 Stand-in');
}

/** Quoted-printable, as mailers write long lines. */
const decoded = (text: string): string =>
	text
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
