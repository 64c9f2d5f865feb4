import { Random } from '../random.mts';
import { drawFaults } from '../service/faults.mts';
import { drawSwitches } from '../service/switches.mts';
import type { Flow, FlowKind, Guard, Plan, PlannedEvent, SheetRow } from './plan.mts';

const CUSTOMERS = ['Amina', 'Kofi', 'Zuri', 'Femi', 'Nia', 'Juma', 'Ada', 'Sena'] as const;
const ITEMS = ['Rent', 'Tea', 'School fees'] as const;
const KINDS: ReadonlyArray<readonly [number, FlowKind]> = [
	[4, 'links'],
	[3, 'collections'],
	[2, 'collectAndWait'],
	[2, 'linksAndWait'],
	[1, 'loopAndWait'],
];
const HOUR = 60;
const DAY = 24 * HOUR;

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
	return {
		seed,
		switches: drawSwitches(random),
		hasToken,
		verification: random.weighted([
			[4, 'confirm'],
			[hasToken ? 1 : 0, 'token'],
			[1, 'hmac'],
		]),
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
}

function drawFlow(random: Random, at: number, size: string): Flow {
	const kind = random.weighted(KINDS);
	const isKeyed = random.chance(0.25);
	const flow: Flow = {
		id: `flow-${at + 1}`,
		kind,
		mode: random.pick(['fields', 'columns']),
		callback: random.weighted([
			[5, 'trigger'],
			[1, 'none'],
		]),
		onError: random.weighted([
			[3, 'continueErrorOutput'],
			[2, 'continueRegularOutput'],
			// In a long sheet some row is always bad, and then nothing is sent.
			[size === 'month' ? 0 : 1, 'stopWorkflow'],
		]),
		retryOnFail: random.chance(0.2),
		isKeyed,
		concurrency: random.pick([1, 5]),
		guard: random.chance(size === 'month' ? 0.02 : 0.12) ? drawGuard(random) : null,
		waitMinutes: random.pick([30, 12 * HOUR, 2 * DAY]),
		rows: [],
	};
	// What leaves a loop on another way never comes back to it.
	if (kind === 'loopAndWait') flow.onError = 'continueRegularOutput';
	const count = size === 'month' ? random.whole(12, 24) : random.whole(1, 5);
	// Of numbers that are too long, a sheet rounds the last digits away.
	const hasLongNumbers = random.chance(0.08);
	for (let row = 0; row < count; row++) {
		flow.rows.push(drawRow(random, flow, at, row, hasLongNumbers));
	}
	return flow;
}

/** A copy of a workflow with the same sheet: to the service, other payments. */
const copyOf = (flow: Flow, id: string): Flow => ({
	...flow,
	id,
	rows: flow.rows.map((row) => ({ ...row, tag: `${id.replace('flow-', '')}.${row.tag}` })),
});

const drawGuard = (random: Random): Guard =>
	random.pick<Guard>([
		{ option: 'dryRun', value: true },
		{ option: 'dryRun', value: null },
		{ option: 'maxAmount', value: 2000 },
		{ option: 'maxAmount', value: null },
		{ option: 'maxTotal', value: 3000 },
		{ option: 'maxTotal', value: null },
	]);

/** Numbers of orders come from a small pool, as those of two shops may be the same. */
const ORDERS = ['A-1', 'B-2', 'Réf 3', 'C-4/7', 'D-5', 'E-6', '0017', 'G 8'] as const;

function drawRow(
	random: Random,
	{ rows, isKeyed, kind }: Flow,
	flow: number,
	row: number,
	hasLongNumbers: boolean,
): SheetRow {
	const [earlier] = rows.length > 0 ? [random.pick(rows)] : [];
	const tag = `${flow + 1}.${row + 1}`;
	const own: SheetRow = {
		tag,
		customer: random.pick(CUSTOMERS),
		order: hasLongNumbers
			? Number(`12345678901234567${row}0`)
			: random.weighted<string | null>([
					[14, ORDERS[row] ?? `N-${flow}-${row}`],
					[3, null],
				]),
		amount: random.weighted<string | number>([
			[12, random.whole(1, 40) * 100],
			[4, `${random.whole(1, 9)},${random.whole(1, 9)}00.50`],
			[1, random.pick(['-5', 'abc', '12.345', ''])],
		]),
		item: random.pick(ITEMS),
		phone: `+2547${random.whole(10_000_000, 99_999_999)}`,
		key: isKeyed ? `key-${tag}` : null,
	};
	// In a loop each row is a run of its own, in which the same order is the same payment.
	if (earlier === undefined || kind === 'loopAndWait') return own;
	return random.weighted<SheetRow>([
		[12, own],
		// The same row twice.
		[1, { ...earlier }],
		// The same order with other values.
		[1, { ...own, order: earlier.order }],
		// The same values for somebody else.
		[1, { ...earlier, tag, key: own.key }],
		// One key for several, e.g. the month.
		[isKeyed ? 2 : 0, { ...own, key: earlier.key }],
		// Two instalments of one order.
		[isKeyed ? 3 : 0, { ...earlier, tag, key: own.key }],
	]);
}

function drawLife(
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

/** Draws of their own, so that the stories of earlier seeds go on as they were. */
function drawMore(
	random: Random,
	flows: readonly Flow[],
	days: number,
	size: string,
): PlannedEvent[] {
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
	const count = size === 'month' ? 20 : random.pick([0, 0, 1, 2]);
	return Array.from({ length: count }, one).flat();
}

function drawPayments(random: Random, tag: string, start: number): PlannedEvent[] {
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
