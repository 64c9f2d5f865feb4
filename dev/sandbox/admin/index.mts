import type { FastifyInstance } from 'fastify';
import type { World } from '../world.mts';
import { controlRoutes } from './control.mts';
import { eventRoutes } from './events.mts';
import { recordRoutes } from './records.mts';
import { stateSnapshot } from './state.mts';

/** Newest records in one snapshot, so that the dashboard still opens after a load test. */
const SNAPSHOT_LIMIT = 500;

export function adminRoutes(app: FastifyInstance, world: World): void {
	app.get<{ Querystring: { limit?: string } }>('/sandbox/state', ({ query }) => {
		const limit = Number(query.limit ?? SNAPSHOT_LIMIT);
		return stateSnapshot(world, Number.isInteger(limit) && limit >= 0 ? limit : SNAPSHOT_LIMIT);
	});
	eventRoutes(app, world);
	recordRoutes(app, world);
	controlRoutes(app, world);
}
