import fastify, { type FastifyInstance } from 'fastify';
import { adminRoutes } from '../admin/index.mts';
import { ENDPOINTS } from '../api/index.mts';
import type { World } from '../world.mts';
import { apiRoute } from './apiRoute.mts';
import { errorAnswers } from './errors.mts';
import { serveOverview } from './overview.mts';
import { serveStatic } from './static.mts';
import { onlyOwnVisitors } from './visitors.mts';

/** Enough for a logo of 2 MB as base64, even if the client escapes every slash. */
const BODY_LIMIT = 8 * 1024 * 1024;

export function createApp(world: World): FastifyInstance {
	const errors = errorAnswers(world);
	const app: FastifyInstance = fastify({
		frameworkErrors: errors.frameworkErrors,
		clientErrorHandler: errors.clientErrorHandler,
		bodyLimit: BODY_LIMIT,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 200 },
	});
	// Bodies stay bytes here, because the signature covers the text as it was sent and each route has
	// its own answer to invalid JSON.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) =>
		done(null, body),
	);
	errors.register(app);
	onlyOwnVisitors(app, world);
	for (const endpoint of ENDPOINTS)
		app.route({
			method: endpoint.method,
			url: endpoint.path,
			exposeHeadRoute: false,
			handler: apiRoute(endpoint, world),
		});
	adminRoutes(app, world);
	serveOverview(app, world);
	serveStatic(app);
	return app;
}
