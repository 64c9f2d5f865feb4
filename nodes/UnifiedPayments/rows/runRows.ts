import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../actions/operation';
import { readOptions, type RowOptions } from '../fields/options';
import { createClient } from '../transport/client';
import { createYield } from '../transport/limiter';
import { createProcessedKeys } from '../transport/processedKeys';
import { createClaims } from './claims';
import { createFinishedRows } from './finishedRows';
import { createProgress } from './lanes';
import { toOutput } from './output';
import { createPacer } from './pacer';
import { createFiles, createRowReader, type Row } from './readRows';
import { resultOf, type RowResult } from './result';
import { runCreates } from './runCreates';
import { runPolls } from './runPolls';
import { runReads } from './runReads';

/** Runs an operation for every item of the input. */
export async function runRows(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const client = createClient(context);
	const reader = createRowReader(context, operation.properties);
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal();
	const options = await optionsOfRun(reader.row);
	const clock = { now: Date.now, sleep, random: Math.random };
	const shared = {
		count,
		read: reader.row,
		client,
		lanes: options.concurrency,
		pacer: createPacer(options.requestsPerSecond, {
			now: Date.now,
			sleep: async (ms) => await sleep(ms, signal),
		}),
		stopOnError: !context.continueOnFail(),
		cancelled: () => signal?.aborted === true,
		signal,
	};
	const runAll = async (): Promise<RowResult[]> => {
		if (operation.kind === 'read') return await runReads({ ...shared, operation });
		if (operation.kind === 'poll') return await runPolls({ ...shared, operation, clock });
		return await runCreates({
			...shared,
			operation,
			item: (row) => context.getInputData()[row]!.json,
			files: createFiles(context),
			finished: createFinishedRows(context),
			claims: createClaims(createProcessedKeys(context)),
			yieldToHost: createYield(),
			progress: (total) => createProgress(total, Date.now, (line) => say(context, line)),
			warn: (line) => context.logger.warn(line),
			hint: (hint) => context.addExecutionHints(hint),
		});
	};
	const results = count === 0 ? [] : await runAll();
	return toOutput(context, operation, results, reader, {
		redactor: client.redactor,
		withInput: operation.kind === 'create' && (options.includeInputFields ?? reader.readsColumns),
	});
}

/** To the log, and to the browser's console when somebody watches. */
function say(context: IExecuteFunctions, line: string): void {
	const named = `${context.getNode().name}: ${line}`;
	context.logger.info(named);
	context.sendMessageToUI(named);
}

/** Some options hold for the whole run, so the first row decides. A bad value is told per row. */
async function optionsOfRun(read: (row: number) => Row): Promise<RowOptions> {
	let options = readOptions({});
	await resultOf(async () => {
		options = readOptions(read(0).options);
		return [];
	});
	return options;
}
