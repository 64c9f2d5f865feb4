import type { Execution } from '../engine/n8n.mts';
import type { Broken, Facts } from './facts.mts';

/** Judged when an execution has ended or sleeps: nothing secret is in what it stores or logs. */
export function judgeSecrets({ secrets }: Facts, execution: Execution): Broken[] {
	const { result, log, id } = execution;
	if (result === undefined) return [];
	const { runData, error } = result.run.data.resultData;
	const outputs = Object.values(runData).map((tasks) =>
		tasks.map(({ data, error: own, hints }) => [data, own?.message, own?.description, hints]),
	);
	const text = JSON.stringify([outputs, error?.message, error?.description, log]);
	return [...secrets]
		.filter((secret) => text.includes(secret))
		.map((secret) => ({
			invariant: 'nothing secret is shown',
			what: `execution ${id} shows ${secret.slice(0, 4)}…`,
		}));
}
