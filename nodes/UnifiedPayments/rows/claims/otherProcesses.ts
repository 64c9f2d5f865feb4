import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

/** Whether another process may claim rows of this node: `look` where only the store can tell. */
export type OtherProcesses = 'yes' | 'no' | 'look';

/**
 * In queue mode, n8n gives executions that were started in these ways to a worker. So where the main
 * process runs one by itself, there are no workers.
 */
const NEVER_ON_MAIN_IN_QUEUE_MODE: ReadonlySet<WorkflowExecuteMode> = new Set<WorkflowExecuteMode>([
	'error',
	'retry',
	'trigger',
	'webhook',
]);

/**
 * What the process that runs this says about others. An execution by hand may run in the main process
 * next to workers; these leave a sign in the store. `n8n execute` is a process of its own.
 */
export function otherProcesses(context: IExecuteFunctions): OtherProcesses {
	const { instanceType, isMultiMain } =
		(context as IExecuteFunctions & HostInside).instanceSettings ?? {};
	const mode = context.getMode();
	if (instanceType !== 'main' || isMultiMain !== false || mode === 'cli') return 'yes';
	return NEVER_ON_MAIN_IN_QUEUE_MODE.has(mode) ? 'no' : 'look';
}

/**
 * n8n's contexts have it, but their documented types do not. Where a release of n8n does not have it,
 * there may be several processes: that is slower, and still right.
 */
interface HostInside {
	instanceSettings?: { instanceType?: unknown; isMultiMain?: unknown } | null;
}

const HALF_A_DAY_MS = 12 * 60 * 60 * 1000;

const signAt = (time: number): string =>
	`several processes ${Math.floor(time / HALF_A_DAY_MS / 2)}`;

/**
 * The sign that several processes use this store. It has the day in it, because the oldest entries of
 * the store are forgotten. It is left for half a day before and after now, as clocks may differ.
 */
export const signsToLeave = (now: number): string[] => [
	signAt(now - HALF_A_DAY_MS),
	signAt(now + HALF_A_DAY_MS),
];

export const signToLookFor = (now: number): string => signAt(now);
