import type { Sight } from './awaited';

/** Executions beyond so many are forgotten, the longest unused first, and asked about again. */
const MOST = 1_000;

const executions = new Map<string, Map<string, Sight>>();

/**
 * What is known to be final of a waiting execution, by payment, so that a callback does not ask for
 * all of it again. It is lost with the process, and then the service is asked.
 */
export function keptSights(execution: string): Map<string, Sight> {
	const known = executions.get(execution) ?? new Map<string, Sight>();
	executions.delete(execution);
	executions.set(execution, known);
	if (executions.size > MOST) forgetSights(executions.keys().next().value!);
	return known;
}

export const forgetSights = (execution: string): boolean => executions.delete(execution);
