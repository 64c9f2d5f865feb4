import { Random } from '../random.mts';
import { drawFaults } from '../service/faults.mts';
import { drawSwitches } from '../service/switches.mts';
import { copyOf, DAY, drawFile, drawFlow, drawGraph } from './drawFlow.mts';
import { drawDesk } from './drawDesk.mts';
import { drawLife, drawMore, drawTries } from './drawLife.mts';
import { MARKED } from './files.mts';
import type { Flow, Plan, PlannedEvent } from './plan.mts';

/** A world for a seed. Nothing in here knows what the nodes may get wrong. */
export function drawPlan(seed: number, size: 'usual' | 'month' = 'usual'): Plan {
	const random = new Random(seed, 'plan');
	const flows: Flow[] = [];
	for (let left = size === 'month' ? 100 : random.whole(1, 3); left > 0; left--) {
		const flow = drawFlow(random, flows.length, size);
		const [first] = flows;
		flows.push(first !== undefined && random.chance(0.25) ? copyOf(first, flow.id) : flow);
	}
	const days = size === 'month' ? 28 : 3;
	const events = flows.flatMap((flow) => drawLife(random, flow, flows, days));
	events.push(...drawStranger(random, flows, days));
	events.push(...drawMore(new Random(seed, 'more'), flows, days, size));
	const hasToken = random.chance(0.6);
	const plan: Plan = {
		seed,
		switches: drawSwitches(random),
		hasToken,
		verification: random.weighted([
			[4, 'confirm'],
			[hasToken ? 1 : 0, 'token'],
			[1, 'hmac'],
		]),
		hasAlerts: size !== 'month' && new Random(seed, 'alerts').chance(0.25),
		desk: null,
		flows,
		events: events.sort((a, b) => a.minute - b.minute),
		faults: drawFaults(
			random,
			size === 'month'
				? { create: 1200, list: 300, status: 3000, token: 300 }
				: { create: 40, list: 20, status: 60, token: 20 },
			random.pick([0, 0.08, 0.3]),
		),
		deliveries: drawDeliveries(random, size === 'month' ? 2000 : 40),
	};
	return size === 'month' ? plan : withDesk(withGraphs(plan, days), days);
}

/** Workflows with other nodes around ours: draws of their own, so that the rest of the plan stays as it was. */
function withGraphs(plan: Plan, days: number): Plan {
	const graphs = new Random(plan.seed, 'graphs');
	const files = new Random(plan.seed, 'files');
	const marked = new Random(plan.seed, 'marked');
	const first = plan.flows.length;
	const more = [
		...(graphs.chance(0.35) ? [{ random: graphs, flow: drawGraph(graphs, first) }] : []),
		...(files.chance(0.3) ? [{ random: files, flow: drawFile(files, first + 1) }] : []),
		...(marked.chance(0.15) ? [{ random: marked, flow: drawFile(marked, first + 2, MARKED) }] : []),
	];
	const life = more.flatMap(({ random, flow }) => {
		const own = drawLife(random, flow, [flow], days);
		return [...own, ...drawTries(random, flow, own)];
	});
	return {
		...plan,
		flows: [...plan.flows, ...more.map(({ flow }) => flow)],
		events: [...plan.events, ...life].sort((a, b) => a.minute - b.minute),
	};
}

/** The payment desk, beside everything else. */
function withDesk(plan: Plan, days: number): Plan {
	const random = new Random(plan.seed, 'desk');
	if (!random.chance(0.25)) return plan;
	const { desk, events } = drawDesk(random, days);
	// Somebody else's links have the same numbers of orders, and call the desk, too.
	const other = drawFlow(random, plan.flows.length + 3, 'usual');
	const flow: Flow = { ...other, kind: 'links', callback: 'desk', guard: null };
	const more = random.chance(0.2) ? [flow] : [];
	const life = more.flatMap((each) => drawLife(random, each, [each], days));
	return {
		...plan,
		desk,
		flows: [...plan.flows, ...more],
		events: [...plan.events, ...events, ...life].sort((a, b) => a.minute - b.minute),
	};
}

function drawStranger(random: Random, flows: readonly Flow[], days: number): PlannedEvent[] {
	const tags = flows.flatMap(({ rows }) => rows.map(({ tag }) => tag));
	const minute = () => random.whole(10, days * DAY);
	const one = (): PlannedEvent =>
		random.weighted<() => PlannedEvent>([
			[
				4,
				() => ({
					minute: minute(),
					kind: 'forge',
					what: random.pick(['paid', 'reference', 'nothing'] as const),
					tag: random.pick(tags),
					at: random.pick(['trigger', 'resume'] as const),
				}),
			],
			[
				2,
				() => ({
					minute: minute(),
					kind: 'misdirect',
					tag: random.pick(tags),
					to: random.pick(tags),
				}),
			],
			[2, () => ({ minute: minute(), kind: 'replay', nth: random.whole(1, 10) })],
			[0.5, () => ({ minute: minute(), kind: 'rotate' })],
			[1, () => ({ minute: minute(), kind: 'kill', after: random.whole(1, 30) })],
		])();
	return Array.from({ length: random.whole(0, 6) }, one);
}

const DELIVERIES = ['lost', 'twice', 'late', 'oldAgain', 'strangerFirst'] as const;

function drawDeliveries(random: Random, most: number): Plan['deliveries'] {
	const share = random.pick([0, 0.2]);
	return Array.from({ length: most }, (_, at) => at + 1)
		.filter(() => random.chance(share))
		.map((nth) => ({ nth, kind: random.pick(DELIVERIES) }));
}
