import type { Flow, PlannedEvent } from '../plan/plan.mts';
import type { Run } from '../oracle/facts.mts';
import { rowsWithTries } from '../plan/files.mts';
import { cellsOf, checkOf, workflowOf } from '../plan/workflow.mts';
import type { World } from './world.mts';

type Event<Kind> = Extract<PlannedEvent, { kind: Kind }>;

const APPROVAL_MS = 5 * 60_000;

/** Runs sheets, corrects them, and runs them again. */
export class Operator {
	/** As they are now. */
	private readonly sheets: Map<string, Flow>;

	constructor(private readonly world: World) {
		this.sheets = new Map(world.plan.flows.map((flow) => [flow.id, structuredClone(flow)]));
	}

	run(
		{ flow: id, onDuplicate, killAfter }: Omit<Event<'run'>, 'kind' | 'minute'>,
		approved?: Run['approved'],
		isLast = false,
	): void {
		const { n8n, runs, story } = this.world;
		const flow = this.sheets.get(id);
		if (flow === undefined || flow.rows.length === 0) return;
		if (!n8n.isUp) return story.say(`The operator finds n8n down, and does not run ${id}.`);
		const how = onDuplicate === 'skip' ? '' : ` with ${onDuplicate}`;
		const rows = flow.rows
			.map(({ tag, order }) => (order === null ? tag : `${tag} (${order})`))
			.join(', ');
		const what = [flow.file ?? flow.kind, flow.graph, flow.mode].filter(Boolean).join(', ');
		story.say(`The operator runs ${id} (${what})${how}: ${rows}.`);
		if (killAfter !== null) n8n.killAfter(killAfter);
		const items = flow.rows.map((row) => ({ json: cellsOf(row, flow) }));
		runs.set(String(n8n.executions.length + 1), {
			flow: structuredClone({ ...flow, rows: rowsWithTries(flow) }),
			onDuplicate,
			isLast,
			...(approved && { approved }),
		});
		void n8n.run(workflowOf(flow, onDuplicate, approved?.fingerprint), items);
	}

	/** Each sheet once more, when nothing goes wrong any longer. */
	runLast(): void {
		for (const { id: flow } of this.sheets.values())
			this.run({ flow, onDuplicate: 'skip', killAfter: null }, undefined, true);
	}

	/** Looks at a sheet, approves it, and sends it; somebody may write into it in between. */
	async approve({ flow: id, tag, change }: Event<'approve'>): Promise<void> {
		const { n8n, story, clock } = this.world;
		const flow = structuredClone(this.sheets.get(id));
		if (flow === undefined || flow.rows.length === 0 || !n8n.isUp) return;
		story.say(`The operator has ${id} checked.`);
		const items = flow.rows.map((row) => ({ json: cellsOf(row, flow) }));
		const { result } = await n8n.run(checkOf(flow), items);
		const fingerprint = result?.json('Check')[0]?.fingerprint;
		if (typeof fingerprint !== 'string') return story.say('Nothing can be approved.');
		clock.at(clock.now() + APPROVAL_MS, () => {
			if (change !== null) this.edit({ minute: 0, kind: 'edit', flow: id, tag, change });
			story.say(`The operator approves ${id}.`);
			const asked = { flow: id, onDuplicate: 'skip' as const, killAfter: null };
			this.run(asked, { fingerprint, rows: flow.rows });
		});
	}

	edit({ flow: id, tag, change }: Event<'edit'>): void {
		const rows = this.sheets.get(id)?.rows.filter((row) => row.tag === tag) ?? [];
		if (rows.length === 0) return;
		for (const row of rows) Object.assign(row, change);
		const what = Object.entries(change).map(([cell, value]) => `${cell} ${JSON.stringify(value)}`);
		this.world.story.say(`The operator writes ${what.join(', ')} for ${tag} in ${id}.`);
	}

	/** Writes what was said of the rows, and the references of their payments, into columns of the sheet. */
	writeBack({ flow: id }: Event<'writeBack'>): void {
		const flow = this.sheets.get(id);
		if (flow === undefined || flow.file !== undefined) return;
		const { said, cameOut, story } = this.world;
		for (const row of flow.rows) {
			const item = said.get(`${id} ${row.tag}`) ?? {};
			const paid = cameOut.filter(({ order }) => order !== null && order === row.order).at(-1);
			// A sheet without orders has no column for references, either.
			const reference = row.order === null ? undefined : (paid?.ref ?? item.reference);
			const known = { outcome: item.outcome, link: item.link, message: item.message, reference };
			row.written = Object.fromEntries(
				Object.entries(known).filter(
					(each): each is [string, string] => typeof each[1] === 'string',
				),
			);
		}
		story.say(`The operator writes what is known into the sheet of ${id}.`);
	}

	/** The rows of one sheet are pasted below those of another. */
	merge({ into, from }: Event<'merge'>): void {
		const target = this.sheets.get(into);
		const source = this.sheets.get(from);
		if (target === undefined || source === undefined) return;
		target.rows.push(...structuredClone(source.rows));
		this.world.story.say(`The operator pastes the rows of ${from} below those of ${into}.`);
	}
}
