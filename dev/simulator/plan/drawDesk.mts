import type { Random } from '../random.mts';
import { CUSTOMERS, DAY, HOUR, ITEMS, ORDERS } from './drawFlow.mts';
import { drawPayments } from './drawLife.mts';
import type { Desk, DeskRow, PlannedEvent, Upload } from './plan.mts';

/** What people do with the payment desk. */
export function drawDesk(random: Random, days: number): { desk: Desk; events: PlannedEvent[] } {
	const uploads: Array<{ minute: number; upload: Upload }> = [];
	for (let left = random.whole(1, 4); left > 0; left--) {
		// Often, two people upload the same orders at the same time.
		const before = uploads.at(-1);
		const minute =
			before !== undefined && random.chance(0.3) ? before.minute : random.whole(0, days * DAY);
		uploads.push({ minute, upload: drawUpload(random, uploads) });
	}
	const events = uploads.flatMap(({ minute, upload }): PlannedEvent[] => {
		const start = minute + (upload.pressAfter ?? 0) + (upload.answerAfter ?? 0);
		return [
			{ minute, kind: 'upload', upload },
			...upload.rows.flatMap(({ tag }) => drawPayments(random, tag, start + random.whole(0, HOUR))),
			...(random.chance(0.5)
				? [{ minute: start + random.whole(1, DAY), kind: 'download' as const, upload: upload.id }]
				: []),
		];
	});
	const tags = uploads.flatMap(({ upload }) => upload.rows.map(({ tag }) => tag));
	for (let left = random.pick([0, 0, 1, 3]); left > 0; left--) {
		const at = random.whole(HOUR, (days + 1) * DAY);
		events.push(
			random.weighted<PlannedEvent>([
				[2, { minute: at, kind: 'misdirect', tag: random.pick(tags), to: random.pick(tags) }],
				[1, { minute: at, kind: 'forge', what: 'paid', tag: random.pick(tags), at: 'desk' }],
				[2, { minute: at, kind: 'kill', after: random.whole(1, 120) }],
				[1, { minute: at, kind: 'replay', nth: random.whole(1, 20) }],
			]),
		);
	}
	const share = random.pick([0, 0, 0.2]);
	const mails = Array.from({ length: 40 }, (_, at) => at + 1)
		.filter(() => random.chance(share))
		.map((nth) => ({ nth, kind: random.pick(['down', 'down', 'refused', 'doubt'] as const) }));
	return { desk: { mails }, events };
}

function drawUpload(random: Random, before: ReadonlyArray<{ upload: Upload }>): Upload {
	const nth = before.length + 1;
	const earlier = before.flatMap(({ upload }) => upload.rows);
	const rows: DeskRow[] = [];
	for (let left = random.whole(1, 5); left > 0; left--) {
		const row = drawRow(random, `D${nth}.${rows.length + 1}`, earlier);
		const same = rows.find(({ order }) => String(order).trim() === String(row.order).trim());
		// In one sheet, an order is there once, or by mistake twice as it is.
		rows.push(same === undefined || random.chance(0.05) ? row : { ...same });
	}
	const change = { tag: random.pick(rows).tag, amount: random.whole(1, 40) * 100 + 1 };
	return {
		id: `upload-${nth}`,
		rows,
		isCsv: random.chance(0.3),
		pressAfter: random.chance(0.95) ? random.whole(1, 30) : null,
		answerAfter: random.weighted([
			[6, random.whole(0, 20)],
			[2, random.whole(HOUR, 20 * HOUR)],
			[1, null],
		]),
		isApproved: random.chance(0.85),
		change: random.chance(0.1) ? change : null,
		kill: random.chance(0.35)
			? { at: random.pick(['upload', 'ask', 'answer'] as const), after: random.whole(1, 120) }
			: null,
	};
}

function drawRow(random: Random, tag: string, before: readonly DeskRow[]): DeskRow {
	const own: DeskRow = {
		tag,
		customer: random.pick(CUSTOMERS.slice(0, 4)),
		order: random.chance(0.6) ? random.pick(ORDERS) : `N-${tag}`,
		amount: random.weighted<string | number>([
			[12, random.whole(1, 40) * 100],
			[3, `${random.whole(1, 9)},${random.whole(1, 9)}00.50`],
			[0.3, random.pick(['-5', 'abc', '12.345', ''])],
		]),
		item: random.pick(ITEMS),
		phone: `+2547${random.whole(10_000_000, 99_999_999)}`,
		key: null,
		hasEmail: random.chance(0.9),
	};
	if (before.length === 0) return own;
	const earlier = random.pick(before);
	return random.weighted<DeskRow>([
		[5, own],
		// Once more: because it failed, or by mistake.
		[3, { ...earlier, tag }],
		[1, { ...earlier, tag, order: `${earlier.order} (2)` }],
		[1, { ...own, order: ` ${earlier.order}` }],
		[1, { ...own, order: earlier.order }],
	]);
}
