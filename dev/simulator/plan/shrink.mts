import { KINDEST, type Switches } from '../service/switches.mts';
import type { Plan } from './plan.mts';

/** A shorter story is easier to read; more plays than this rarely make it shorter still. */
const MAX_PLAYS = 200;

/**
 * Leaves out whatever is not needed for a plan to break: workflows, events, rows, faults, odd callbacks, and
 * habits of the service. Gives the smallest plan for which `stillBreaks` holds.
 */
export async function shrink(
	plan: Plan,
	stillBreaks: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
	let smallest = plan;
	let plays = 0;
	const attempt = async (candidate: Plan): Promise<boolean> => {
		if (plays >= MAX_PLAYS) return false;
		plays++;
		if (!(await stillBreaks(candidate))) return false;
		smallest = candidate;
		return true;
	};
	for (const list of ['flows', 'faults', 'deliveries', 'events'] as const) await shrinkList(list);
	for (const flow of smallest.flows) await shrinkRows(flow.id);
	for (const name of Object.keys(KINDEST) as Array<keyof Switches>) {
		if (JSON.stringify(smallest.switches[name]) === JSON.stringify(KINDEST[name])) continue;
		await attempt({ ...smallest, switches: { ...smallest.switches, [name]: KINDEST[name] } });
	}
	await attempt({ ...smallest, isTaught: false });
	await attempt({ ...smallest, verification: 'confirm' });
	await shrinkList('events');
	return smallest;

	/** In halves first, then in smaller and smaller pieces. */
	async function shrinkList(list: 'flows' | 'faults' | 'deliveries' | 'events'): Promise<void> {
		for (let size = smallest[list].length; size >= 1; size = Math.floor(size / 2)) {
			for (let at = 0; at < smallest[list].length;) {
				const until = at + size;
				const rest = (smallest[list] as unknown[]).filter((_, each) => each < at || each >= until);
				if (!(await attempt({ ...smallest, [list]: rest }))) at += size;
			}
		}
	}

	async function shrinkRows(id: string): Promise<void> {
		const rowsOf = () => smallest.flows.find((flow) => flow.id === id)?.rows ?? [];
		for (let at = 0; at < rowsOf().length;) {
			const rows = rowsOf().filter((_, each) => each !== at);
			const flows = smallest.flows.map((flow) => (flow.id === id ? { ...flow, rows } : flow));
			if (!(await attempt({ ...smallest, flows }))) at++;
		}
	}
}
