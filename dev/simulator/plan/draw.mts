import { Random } from '../random.mts';
import { drawFaults } from '../service/faults.mts';
import { drawSwitches } from '../service/switches.mts';
import { copyOf, DAY, drawFile, drawFlow, drawGraph } from './drawFlow.mts';
import { drawLife, drawMore, drawTries } from './drawLife.mts';
import { DELIVERY_KINDS, MARK_TRICKS, type Flow, type Plan, type PlannedEvent } from './plan.mts';

const DAYS = 3;

/** A world for a seed. Nothing in here knows what the nodes may get wrong. */
export function drawPlan(seed: number): Plan {
	const random = new Random(seed, 'plan');
	const isPlayed = swarm(seed);
	const flows: Flow[] = [];
	for (let left = random.whole(1, 3); left > 0; left--) {
		const flow = drawFlow(random, flows.length);
		const [first] = flows;
		flows.push(first !== undefined && random.chance(0.25) ? copyOf(first, flow.id) : flow);
	}
	if (random.chance(0.3)) flows.push(drawGraph(random, flows.length));
	if (random.chance(0.35)) flows.push(drawFile(random, flows.length));
	const events = flows.flatMap((flow) => {
		const life = drawLife(random, flow, flows, DAYS);
		return [...life, ...drawTries(random, flow, life)];
	});
	events.push(...drawStranger(random, flows), ...drawMore(random, flows, DAYS));
	return {
		seed,
		switches: drawSwitches(random),
		isTaught: random.chance(0.5),
		verification: random.weighted([
			[4, 'confirm'],
			[1, 'address'],
			[1, 'hmac'],
		]),
		flows,
		events: played(events, isPlayed).sort((a, b) => a.minute - b.minute),
		faults: drawFaults(random, random.pick([0, 0.08, 0.3]), isPlayed),
		deliveries: drawDeliveries(random, isPlayed),
	};
}

/**
 * Each world leaves out some kinds of events and faults, and so has more of the others: what one kind hides
 * comes to light where it is missing.
 */
function swarm(seed: number): (kind: string) => boolean {
	const share = new Random(seed, 'swarm').pick([0.3, 0.6, 1]);
	const always = ['run', 'pay'];
	return (kind) => always.includes(kind) || new Random(seed, `swarm ${kind}`).chance(share);
}

function played(
	events: readonly PlannedEvent[],
	isPlayed: (kind: string) => boolean,
): PlannedEvent[] {
	return events
		.filter(({ kind }) => isPlayed(kind))
		.map((event) => {
			if (event.kind !== 'run') return event;
			const onDuplicate = isPlayed(event.onDuplicate) ? event.onDuplicate : 'skip';
			return { ...event, onDuplicate, killAfter: isPlayed('kill') ? event.killAfter : null };
		});
}

function drawStranger(random: Random, flows: readonly Flow[]): PlannedEvent[] {
	const tags = flows.flatMap(({ rows }) => rows.map(({ tag }) => tag));
	const one = (): PlannedEvent => {
		const minute = random.whole(10, DAYS * DAY);
		const tag = random.pick(tags);
		return random.weighted<() => PlannedEvent>([
			[
				3,
				() => ({
					minute,
					kind: 'forge',
					what: random.pick(['paid', 'reference', 'nothing'] as const),
					tag,
					at: random.pick(['trigger', 'resume'] as const),
				}),
			],
			[
				3,
				() => ({
					minute,
					kind: 'forgeMark',
					how: random.pick(MARK_TRICKS),
					tag,
					of: random.pick(tags),
				}),
			],
			[2, () => ({ minute, kind: 'misdirect', tag, to: random.pick(tags) })],
			[2, () => ({ minute, kind: 'replay', nth: random.whole(1, 10) })],
			[0.7, () => ({ minute, kind: 'rotate' })],
			[1, () => ({ minute, kind: 'kill', after: random.whole(1, 30) })],
		])();
	};
	return Array.from({ length: random.whole(0, 8) }, one);
}

const MOST_CALLBACKS = 40;

function drawDeliveries(random: Random, isPlayed: (kind: string) => boolean): Plan['deliveries'] {
	const share = random.pick([0, 0.2]);
	const kinds = DELIVERY_KINDS.filter(isPlayed);
	if (kinds.length === 0) return [];
	return Array.from({ length: MOST_CALLBACKS }, (_, at) => at + 1)
		.filter(() => random.chance(share))
		.map((nth) => ({ nth, kind: random.pick(kinds) }));
}
