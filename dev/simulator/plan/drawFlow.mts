import type { Random } from '../random.mts';
import { FILE_NAMES, FILES } from './files.mts';
import { GRAPHS, isRowByRow } from './graphs.mts';
import type { Flow, FlowKind, Guard, SheetRow } from './plan.mts';
import { isAboutLinks } from './workflow.mts';

/** In minutes. */
export const HOUR = 60;
export const DAY = 24 * HOUR;
export const CUSTOMERS = ['Amina', 'Kofi', 'Zuri', 'Femi', 'Nia', 'Juma', 'Ada', 'Sena'] as const;
export const ITEMS = ['Rent', 'Tea', 'School fees'] as const;
const KINDS: ReadonlyArray<readonly [number, FlowKind]> = [
	[4, 'links'],
	[3, 'collections'],
	[2, 'collectAndWait'],
	[2, 'linksAndWait'],
	[1, 'loopAndWait'],
];

export function drawFlow(random: Random, at: number): Flow {
	const kind = random.weighted(KINDS);
	const isKeyed = random.chance(0.25);
	const flow: Flow = {
		id: `flow-${at + 1}`,
		kind,
		mode: random.pick(['fields', 'columns']),
		callback: random.weighted([
			[8, 'trigger'],
			// Links need an address.
			[kind === 'links' ? 0.2 : 2, 'none'],
		]),
		onError: random.weighted([
			[3, 'continueErrorOutput'],
			[2, 'continueRegularOutput'],
			[1, 'stopWorkflow'],
		]),
		retryOnFail: random.chance(0.2),
		isKeyed,
		concurrency: random.pick([1, 5]),
		guard: random.chance(0.12) ? drawGuard(random) : null,
		waitMinutes: random.pick([30, 12 * HOUR, 2 * DAY]),
		rows: [],
	};
	// What leaves a loop on another way never comes back to it.
	if (kind === 'loopAndWait') flow.onError = 'continueRegularOutput';
	const count = random.whole(1, 5);
	// Of numbers that are too long, a sheet rounds the last digits away.
	const hasLongNumbers = random.chance(0.08);
	for (let row = 0; row < count; row++) {
		flow.rows.push(drawRow(random, flow, at, row, hasLongNumbers));
	}
	return flow;
}

/** A copy of a workflow with the same sheet: to the service, other payments. */
export const copyOf = (flow: Flow, id: string): Flow => ({
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

/** A workflow with other nodes of n8n around the create. */
export function drawGraph(random: Random, at: number): Flow {
	const base = drawFlow(random, at);
	const graph = random.pick(GRAPHS);
	const flow: Flow = { ...base, kind: isAboutLinks(base) ? 'links' : 'collections', graph };
	// Errors that are merged with the rest leave on their own output, and a called workflow has one.
	if (graph === 'mergeAfter') flow.onError = 'continueErrorOutput';
	else if (flow.onError === 'continueErrorOutput' && graph !== 'splitOut')
		flow.onError = 'continueRegularOutput';
	return isRowByRow(flow) ? { ...flow, rows: withoutRepeats(flow.rows) } : flow;
}

/** One of the workflows of `examples/`, with a sheet of the operator's. */
export function drawFile(random: Random, at: number): Flow {
	const file = random.pick(FILE_NAMES);
	const { kind, mode, onError } = FILES[file];
	const base = drawFlow(random, at);
	// Where one bad row stops all, most sheets have none.
	const isChecked = onError === 'stopWorkflow' && random.chance(0.8);
	const rows = base.rows
		.map((row) => (isChecked ? corrected(row) : row))
		.map((row) => ({
			...row,
			key: null,
			// A second try is named after the order.
			order: row.order ?? (kind === 'collectAndWait' ? `N-${row.tag}` : null),
		}));
	return {
		...base,
		...{ file, kind, mode, onError },
		callback: 'trigger',
		retryOnFail: false,
		isKeyed: false,
		guard: null,
		rows: isChecked ? withoutRepeats(rows) : rows,
	};
}

/** As somebody has corrected it. */
const corrected = (row: SheetRow): SheetRow => ({
	...row,
	amount: ['-5', 'abc', '12.345', ''].includes(String(row.amount)) ? 1500 : row.amount,
	order: typeof row.order === 'number' ? `N-${row.tag}` : row.order,
});

/** The first row of each payment. */
const withoutRepeats = (rows: readonly SheetRow[]): SheetRow[] =>
	rows.filter(
		(row, nth) =>
			rows.findIndex(
				({ tag, order, key }) =>
					tag === row.tag ||
					(order !== null && order === row.order) ||
					(key !== null && key === row.key),
			) === nth,
	);
