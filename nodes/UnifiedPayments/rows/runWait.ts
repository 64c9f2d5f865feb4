import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WaitOperation } from './operation';
import { createClient } from '../transport/client';
import { waitForLinks } from '../waiting/waitForLinks';
import { createRowReader } from './read/readRows';
import { toRowError, type RowErrorContext } from './report/rowError';
import { createRowNames } from './rowNames';

/** Waits for the links of all rows together; what goes wrong is told as for a single row. */
export async function runWait(
	context: IExecuteFunctions,
	{ waits, properties }: WaitOperation,
): Promise<INodeExecutionData[]> {
	const { redactor, forRow } = createClient(context);
	try {
		return await waitForLinks(context, waits, forRow(0));
	} catch (cause) {
		const items = context.getInputData();
		const errors: RowErrorContext = {
			node: context.getNode(),
			redactor,
			label: createRowReader(context, properties).label,
			names: createRowNames(() => items.map(({ json }) => json)),
			unreached: null,
			meanwhile: 'Payment links that were created stay as they are.',
		};
		if (!context.continueOnFail()) throw toRowError(cause, 0, errors).error;
		return items.map((_, item) => {
			const { error, details } = toRowError(cause, item, errors);
			// Nothing is sent by waiting; an outcome would be taken for that of the link.
			return {
				json: { error: { message: error.message, ...details, outcome: null } },
				pairedItem: { item },
			};
		});
	}
}
