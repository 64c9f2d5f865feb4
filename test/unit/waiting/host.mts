import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { EXECUTION, SAVED, serviceWith, type Service } from './service.mts';

export interface Host {
	service?: Service;
	input?: Json[];
	/** What n8n's entry for this run of the node says. */
	metadata?: object;
	signal?: AbortSignal;
	/** The credential as it was saved. */
	raw?: Json;
	/** The same as it is read for a row, where it differs. */
	saved?: Json;
	/** Which time it is that the node runs. */
	run?: number;
	parameters?: Json;
}

/** A run of the node, and what it leaves with the host. */
export function hostWith({
	service = serviceWith({}),
	input = [],
	metadata,
	signal,
	raw = SAVED,
	saved = {},
	run = 0,
	parameters = {},
}: Host = {}) {
	const left = { data: { main: [] as INodeExecutionData[][] }, metadata };
	const until: Date[] = [];
	const warned: string[] = [];
	const evaluated: unknown[] = [];
	const context = {
		getNode: () => ({ id: 'node', name: 'Collect', type: 'payments', parameters }),
		getMode: () => 'trigger',
		getExecutionId: () => '17',
		getInputData: () => input.map((json, item) => ({ json, pairedItem: { item } })),
		getParentNodes: () => [],
		getCredentials: async () => ({ ...SAVED, ...saved }),
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
		getExecutionCancelSignal: () => signal,
		getExecuteData: () => left,
		putExecutionToWait: async (date: Date) => void until.push(date),
		evaluateExpression: (...given: unknown[]) => {
			evaluated.push(given);
			return given[0] === '{{ $runIndex }}' ? run : EXECUTION;
		},
		helpers: service,
		logger: { warn: (line: string) => warned.push(line) },
		additionalData: { credentialsHelper: { getDecrypted: async () => raw } },
	} as unknown as IExecuteFunctions;
	return { context, left, until, warned, evaluated, asked: service.asked };
}
