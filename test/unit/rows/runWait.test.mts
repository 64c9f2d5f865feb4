import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { waitUntilPaid } from '../../../nodes/UnifiedPayments/actions/paymentLink/waitUntilPaid.operation.ts';
import { runWait } from '../../../nodes/UnifiedPayments/rows/runWait.ts';

const SAVED = { baseUrl: 'https://pay.example.com', clientId: 'c', sender: 's', secretKey: 'k' };

/** Waits for links where there are none. */
const wait = async ({ limit = 5, continueOnFail = false, rows = 2 } = {}): Promise<
	INodeExecutionData[] | Error
> => {
	const given: Record<string, unknown> = { waitLimitMinutes: limit, options: {} };
	const context = {
		getNode: () => ({ id: 'node', name: 'Wait', type: 'payments', parameters: {} }),
		getMode: () => 'trigger',
		getExecuteData: () => ({}),
		getInputData: () =>
			Array.from({ length: rows }, (_, row) => ({ json: { row_number: row + 7 } })),
		getParentNodes: () => [],
		getNodeParameter: (name: string) => given[name],
		getCredentials: async () => SAVED,
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => continueOnFail,
	} as unknown as IExecuteFunctions;
	return await runWait(context, waitUntilPaid).catch((error: Error) => error);
};

describe('waiting for links that goes wrong', () => {
	it('ends the run, with what to do', async () => {
		expect(await wait()).toMatchObject({
			name: 'NodeOperationError',
			message: 'Item 1 of the input cannot be traced to a payment link [Item 0]',
			description: expect.stringContaining("'Wait in This Execution'") as string,
		});
	});

	it('gives an item for each row where the run is to go on', async () => {
		expect(await wait({ limit: 0, continueOnFail: true })).toEqual(
			[0, 1].map((item) => ({
				json: {
					error: expect.objectContaining({
						message: expect.stringContaining("'Wait Limit (Minutes)'") as string,
						description: expect.stringContaining('links that were created stay') as string,
						row: item + 7,
						outcome: null,
						fields: ['waitLimitMinutes'],
					}) as object,
				},
				pairedItem: { item },
			})),
		);
	});

	it('is nothing where there is nothing to wait for', async () => {
		expect(await wait({ rows: 0 })).toEqual([]);
	});
});
