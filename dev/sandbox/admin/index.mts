import type { FastifyInstance } from 'fastify';
import type { World } from '../world.mts';
import { controlRoutes } from './control.mts';
import { recordRoutes } from './records.mts';
import { stateSnapshot } from './state.mts';

/** Newest records in one snapshot, so that it stays readable after a load test. */
const SNAPSHOT_LIMIT = 500;

export function adminRoutes(app: FastifyInstance, world: World): void {
	app.get<{ Querystring: { limit?: string } }>('/sandbox/state', ({ query }) => {
		const limit = Number(query.limit ?? SNAPSHOT_LIMIT);
		return stateSnapshot(world, Number.isInteger(limit) && limit >= 0 ? limit : SNAPSHOT_LIMIT);
	});
	recordRoutes(app, world);
	controlRoutes(app, world);
}
