import type { ReadOperation } from './operation';
import { readOptions, type RowOptions } from '../fields/options';
import type { Json } from '../protocol/parse';
import type { RunClient } from '../transport/client';
import { NotAttemptedError } from '../transport/errors';
import { createLimiter, createYield } from '../transport/limiter';
import type { Redactor } from '../transport/redact';
import type { Pacer } from './lanes';
import type { RowValues } from './read/readRows';
import { failed, resultOf, type RowResult } from './row';

interface ReadRun {
	operation: ReadOperation;
	count: number;
	read: (row: number) => RowValues;
	client: RunClient;
	lanes: number;
	pacer: Pacer;
	/** Stop starting rows once one went wrong. */
	stopOnError: boolean;
	/** Aborted when the execution is cancelled. */
	signal: AbortSignal | undefined;
}

/** Runs rows independently, several at a time. Results are in the order of the rows. */
export async function runReads(run: ReadRun): Promise<RowResult[]> {
	const limit = createLimiter(run.lanes);
	let halted = false;
	const one = async (row: number): Promise<RowResult> => {
		if (halted || run.signal?.aborted) return { error: notReached() };
		const result = await resultOf(async () => {
			const { fields, options } = run.read(row);
			const rowOptions: RowOptions = readOptions(options);
			await run.pacer.turn();
			const client = run.client.forRow(row);
			const items = await run.operation.run(fields, rowOptions, client);
			return await shown(items, client.redactor);
		});
		halted ||= run.stopOnError && failed(result);
		return result;
	};
	return await Promise.all(
		Array.from({ length: run.count }, async (_, row) => await limit(async () => await one(row))),
	);
}

/** A list may have tens of thousands of entries. */
async function shown(items: readonly Json[], redactor: Redactor): Promise<Json[]> {
	const giveWay = createYield();
	const masked: Json[] = [];
	for (const item of items) {
		masked.push(redactor.deep(item) as Json);
		await giveWay();
	}
	return masked;
}

const notReached = () =>
	new NotAttemptedError('This row was not reached', 'The run was stopped before its turn came.');
