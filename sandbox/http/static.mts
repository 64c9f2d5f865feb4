import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.ico': 'image/x-icon',
	'.json': 'application/json; charset=utf-8',
	'.webmanifest': 'application/manifest+json',
};

/** The pages show what requests contained: nothing may be loaded from, or sent, elsewhere. */
const POLICY =
	"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The web pages, read anew for every request: edit and reload, no build. */
export function serveStatic(app: FastifyInstance, webRoot: string): void {
	const root = resolve(webRoot);
	const serve = async (reply: FastifyReply, file: string) => {
		const path = resolve(root, file);
		const type = TYPES[extname(path)];
		// `resolve` has followed any "..": what is not below the root is not served.
		if (!path.startsWith(root + sep) || type === undefined) return reply.callNotFound();
		const content = await readFile(path).catch(() => null);
		if (content === null) return reply.callNotFound();
		return reply
			.header('content-security-policy', POLICY)
			.header('x-content-type-options', 'nosniff')
			.header('cache-control', 'no-cache')
			.type(type)
			.send(content);
	};
	app.get('/', (_, reply) => serve(reply, 'index.html'));
	app.get('/pay/:reference', (_, reply) => serve(reply, 'pay.html'));
	app.get<{ Params: { '*': string } }>('/sandbox/web/*', ({ params }, reply) =>
		params['*'].includes('\0') ? reply.callNotFound() : serve(reply, params['*']),
	);
}
