import pLimit from 'p-limit';

import type { Pacer } from './pacer';
import { readOptions, type RowOptions } from '../fields/options';
import { BystanderError } from '../transport/errors';
import type { Client } from '../transport/client';
import type { ReadOperation } from '../actions/operation';
import type { Row } from './readRows';
import { failed, settle, type RowResult } from './result';

export interface ReadRun {
	operation: ReadOperation;
	count: number;
	read: (row: number) => Row;
	client: Client;
	lanes: number;
	pacer: Pacer;
	/** Stop starting rows once one went wrong. */
	stopOnError: boolean;
	cancelled: () => boolean;
}

/** Every row for itself, several at a time; the results keep the order of the rows. */
export async function runReads(run: ReadRun): Promise<RowResult[]> {
	const limit = pLimit(run.lanes);
	let halted = false;
	const one = async (row: number): Promise<RowResult> => {
		if (halted || run.cancelled()) return { thrown: skipped() };
		const result = await settle(async () => {
			const { fields, options } = run.read(row);
			const rowOptions: RowOptions = readOptions(options);
			await run.pacer.turn();
			return await run.operation.run(fields, rowOptions, run.client);
		});
		halted ||= run.stopOnError && failed(result);
		return result;
	};
	return await Promise.all(
		Array.from({ length: run.count }, async (_, row) => await limit(async () => await one(row))),
	);
}

const skipped = () =>
	new BystanderError('This row was not reached', 'The run was stopped before its turn came.');
