import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The pages show what requests contained, so they may load nothing from elsewhere and send nothing there. */
const POLICY =
	"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The web pages. Browsers check for a new version at every load, so that editing needs no build. */
export function serveStatic(app: FastifyInstance): void {
	void app.register(fastifyStatic, {
		root: resolve(process.cwd(), 'dev', 'sandbox', 'web'),
		prefix: '/sandbox/web/',
		index: false,
		dotfiles: 'ignore',
		cacheControl: false,
		setHeaders(response) {
			response.setHeader('content-security-policy', POLICY);
			response.setHeader('x-content-type-options', 'nosniff');
			response.setHeader('cache-control', 'no-cache');
		},
	});
	app.get('/', (_, reply) => reply.sendFile('index.html'));
	app.get('/pay/:reference', (_, reply) => reply.sendFile('pay.html'));
}
