import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { CheckOperation, RowOperation } from '../actions/operation';
import type { Field, RawFields } from '../fields/field';
import { readOptions, type RowOptions } from '../fields/options';
import { waitLimitIn } from '../fields/waitLimit';
import { createClient } from '../transport/client';
import { createYield } from '../transport/limiter';
import { createProcessedKeys } from '../transport/processedKeys';
import { createResumeUrls } from '../waiting/address';
import { isWaitedFor } from '../waiting/links';
import { hasSleptAfterCreate, lookAgain, sleepUntilFinal } from '../waiting/sleep';
import { createClaims } from './claims';
import { createFinishedRows } from './finishedRows';
import { createProgress } from './lanes';
import { notes, toOutput } from './output';
import { createPacer } from './pacer';
import { createFiles, createRowReader, type Row } from './readRows';
import { resultOf, type RowResult } from './result';
import type { RowErrorContext } from './rowError';
import { createRowNames } from './rowNames';
import { runCheck } from './runCheck';
import { runCreates } from './runCreates';
import { runPolls } from './runPolls';
import { runReads } from './runReads';
import { createSentBefore, type SentBefore } from './sentBefore';
import { checkHint, NOBODY_WAITS } from './summary';

/** Runs an operation for every item of the input. */
export async function runRows(
	context: IExecuteFunctions,
	operation: RowOperation | CheckOperation,
): Promise<INodeExecutionData[]> {
	const client = createClient(context);
	const reader = createRowReader(context, operation.properties);
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal();
	const options = await optionsOfRun(reader.row);
	const clock = { now: Date.now, sleep, random: Math.random };
	const item = (row: number) => context.getInputData()[row]!.json;
	const errors: RowErrorContext = {
		node: context.getNode(),
		redactor: client.redactor,
		label: reader.label,
		names: createRowNames(item),
		unreached: operation.kind === 'create' ? 'not_sent' : null,
	};
	const shared = {
		count,
		read: reader.row,
		client,
		names: errors.names,
		lanes: options.concurrency,
		pacer: createPacer(options.requestsPerSecond, {
			now: Date.now,
			sleep: async (ms) => await sleep(ms, signal),
		}),
		stopOnError: !context.continueOnFail(),
		cancelled: () => signal?.aborted === true,
		signal,
		item,
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
			sentBefore: sentBeforeIn(context),
			errors,
		});
		context.addExecutionHints(checkHint(json), ...notes(reader));
		const pairedItem = Array.from({ length: count }, (_, row) => ({ item: row }));
		return [{ json: json as unknown as IDataObject, pairedItem }];
	}
	const runAll = async (): Promise<RowResult[]> => {
		if (operation.kind === 'read') return await runReads({ ...shared, operation });
		if (operation.kind === 'poll') return await runPolls({ ...shared, operation, clock });
		return await runCreates({
			...shared,
			operation,
			finished: createFinishedRows(context),
			...claimsOf(context, options.settleClaimsMs),
			sentBefore: isChecked(context) ? sentBeforeIn(context) : null,
			progress: (total) => createProgress(total, Date.now, (line) => say(context, line)),
			hint: (hint) => context.addExecutionHints(hint),
		});
	};
	if (
		operation.kind === 'create' &&
		operation.waits !== undefined &&
		hasSleptAfterCreate(context)
	) {
		return await lookAgain(context, client.forRow(0), options);
	}
	const start = Date.now();
	const results = count === 0 ? [] : await runAll();
	const items = toOutput(context, operation, results, reader, {
		errors,
		elapsedMs: Date.now() - start,
		withInput: operation.kind === 'create' && (options.includeInputFields ?? reader.readsColumns),
	});
	if (operation.kind !== 'create' || count === 0) return items;
	if (options.waitInThisExecution && !isWaitedFor(context)) context.addExecutionHints(NOBODY_WAITS);
	if (operation.waits === undefined) return items;
	return await sleepUntilFinal(context, items, {
		client: client.forRow(0),
		options,
		limitMinutes: await limitOfRun(reader.row, operation.waits),
	});
}

/** Claims that rest take long, so more rows are claimed at a time. */
const AHEAD_WITH_REST = 100;

function claimsOf(context: IExecuteFunctions, restMs: number) {
	const store = createProcessedKeys(context);
	if (restMs === 0) return { claims: createClaims(store) };
	const rest = async (looks: number) => {
		// Workers that wrote over each other should not do so in step for ever.
		const ms = looks === 0 ? restMs : restMs * (1 + Math.random());
		// A cancelled run sends nothing, so it need not wait.
		await sleep(ms, context.getExecutionCancelSignal()).catch(() => undefined);
	};
	return { claims: createClaims(store, Date.now, rest, restMs), ahead: AHEAD_WITH_REST };
}

/** So many entries are kept for the checks of a workflow. */
const TOLD = 100_000;

const sentBeforeIn = (context: IExecuteFunctions): SentBefore =>
	createSentBefore(createProcessedKeys(context, { scope: 'workflow', maxEntries: TOLD }));

/** Whether a check comes before this node: only then somebody asks what it sent. */
function isChecked(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	return context
		.getParentNodes(name, { includeNodeParameters: true })
		.some((node) => node.type === type && node.parameters?.operation === 'check');
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
