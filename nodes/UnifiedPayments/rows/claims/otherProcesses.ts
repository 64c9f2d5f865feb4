import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

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

/** Whether another process may claim rows of this node. In doubt it may: that is slower, and still right. */
export function mayHaveOthers(context: IExecuteFunctions): boolean {
	const { instanceType, isMultiMain } =
		(context as IExecuteFunctions & HostInside).instanceSettings ?? {};
	const isOnlyMain = instanceType === 'main' && isMultiMain === false;
	return !isOnlyMain || !NEVER_ON_MAIN_IN_QUEUE_MODE.has(context.getMode());
}

/** n8n's contexts have it, but their documented types do not. */
interface HostInside {
	instanceSettings?: { instanceType?: unknown; isMultiMain?: unknown } | null;
}
