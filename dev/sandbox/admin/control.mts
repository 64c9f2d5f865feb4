import type { FastifyInstance } from 'fastify';
import { faultPlanSchema, faultRuleSchema } from '../faults/rule.mts';
import { helpText } from '../help.mts';
import { MAGIC_VALUES } from '../life/magic.mts';
import { switchesSchema } from '../switches.mts';
import type { World } from '../world.mts';
import { AdminError, bodyOf } from './body.mts';

/** Faults, ledger, magic values, help, switches and reset. */
export function controlRoutes(app: FastifyInstance, world: World): void {
	const { faults, store } = world;

	app.get('/sandbox/faults', () => faults.list());
	app.post('/sandbox/faults', (request, reply) =>
		reply.code(201).send(faults.add(bodyOf(request, faultRuleSchema))),
	);
	app.post('/sandbox/faults/plan', (request) => {
		const plan = bodyOf(request, faultPlanSchema);
		faults.plan(plan);
		return plan;
	});
	app.delete('/sandbox/faults', () => {
		faults.clear();
		return [];
	});
	app.delete<{ Params: { id: string } }>('/sandbox/faults/:id', ({ params }) => {
		if (!faults.clear(params.id)) throw new AdminError(404, `There is no fault "${params.id}".`);
		return faults.list();
	});

	app.get<{ Querystring: { by?: string } }>('/sandbox/ledger', ({ query }) => ({
		accepted: store.ledger.accepted,
		entries: store.ledger.entries,
		...(typeof query.by === 'string' && { countBy: store.ledger.countBy(query.by) }),
	}));
	app.get<{ Params: { reference: string } }>('/sandbox/ledger/:reference', ({ params }) => {
		const entries = store.ledger.of(params.reference);
		return { accepted: entries.length, entries };
	});

	app.get('/sandbox/magic', () =>
		MAGIC_VALUES.map(({ code, meaning, outcome, failure, callbacks }) => ({
			amount: Number(code),
			mobileEnding: code,
			meaning,
			outcome: outcome ?? 'pending',
			failureCode: failure?.failureCode ?? null,
			callbacks,
		})),
	);
	app.get('/sandbox/help', (_, reply) =>
		reply
			.type('text/plain; charset=utf-8')
			.send(helpText(world.url, world.settings, world.switches)),
	);
	app.get('/sandbox/switches', () => world.switches);
	app.post('/sandbox/switches', (request) => {
		world.change(bodyOf(request, switchesSchema.partial()));
		return world.switches;
	});
	app.post('/sandbox/reset', () => {
		world.reset();
		return { success: true };
	});
}
