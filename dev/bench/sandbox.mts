// How many signed creates per second the sandbox takes, compared with a bare node:http echo under the
// same load. Each server runs in a process of its own; this process is the load.
//
//   npm run bench:sandbox -- [--seconds 5] [--connections 32]
import { fork, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEMO_INTEGRATIONS, startSandbox } from '../sandbox/index.mts';

const TARGET = 3000;
const PATH = '/api/v3/service-unified-collections';
const PREPARED = 150_000;

const { values } = parseArgs({
	options: {
		serve: { type: 'string' },
		seconds: { type: 'string', default: '5' },
		connections: { type: 'string', default: '32' },
	},
});

if (values.serve === 'sandbox') {
	const sandbox = await startSandbox();
	process.send?.(sandbox.port);
} else if (values.serve === 'echo') {
	const echo = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks);
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': body.length,
			});
			response.end(body);
		});
	});
	echo.listen(0, '127.0.0.1', () => process.send?.((echo.address() as AddressInfo).port));
} else {
	await compare(Number(values.seconds), Number(values.connections));
}

async function compare(seconds: number, connections: number): Promise<void> {
	const requests = prepare();
	console.log(
		`${requests.length} signed creates prepared; ${connections} keep-alive connections, ${seconds} s each`,
	);
	const echo = await measure('echo', requests, seconds, connections);
	const sandbox = await measure('sandbox', requests, seconds, connections);
	console.log(`bare node:http echo  ${Math.round(echo)} requests/s`);
	console.log(`sandbox              ${Math.round(sandbox)} signed creates/s`);
	console.log(`ratio                ${(sandbox / echo).toFixed(2)} (target: ${TARGET} creates/s)`);
	if (sandbox < TARGET) process.exitCode = 1;
}

/** Prepared beforehand: the load must cost as little as possible while it is measured. */
function prepare(): Buffer[] {
	const demo = DEMO_INTEGRATIONS[0];
	if (demo === undefined) throw new Error('There is no demo integration');
	const timestamp = Math.floor(Date.now() / 1000);
	return Array.from({ length: PREPARED }, (_, index) => {
		const params = JSON.stringify({
			amount: 100 + (index % 900),
			mobile: `2547${String(10_000_000 + index)}`,
			country_id: 1,
			currency: 'KES',
			third_party_reference_1: `ORDER-${index}`,
		});
		const salt = randomBytes(16).toString('hex');
		const signature = createHmac('sha256', demo.secretKey)
			.update(`${demo.clientId}|${demo.title}|${timestamp}|${salt}|${params}`)
			.digest('hex');
		const head = JSON.stringify({
			client_id: demo.clientId,
			sender: demo.title,
			timestamp,
			salt,
			signature,
		});
		const body = `${head.slice(0, -1)},"params":${params}}`;
		return Buffer.from(
			`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
		);
	});
}

async function measure(
	what: 'echo' | 'sandbox',
	requests: readonly Buffer[],
	seconds: number,
	connections: number,
): Promise<number> {
	const child = fork(fileURLToPath(import.meta.url), ['--serve', what]);
	try {
		const [port] = (await once(child, 'message')) as [number];
		const source = requests[Symbol.iterator]();
		// The first seconds show the compiler at work, not the server.
		await load(port, source, 3, connections, what);
		return await load(port, source, seconds, connections, what);
	} finally {
		await stop(child);
	}
}

/** Replies per second; one request at a time on each connection. */
async function load(
	port: number,
	source: Iterator<Buffer>,
	seconds: number,
	connections: number,
	what: 'echo' | 'sandbox',
): Promise<number> {
	const started = performance.now();
	const until = started + seconds * 1000;
	const counts = await Promise.all(
		Array.from({ length: connections }, () => lane(port, source, until, what)),
	);
	const total = counts.reduce((sum, count) => sum + count, 0);
	return total / ((performance.now() - started) / 1000);
}

function lane(
	port: number,
	source: Iterator<Buffer>,
	until: number,
	what: 'echo' | 'sandbox',
): Promise<number> {
	return new Promise((resolve, reject) => {
		const socket: Socket = connect(port, '127.0.0.1');
		let received = '';
		let count = 0;
		const next = () => {
			const request = performance.now() < until ? source.next() : null;
			if (request === null || request.done) {
				socket.end();
				resolve(count);
			} else socket.write(request.value);
		};
		socket.setNoDelay(true);
		socket.on('connect', next);
		socket.on('error', reject);
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			const headEnd = received.indexOf('\r\n\r\n');
			if (headEnd === -1) return;
			const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
			if (received.length < headEnd + 4 + length) return;
			// A refused create would be a fast create that proves nothing.
			if (what === 'sandbox' && !received.includes('"success":true')) {
				reject(new Error(`The sandbox refused a create: ${received.slice(headEnd + 4)}`));
				socket.destroy();
				return;
			}
			received = '';
			count++;
			next();
		});
	});
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null) return;
	child.kill('SIGKILL');
	await once(child, 'exit');
}
