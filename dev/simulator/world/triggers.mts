import type { PublishedTrigger } from '../engine/webhooks.mts';
import { DESK_TRIGGER, DESK_URL } from '../plan/desk.mts';
import { callbackUrlOf, triggerOf, TRIGGER_URL } from '../plan/files.mts';
import type { Plan } from '../plan/plan.mts';
import { triggerWorkflow, workflowOf } from '../plan/workflow.mts';
import type { DeskPeople } from './desk.mts';

/** Those that can be called from outside, by their addresses. */
export function triggersOf(plan: Plan, desk: DeskPeople): Map<string, PublishedTrigger> {
	const own = plan.flows.flatMap((flow): Array<[string, PublishedTrigger]> => {
		const node = triggerOf(flow.file);
		const workflow = node === undefined ? undefined : workflowOf(flow, 'skip');
		return workflow && node ? [[callbackUrlOf(flow), { workflow, node }]] : [];
	});
	return new Map([
		[TRIGGER_URL, { workflow: triggerWorkflow(plan), node: 'Trigger' }],
		[DESK_URL, { workflow: desk.payments, node: DESK_TRIGGER }],
		...own,
	]);
}
