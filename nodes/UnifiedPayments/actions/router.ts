import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { createClaims } from '../rows/claims';
import { createPacer, type Pacer } from '../rows/pacer';
import { createProgress } from '../rows/progress';
import { readOptions } from '../fields/options';
import { createClient } from '../transport/client';
import {
	BystanderError,
	NotSentError,
	toRowError,
	type DoorSettings,
	type ErrorDetails,
} from '../transport/errors';
import { createClaimStore } from '../transport/processedKeys';
import { createFiles } from '../rows/files';
import { createMemory } from '../rows/finishedRows';
import type { Json, Operation } from './operation';
import { createReader, type Reader, type Row } from '../rows/readRows';
import { findOperation } from './registry';
import { failed, settle, type RowResult } from '../rows/result';
import { runCreates } from '../rows/runCreates';
import { runReads } from '../rows/runReads';
import { sentLines, summaryHint, summaryText } from '../rows/summary';

/** The one place that walks the items, catches, and pairs. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = pickOperation(this);
	const client = createClient(this);
	const reader = createReader(this, operation.properties);
	const results = await runAll(this, operation, client, reader);
	const door: DoorSettings = {
		node: this.getNode(),
		redactor: client.redactor,
		label: reader.label,
		unreached: operation.kind === 'create' ? 'not_sent' : null,
	};

	const several = operation.kind === 'create' && results.length > 1;
	if (several) this.addExecutionHints(summaryHint(operation.name, results), ...notes(reader));

	const stops = !this.continueOnFail();
	const cause = stops ? causeOf(results) : null;
	if (cause === null) {
		const empty = operation.kind === 'create' ? operation.empty : {};
		return [results.flatMap((result, row) => outputOf(result, row, door, stops, empty))];
	}
	const { error } = toRowError(cause.thrown, cause.row, door);
	if (several) {
		error.description = `${error.description} ${summaryText(results)}`;
		// Shown below the error: what was made must not be lost from view with the output.
		error.messages.push(...sentLines(results, door));
	}
	throw error;
}

/** A sheet that could not be opened has told every row so already. */
function notes(reader: Reader): NodeExecutionHint[] {
	try {
		return reader.hints();
	} catch {
		return [];
	}
}

function pickOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0, '') as string;
	const name = context.getNodeParameter('operation', 0, '') as string;
	return findOperation(resource, name) ?? noOperation(resource, name);
}

/** A workflow edited by hand may name anything; each row then says so, on the right branch. */
const noOperation = (resource: string, name: string): Operation => ({
	kind: 'read',
	option: { name, value: name },
	properties: [],
	async run() {
		throw new NotSentError(
			`There is no operation '${name}' of the resource '${resource}'`,
			"Choose 'Resource' and 'Operation' from the lists of the node.",
		);
	},
});

async function runAll(
	context: IExecuteFunctions,
	operation: Operation,
	client: ReturnType<typeof createClient>,
	reader: Reader,
): Promise<RowResult[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const read = reader.row;
	const signal = context.getExecutionCancelSignal();
	const shared = {
		count,
		read,
		client,
		...(await paceOf(read, signal)),
		stopOnError: !context.continueOnFail(),
		cancelled: () => signal?.aborted === true,
	};
	return operation.kind === 'read'
		? await runReads({ ...shared, operation })
		: await runCreates({
				...shared,
				operation,
				host: createFiles(context),
				memory: createMemory(context),
				claims: createClaims(createClaimStore(context, count)),
				breathe: createBreather(),
				progress: (total) => createProgress(total, Date.now, (line) => say(context, line)),
				warn: (line) => context.logger.warn(line),
			});
}

/** To the log, and to the browser's console when somebody watches. */
function say(context: IExecuteFunctions, line: string): void {
	const named = `${context.getNode().name}: ${line}`;
	context.logger.info(named);
	context.sendMessageToUI(named);
}

const BREATH_MS = 20;

/** A turn of the event loop every few rows: a large sheet must not block the host. */
function createBreather(): () => Promise<void> {
	let last = Date.now();
	return async () => {
		if (Date.now() - last < BREATH_MS) return;
		await sleep(0);
		last = Date.now();
	};
}

/** Lanes and pace hold for the whole run, so the first row decides. A bad value is told per row. */
async function paceOf(
	read: (row: number) => Row,
	signal: AbortSignal | undefined,
): Promise<{ lanes: number; pacer: Pacer }> {
	let pace = readOptions({});
	await settle(async () => {
		pace = readOptions(read(0).options);
		return [];
	});
	const clock = { now: Date.now, sleep: async (ms: number) => await sleep(ms, signal) };
	return { lanes: pace.concurrency, pacer: createPacer(pace.requestsPerSecond, clock) };
}

/** The row that is to blame: one that was only left alone because of another is not. */
function causeOf(results: readonly RowResult[]): { row: number; thrown: unknown } | null {
	const bad = results.flatMap((result, row) =>
		failed(result) && !result.dryRun ? [{ row, thrown: result.thrown }] : [],
	);
	return bad.find(({ thrown }) => !(thrown instanceof BystanderError)) ?? bad[0] ?? null;
}

function outputOf(
	result: RowResult,
	row: number,
	door: DoorSettings,
	plain: boolean,
	empty: Json,
): INodeExecutionData[] {
	const pairedItem = { item: row };
	if (!failed(result)) {
		return result.items.map((json) => ({ json: json as IDataObject, pairedItem }));
	}
	const { error, details } = toRowError(result.thrown, row, door);
	if (plain) return [{ json: finding(error.message, details, empty), pairedItem }];
	// With this key alone, every release of the host sends the item to the error output, with the
	// row's own fields beside it. Releases before 2.35.7 take any further key for a success.
	const shown: IDataObject = { message: error.message, ...details } as unknown as IDataObject;
	return [{ json: { error: shown }, pairedItem }];
}

/** A row that a dry run found to be bad, in the shape of every other row. */
const finding = (message: string, details: ErrorDetails, empty: Json): IDataObject =>
	({
		outcome: details.outcome,
		success: null,
		message,
		data: null,
		...empty,
		request: null,
		issues: details.issues,
	}) as IDataObject;
