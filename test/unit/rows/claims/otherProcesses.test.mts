import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { otherProcesses } from '../../../../nodes/UnifiedPayments/rows/claims/otherProcesses.ts';

const contextOf = (instanceSettings: unknown, mode: WorkflowExecuteMode): IExecuteFunctions =>
	({ instanceSettings, getMode: () => mode }) as unknown as IExecuteFunctions;

const MAIN = { instanceType: 'main', isMultiMain: false };

it.each([
	// In queue mode these run on workers, so this is n8n with one process.
	[MAIN, 'trigger', 'no'],
	[MAIN, 'webhook', 'no'],
	// By hand, and what is called from there, may run next to workers.
	[MAIN, 'manual', 'look'],
	[MAIN, 'integrated', 'look'],
	// Next to a running n8n.
	[MAIN, 'cli', 'yes'],
	[{ ...MAIN, isMultiMain: true }, 'manual', 'yes'],
	[{ instanceType: 'worker', isMultiMain: false }, 'webhook', 'yes'],
	[{ instanceType: 'worker', isMultiMain: false }, 'manual', 'yes'],
	// A release of n8n that does not say.
	[undefined, 'webhook', 'yes'],
	[null, 'webhook', 'yes'],
	['main', 'webhook', 'yes'],
	[{ instanceType: 'main' }, 'webhook', 'yes'],
] as const)('other processes than %j, in an execution by %s: %s', (settings, mode, others) => {
	expect(otherProcesses(contextOf(settings, mode))).toBe(others);
});
