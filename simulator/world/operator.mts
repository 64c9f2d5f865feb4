import type { Flow, PlannedEvent } from '../plan/plan.mts';
import { cellsOf, workflowOf } from '../plan/workflow.mts';
import type { World } from './world.mts';

type Event<Kind> = Extract<PlannedEvent, { kind: Kind }>;

/** Runs sheets, corrects them, and runs them again. */
export class Operator {
	/** As they are now. */
	private readonly sheets: Map<string, Flow>;

	constructor(private readonly world: World) {
		this.sheets = new Map(world.plan.flows.map((flow) => [flow.id, structuredClone(flow)]));
	}

	run({ flow: id, onDuplicate, killAfter }: Event<'run'>): void {
		const { n8n, runs, story } = this.world;
		const flow = this.sheets.get(id);
		if (flow === undefined || flow.rows.length === 0) return;
		if (!n8n.isUp) return story.say(`The operator finds n8n down, and does not run ${id}.`);
		const how = onDuplicate === 'skip' ? '' : ` with ${onDuplicate}`;
		const rows = flow.rows
			.map(({ tag, order }) => (order === null ? tag : `${tag} (${order})`))
			.join(', ');
		story.say(`The operator runs ${id} (${flow.kind}, ${flow.mode})${how}: ${rows}.`);
		if (killAfter !== null) n8n.killAfter(killAfter);
		const items = flow.rows.map((row) => ({ json: cellsOf(row, flow) }));
		runs.set(String(n8n.executions.length + 1), { flow: structuredClone(flow), onDuplicate });
		void n8n.run(workflowOf(flow, onDuplicate), items);
	}

	edit({ flow: id, tag, change }: Event<'edit'>): void {
		const rows = this.sheets.get(id)?.rows.filter((row) => row.tag === tag) ?? [];
		if (rows.length === 0) return;
		for (const row of rows) Object.assign(row, change);
		const what = Object.entries(change).map(([cell, value]) => `${cell} ${JSON.stringify(value)}`);
		this.world.story.say(`The operator writes ${what.join(', ')} for ${tag} in ${id}.`);
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
