import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { mayHaveOthers } from '../../../../nodes/UnifiedPayments/rows/claims/otherProcesses.ts';

const contextOf = (instanceSettings: unknown, mode: WorkflowExecuteMode): IExecuteFunctions =>
	({ instanceSettings, getMode: () => mode }) as unknown as IExecuteFunctions;

const MAIN = { instanceType: 'main', isMultiMain: false };

it.each([
	// In queue mode these run on workers, so this is n8n with one process.
	[MAIN, 'trigger', false],
	[MAIN, 'webhook', false],
	// By hand, and what is called from there, may run next to workers.
	[MAIN, 'manual', true],
	[MAIN, 'integrated', true],
	// Next to a running n8n.
	[MAIN, 'cli', true],
	[{ ...MAIN, isMultiMain: true }, 'webhook', true],
	[{ instanceType: 'worker', isMultiMain: false }, 'webhook', true],
	// A release of n8n that does not say.
	[undefined, 'webhook', true],
	[null, 'webhook', true],
	['main', 'webhook', true],
	[{ instanceType: 'main' }, 'webhook', true],
] as const)('other processes than %j, in an execution by %s: %s', (settings, mode, others) => {
	expect(mayHaveOthers(contextOf(settings, mode))).toBe(others);
});
