import type { FastifyInstance } from 'fastify';
import type { World } from '../world.mts';
import { plainRefusal } from '../api/endpoint.mts';

/** What only this machine is called. A web page elsewhere cannot have such a name. */
const LOOPBACK = /^(?:localhost|(?:[\w-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** Listening on these means on every address of the machine. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];
/** An address is not a name, so nobody can point it elsewhere. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

function parse(url: string): URL | null {
	try {
		return new URL(url);
	} catch {
		return null;
	}
}

/**
 * Keeps web pages of others out. The sandbox has no password, so a page that somebody has open could
 * read its keys or reset it: by a name that is pointed to this machine (so the name must be one of
 * ours), or from its own origin (so what changes something, and what is under /sandbox, is answered
 * to our own pages and to programs, which send no origin).
 */
export function onlyOwnVisitors(app: FastifyInstance, world: World): void {
	const { host, publicUrl } = world.settings;
	const bound = host.includes(':') ? `[${host}]` : host.toLowerCase();
	const stated = publicUrl === null ? null : parse(publicUrl);
	const isOwn = ({ hostname }: URL): boolean =>
		LOOPBACK.test(hostname) ||
		hostname === bound ||
		hostname === stated?.hostname ||
		(EVERYWHERE.includes(host) && ADDRESS.test(hostname));

	app.addHook('onRequest', async (request, reply) => {
		const called = parse(`http://${request.headers.host ?? ''}`);
		if (called === null || !isOwn(called)) {
			return await reply
				.code(421)
				.send(
					plainRefusal(
						'This sandbox does not answer by that name. Call it by its address, or start it with --public-url.',
					),
				);
		}
		const { origin } = request.headers;
		const isOpen = READS.includes(request.method) && !request.url.startsWith('/sandbox/');
		if (isOpen || fromOwnPage(origin, called, stated, request.headers['sec-fetch-site'])) return;
		return await reply
			.code(403)
			.send(plainRefusal('This sandbox is not for web pages of other addresses.'));
	});
}

/** Browsers state the origin of everything that changes something, and of what pages of others read. */
function fromOwnPage(
	origin: string | undefined,
	called: URL,
	stated: URL | null,
	site: string | string[] | undefined,
): boolean {
	// Asked for by an <img> or a <script>, there is no origin, but browsers say where it comes from.
	if (origin === undefined) return site !== 'cross-site' && site !== 'same-site';
	const from = parse(origin);
	return from !== null && (from.host === called.host || from.origin === stated?.origin);
}
