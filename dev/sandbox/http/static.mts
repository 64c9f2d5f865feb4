import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

const FOLDER = resolve(process.cwd(), 'dev', 'sandbox', 'web');

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The pages show what requests contained, so they may load nothing from elsewhere and send nothing there. */
const POLICY =
	"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Browsers check for a new version at every load, so that editing needs no build. */
export const sendPage = (reply: FastifyReply, name: string, text: string): FastifyReply =>
	reply
		.type(TYPES[extname(name)] ?? 'application/octet-stream')
		.header('content-security-policy', POLICY)
		.header('x-content-type-options', 'nosniff')
		.header('cache-control', 'no-cache')
		.send(text);

/** The payment page and its files. */
export function serveStatic(app: FastifyInstance): void {
	const send = (reply: FastifyReply, name: string) =>
		sendPage(reply, name, readFileSync(join(FOLDER, name), 'utf8'));
	for (const name of readdirSync(FOLDER))
		app.get(`/sandbox/web/${name}`, (_, reply) => send(reply, name));
	app.get('/pay/:reference', (_, reply) => send(reply, 'pay.html'));
}
