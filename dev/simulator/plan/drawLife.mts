import type { Random } from '../random.mts';
import { CUSTOMERS, DAY, HOUR, ITEMS } from './drawFlow.mts';
import { tryOf } from './files.mts';
import type { Flow, PlannedEvent } from './plan.mts';

export function drawLife(
	random: Random,
	flow: Flow,
	flows: readonly Flow[],
	days: number,
): PlannedEvent[] {
	const start = random.whole(0, (days - 2) * DAY) + random.whole(0, 8 * HOUR);
	const killAfter = () => (random.chance(0.25) ? random.whole(1, 60) : null);
	const events: PlannedEvent[] = [
		{ minute: start, kind: 'run', flow: flow.id, onDuplicate: 'skip', killAfter: killAfter() },
	];
	if (random.chance(0.1)) {
		events.push({
			minute: start,
			kind: 'run',
			flow: flow.id,
			onDuplicate: 'skip',
			killAfter: null,
		});
	}
	for (
		let again = random.weighted([
			[2, 0],
			[2, 1],
			[1, 2],
		] as const);
		again > 0;
		again--
	) {
		const minute = start + random.whole(3, 20 * HOUR);
		events.push(...drawEdits(random, flow, flows, minute - 1));
		const onDuplicate = random.weighted([
			[3, 'skip'],
			[2, 'sendUnanswered'],
			[0.3, 'sendAnyway'],
		] as const);
		events.push({ minute, kind: 'run', flow: flow.id, onDuplicate, killAfter: killAfter() });
	}
	for (const { tag } of flow.rows) events.push(...drawPayments(random, tag, start));
	return events;
}

/** What an operator changes before a sheet is run again: never which payment a row is. */
function drawEdits(
	random: Random,
	flow: Flow,
	flows: readonly Flow[],
	minute: number,
): PlannedEvent[] {
	const { rows, id } = flow;
	const events: PlannedEvent[] = [];
	const row = random.pick(rows);
	const { tag, order, key } = row;
	const edit = (change: Extract<PlannedEvent, { kind: 'edit' }>['change']) =>
		events.push({ minute, kind: 'edit', flow: id, tag, change });
	// Without an order or a key, other values are another payment.
	if (random.chance(0.25) && (order !== null || key !== null))
		edit({ amount: random.whole(1, 40) * 100 });
	if (random.chance(0.25)) edit({ phone: row.phone.replace('+254', '0') });
	if (random.chance(0.2)) events.push({ minute, kind: 'writeBack', flow: id });
	if (random.chance(0.3) && typeof order === 'string') {
		edit({
			order: random.pick([
				order.normalize('NFD'),
				`${order}\u200b`,
				` ${order}`,
				order.replace(' ', '\u00a0'),
			]),
		});
	}
	const other = random.pick(flows);
	if (random.chance(0.1) && other.id !== id)
		events.push({ minute, kind: 'merge', into: id, from: other.id });
	return events;
}

export function drawMore(random: Random, flows: readonly Flow[], days: number): PlannedEvent[] {
	const minute = () => random.whole(DAY / 2, days * DAY);
	const one = (): PlannedEvent[] => {
		const flow = random.pick(flows);
		const { tag, order, key } = random.pick(flow.rows);
		const at = minute();
		const run = (after: number, killAfter: number | null = null): PlannedEvent => ({
			minute: at + after,
			kind: 'run',
			flow: flow.id,
			onDuplicate: random.pick(['skip', 'skip', 'sendUnanswered'] as const),
			killAfter,
		});
		const change = random.pick([
			{ customer: random.pick(CUSTOMERS) },
			{ item: random.pick(ITEMS) },
			{ amount: random.whole(1, 40) * 100 },
		]);
		const isNamed = order !== null || key !== null;
		return random.weighted<() => PlannedEvent[]>([
			[
				2,
				() => [
					// Without an order or a key, other values are another payment.
					...(isNamed ? [{ minute: at, kind: 'edit' as const, flow: flow.id, tag, change }] : []),
					run(1, random.chance(0.3) ? random.whole(1, 30) : null),
				],
			],
			[
				2,
				() => [
					run(0),
					{ minute: at, kind: 'cancel' as const, after: random.whole(1, 40) },
					run(random.whole(2, 300)),
				],
			],
			[
				2,
				() => [
					{
						minute: at,
						kind: 'approve' as const,
						flow: flow.id,
						tag,
						change: random.chance(0.5) && isNamed ? change : null,
					},
				],
			],
		])();
	};
	const count = random.pick([0, 0, 1, 2]);
	return Array.from({ length: count }, one).flat();
}

/** Customers who fail for a reason that passes are asked again hours later, and may fail again. */
export function drawTries(
	random: Random,
	{ file, rows }: Flow,
	life: readonly PlannedEvent[],
): PlannedEvent[] {
	const start = life.find(({ kind }) => kind === 'run')?.minute ?? 0;
	if (file !== 'asked-again-when-it-failed') return [];
	return rows.flatMap(({ tag }) => {
		const tries = [1, 2, 3].filter(() => random.chance(0.8));
		return tries.map((nth): PlannedEvent => {
			const state = random.chance(0.6) ? 'failed' : 'success';
			const why = random.pick(['INSUFFICIENT_FUNDS', 'TIMEOUT', 'DECLINED']);
			const minute = start + (nth - 1) * (6 * HOUR + 5) + random.whole(1, 5);
			return { minute, kind: 'pay', tag: tryOf(tag, nth), share: 1, state, why };
		});
	});
}

export function drawPayments(random: Random, tag: string, start: number): PlannedEvent[] {
	const pays = (
		after: number,
		share: number,
		state: 'success' | 'failed' = 'success',
	): PlannedEvent => ({
		minute: start + after,
		kind: 'pay',
		tag,
		share,
		state,
	});
	const soon = random.whole(1, 300);
	const later = soon + random.whole(1, DAY);
	return random.weighted<PlannedEvent[]>([
		[4, [pays(soon, 1)]],
		[2, []],
		[1, [pays(soon, 0.5)]],
		[1, [pays(soon, 0.01)]],
		[1, [pays(soon, 1), pays(later, 1)]],
		[2, [pays(soon, 1, 'failed'), pays(later, 1)]],
		[1, [pays(soon, 1, 'failed')]],
		[1, [pays(later, 1)]],
	]);
}
