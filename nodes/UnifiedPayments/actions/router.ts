import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { createPacer, type Pacer } from '../bulk/pacer';
import { readOptions } from '../input/options';
import { createClient } from '../transport/client';
import { BystanderError, NotSentError, toRowError, type DoorSettings } from '../transport/errors';
import { createFiles } from './files';
import { createMemory } from './memory';
import type { Operation } from './operation';
import { createReader, labelIn, type Row } from './reader';
import { findOperation } from './registry';
import { failed, settle, type RowResult } from './rows';
import { runCreates } from './runCreates';
import { runReads } from './runReads';
import { summaryHint, summaryText } from './summary';

/** The one place that walks the items, catches, and pairs. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = pickOperation(this);
	const client = createClient(this);
	const results = await runAll(this, operation, client);
	const door: DoorSettings = {
		node: this.getNode(),
		redactor: client.redactor,
		label: (name) => labelIn(operation.properties, name),
		unreached: operation.kind === 'create' ? 'not_sent' : null,
	};

	const several = operation.kind === 'create' && results.length > 1;
	if (several) this.addExecutionHints(summaryHint(operation.name, results));

	const cause = causeOf(results);
	if (cause === null || this.continueOnFail()) {
		return [results.flatMap((result, row) => outputOf(result, row, door))];
	}
	const { error } = toRowError(cause.thrown, cause.row, door);
	if (several) error.description = `${error.description} ${summaryText(results)}`;
	throw error;
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
): Promise<RowResult[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const read = createReader(context, operation.properties);
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
			});
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
		failed(result) ? [{ row, thrown: result.thrown }] : [],
	);
	return bad.find(({ thrown }) => !(thrown instanceof BystanderError)) ?? bad[0] ?? null;
}

function outputOf(result: RowResult, row: number, door: DoorSettings): INodeExecutionData[] {
	const pairedItem = { item: row };
	if (!failed(result)) {
		return result.items.map((json) => ({ json: json as IDataObject, pairedItem }));
	}
	// With this key alone, every release of the host sends the item to the error output, with the
	// row's own fields beside it. Releases before 2.35.7 take any further key for a success.
	const { error, details } = toRowError(result.thrown, row, door);
	const shown: IDataObject = { message: error.message, ...details } as unknown as IDataObject;
	return [{ json: { error: shown }, pairedItem }];
}
