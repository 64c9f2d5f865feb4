import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { RowOperation } from '../actions/operation';
import type { Field, RawFields } from '../fields/field';
import { readOptions, type RowOptions } from '../fields/options';
import { waitLimitIn } from '../fields/waitLimit';
import { createClient } from '../transport/client';
import { createYield } from '../transport/limiter';
import { createProcessedKeys } from '../transport/processedKeys';
import { AFTER_CREATE } from '../waiting/firstLooks';
import { isWaitedFor } from '../waiting/links';
import { createResumeUrls } from '../waiting/resumeUrls';
import { hasSlept, lookAgain, sleepUntilFinal } from '../waiting/sleep';
import { createClaims } from './claims';
import { createFinishedRows } from './finishedRows';
import { createProgress } from './lanes';
import { toOutput } from './output';
import { createPacer } from './pacer';
import { createFiles, createRowReader, type Row } from './readRows';
import { resultOf, type RowResult } from './result';
import { runCreates } from './runCreates';
import { runPolls } from './runPolls';
import { NOBODY_WAITS } from './summary';
import { runReads } from './runReads';

/** Runs an operation for every item of the input. */
export async function runRows(
	context: IExecuteFunctions,
	operation: RowOperation,
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
			resumeUrl: createResumeUrls(context),
			finished: createFinishedRows(context),
			claims: createClaims(createProcessedKeys(context)),
			yieldToHost: createYield(),
			progress: (total) => createProgress(total, Date.now, (line) => say(context, line)),
			warn: (line) => context.logger.warn(line),
			hint: (hint) => context.addExecutionHints(hint),
		});
	};
	if (operation.kind === 'create' && operation.waits !== undefined && hasSlept(context)) {
		return await lookAgain(context, client.forRow(0), options);
	}
	const results = count === 0 ? [] : await runAll();
	const items = toOutput(context, operation, results, reader, {
		redactor: client.redactor,
		withInput: operation.kind === 'create' && (options.includeInputFields ?? reader.readsColumns),
	});
	if (operation.kind !== 'create' || count === 0) return items;
	if (options.waitInThisExecution && !isWaitedFor(context)) context.addExecutionHints(NOBODY_WAITS);
	if (operation.waits === undefined) return items;
	return await sleepUntilFinal(context, items, {
		client: client.forRow(0),
		options,
		limitMinutes: await limitOfRun(reader.row, operation.waits),
		pauses: AFTER_CREATE,
	});
}

/** To the log, and to the browser's console when somebody watches. */
function say(context: IExecuteFunctions, line: string): void {
	const named = `${context.getNode().name}: ${line}`;
	context.logger.info(named);
	context.sendMessageToUI(named);
}

/** As with the options of a run, the first row decides. */
async function limitOfRun(read: (row: number) => Row, field: Field<number>): Promise<number> {
	let fields: RawFields = {};
	await resultOf(async () => {
		({ fields } = read(0));
		return [];
	});
	return waitLimitIn(field, fields);
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
