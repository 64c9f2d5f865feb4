import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { CheckOperation, CreateOperation, RowOperation } from './operation';
import type { RawFields } from '../fields/field';
import { readOptions, readOptionsOfRun, type RowOptions, type RunOptions } from '../fields/options';
import { waitLimitIn } from '../fields/waitLimit';
import { withoutEarlierResults } from '../payment/results';
import { createClient } from '../transport/client';
import { createYield } from '../transport/limiter';
import { createProcessedKeys } from '../transport/processedKeys';
import { createResumeUrls } from '../waiting/address';
import { isWaitedFor } from '../waiting/awaitedLinks';
import { hasSlept, lookAgain, sleepUntilFinal } from '../waiting/sleep';
import { createClaims, type Claims } from './claims/claims';
import { createFinishedRows } from './claims/finishedRows';
import { mayHaveOthers } from './claims/otherProcesses';
import { createPacer } from './lanes';
import { notes, toOutput } from './report/items';
import { createFiles, createRowReader, type RowReader } from './read/readRows';
import { isReady, type Row, type RowResult } from './row';
import { createRowNames } from './rowNames';
import type { RowErrorContext } from './report/rowError';
import { createAskedSoFar } from './create/askedSoFar';
import { runCheck } from './create/runCheck';
import { runCreates } from './create/runCreates';
import { runPolls, runReads } from './runReads';
import { SETTLE_MS } from './claims/writtenClaims';
import { checkHints, NOBODY_WAITS } from './report/summary';

/** Runs an operation for every item of the input. */
export async function runRows(
	context: IExecuteFunctions,
	operation: RowOperation | CheckOperation,
): Promise<INodeExecutionData[]> {
	const client = createClient(context);
	const reader = createRowReader(context, operation.properties);
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const waits = operation.kind === 'create' ? operation.waits : undefined;
	const ofRun = readRun(context, waits, reader);
	const options = 'error' in ofRun ? NO_OPTIONS : ofRun.options;
	const clock = { now: Date.now, sleep, random: Math.random };
	if (waits !== undefined && hasSlept(context)) {
		return await lookAgain(context, client.forRow(0), optionsOfFirst(reader));
	}
	const fields: RawFields[] = [];
	const read = (row: number) => {
		const values = reader.row(row);
		fields[row] = values.fields;
		return values;
	};
	const errors: RowErrorContext = {
		node: context.getNode(),
		redactor: client.redactor,
		label: reader.label,
		names: createRowNames(() => context.getInputData().map(({ json }) => json), {
			fields: (row) => fields[row],
			customer: reader.customer,
		}),
		unreached: operation.kind === 'create' ? 'not_sent' : null,
	};
	const shared = {
		count,
		read,
		readsGuards: reader.readsGuards,
		client,
		names: errors.names,
		currencyInHeading: reader.currencyInHeading,
		lanes: options.concurrency,
		pacer: createPacer(options.requestsPerSecond, {
			now: Date.now,
			sleep: async (ms) => await sleep(ms, signal),
		}),
		stopOnError: !context.continueOnFail(),
		signal,
		item: (row: number) => withoutEarlierResults(context.getInputData()[row]!.json),
		files: createFiles(context),
		maker: { workflowId: String(context.getWorkflow().id), nodeId: context.getNode().id },
		resumeUrl: createResumeUrls(context),
		yieldToHost: createYield(),
		warn: (line: string) => context.logger.warn(line),
	};
	if (operation.kind === 'check') {
		const json = await runCheck({
			...shared,
			operation: operation.of,
			options,
			errors,
			unusedColumns: reader.unusedColumns,
		});
		context.addExecutionHints(...checkHints(json), ...notes(reader));
		const pairedItem = Array.from({ length: count }, (_, row) => ({ item: row }));
		return [{ json: { ...json } as IDataObject, pairedItem }];
	}
	const start = Date.now();
	let rows: readonly Row[] = [];
	const runAll = async (): Promise<RowResult[]> => {
		if ('error' in ofRun) return context.getInputData().map(() => ofRun);
		if (operation.kind === 'read') return await runReads({ ...shared, operation });
		if (operation.kind === 'poll') return await runPolls({ ...shared, operation, clock });
		const finished = await runCreates({
			...shared,
			operation,
			options,
			finished: createFinishedRows(context),
			claims: claimsOf(context),
			asked: createAskedSoFar(context.getContext('node')),
			hint: (hint) => context.addExecutionHints(hint),
		});
		rows = finished;
		return finished.map(({ result }) => result);
	};
	const items = toOutput(context, operation, await runAll(), reader, {
		errors,
		elapsedMs: Date.now() - start,
		withInput: operation.kind === 'create' && (options.includeInputFields ?? reader.readsColumns),
	});
	const first = rows.some(isReady) ? optionsOfFirst(reader) : readOptions({});
	if (first.waitInThisExecution && !isWaitedFor(context)) context.addExecutionHints(NOBODY_WAITS);
	if (waits === undefined || count === 0 || 'error' in ofRun) return items;
	return await sleepUntilFinal(context, items, {
		client: client.forRow(0),
		options: first,
		limitMinutes: ofRun.waitLimitMinutes,
	});
}

function claimsOf(context: IExecuteFunctions): Claims {
	return createClaims(createProcessedKeys(context), Date.now, {
		others: mayHaveOthers(context),
		async wait(looks) {
			// Processes that wrote over each other should not do so in step for ever.
			const ms = looks === 0 ? SETTLE_MS : SETTLE_MS * (1 + Math.random());
			// A cancelled run sends nothing, so it need not wait.
			await sleep(ms, context.getExecutionCancelSignal()).catch(() => undefined);
		},
	});
}

/** For waiting, where rows share what matters; they were read before, or cannot be read any more. */
function optionsOfFirst(reader: RowReader): RowOptions {
	try {
		return readOptions(reader.row(0).options);
	} catch {
		return readOptions({});
	}
}

const NO_OPTIONS: RunOptions = readOptionsOfRun({});

/** What holds for the run as a whole, read before anything is sent. */
interface RunSettings {
	options: RunOptions;
	waitLimitMinutes: number;
}

/**
 * Read by themselves, so that another parameter of the first row cannot spoil them. What cannot be
 * read is told to every row, and nothing is sent.
 */
function readRun(
	context: IExecuteFunctions,
	waits: CreateOperation['waits'],
	reader: RowReader,
): RunSettings | { error: unknown } {
	try {
		const options = readOptionsOfRun(reader.optionsOfRun());
		return { options, waitLimitMinutes: waits === undefined ? 0 : waitLimitIn(context, waits) };
	} catch (error) {
		return { error };
	}
}
