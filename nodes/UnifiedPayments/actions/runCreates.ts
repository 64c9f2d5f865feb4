import { createHash } from 'node:crypto';

import pLimit from 'p-limit';

import { findRepeats } from '../bulk/duplicates';
import type { Pacer } from '../bulk/pacer';
import { readOptions, type RowOptions } from '../input/options';
import type { Reply } from '../protocol/reply';
import type { Client } from '../transport/client';
import { BystanderError, CallError, NotSentError } from '../transport/errors';
import { failureOf } from '../transport/judge';
import { outcomeOf, stopsBatch, type Outcome } from '../transport/outcome';
import type { CreateOperation, Json, Prepared, RowHost } from './operation';
import type { Row } from './reader';
import { failed, settle, type RowResult } from './rows';

/** Rows that were finished by an earlier try of the same run: the host may run a node again. */
export interface Memory {
	get(row: number, key: string): RowResult | undefined;
	set(row: number, key: string, result: RowResult): void;
}

export interface CreateRun {
	operation: CreateOperation;
	count: number;
	read: (row: number) => Row;
	host: (row: number) => RowHost;
	client: Client;
	lanes: number;
	pacer: Pacer;
	memory: Memory;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	cancelled: () => boolean;
}

interface Ready {
	prepared: Prepared;
	options: RowOptions;
	/** What this row would send, as a fingerprint. */
	print: string;
}

type Checked = Ready | { thrown: unknown };

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

/** Checks every row, then sends each once, several at a time, and keeps the order of the rows. */
export async function runCreates(run: CreateRun): Promise<RowResult[]> {
	const checked: Checked[] = [];
	for (let row = 0; row < run.count; row++) checked.push(await checkRow(run, row));
	const repeats = findRepeats(checked.map(duplicateKey));
	repeats.forEach((earlier, row) => {
		const each = checked[row]!;
		if (earlier === null || isBad(each) || each.options.onDuplicate !== 'error') return;
		checked[row] = { thrown: repeatedError(earlier) };
	});
	if (run.stopOnError && checked.some(isBad)) {
		return checked.map((each) => (isBad(each) ? each : { thrown: notSent('another row is bad') }));
	}

	const limit = pLimit(run.lanes);
	let halt: string | null = null;
	const ended = (row: number, result: RowResult) => {
		if (run.stopOnError && failed(result)) halt ??= `of what happened to row ${row + 1}`;
		return result;
	};

	const one = async (row: number): Promise<RowResult> => {
		const each = checked[row]!;
		if (isBad(each)) return each;
		const { prepared, options, print } = each;
		const remembered = run.memory.get(row, print);
		if (remembered) return ended(row, remembered);
		const earlier = repeats[row] ?? null;
		if (earlier !== null) return { items: [repeated(run.operation, prepared, earlier)] };
		if (options.dryRun) return { items: [item(run.operation, 'valid', prepared)] };

		// Waiting for a turn ends with a rejection when the execution is cancelled.
		if (halt === null) await run.pacer.turn().catch(() => undefined);
		if (run.cancelled()) halt ??= 'the execution was cancelled';
		if (halt !== null) return { thrown: notSent(halt) };

		const result = await settle(async () => await send(run, each, (reason) => (halt ??= reason)));
		run.memory.set(row, print, result);
		return ended(row, result);
	};

	return await Promise.all(checked.map(async (_, row) => await limit(async () => await one(row))));
}

async function checkRow(run: CreateRun, row: number): Promise<Checked> {
	try {
		const { fields, options } = run.read(row);
		const rowOptions = readOptions(options);
		const { callbackToken } = await run.client.credential();
		const prepared = await run.operation.prepare(fields, rowOptions, callbackToken, run.host(row));
		return { prepared, options: rowOptions, print: fingerprint(prepared) };
	} catch (thrown) {
		return { thrown };
	}
}

async function send(
	{ operation, client, pacer }: CreateRun,
	{ prepared, options }: Ready,
	halt: (reason: string) => void,
): Promise<Json[]> {
	const verdict = await client.create(operation.path, prepared.params, options);
	const subject = { name: operation.name, creates: true };
	if (verdict.ok) {
		const accepted = await settle(async () => [
			item(operation, 'accepted', prepared, shownReply(operation, client, verdict.reply)),
		]);
		if (!failed(accepted)) return accepted.items;
		// It was accepted, but the reply is beyond us: never "not sent", which would be sent anew.
		throw new CallError(failureOf('unreadable'), subject, 'unknown', prepared.shown);
	}
	const { failure } = verdict;
	if (failure.kind === 'rateLimited') pacer.pause(failure.retryAfterMs ?? REST_MS);
	if (stopsBatch(failure)) halt('the service would answer every other row in the same way');
	throw new CallError(failure, subject, outcomeOf(verdict), prepared.shown);
}

function shownReply(operation: CreateOperation, { redactor }: Client, reply: Reply): Json {
	return {
		success: true,
		message: reply.message && redactor.text(reply.message),
		data: redactor.deep(reply.data),
		...(redactor.deep(operation.shape(reply)) as Json),
	};
}

/** One shape for every create, whatever became of it. */
const item = (
	operation: CreateOperation,
	outcome: Outcome,
	prepared: Prepared,
	known: Json = {},
) => ({
	outcome,
	success: null,
	message: null,
	data: null,
	...operation.empty,
	...known,
	request: prepared.shown,
	...(prepared.nextStep === undefined ? {} : { nextStep: prepared.nextStep }),
});

const repeated = (operation: CreateOperation, prepared: Prepared, earlier: number): Json =>
	item(operation, 'duplicate', prepared, { message: `Not sent: the same as row ${earlier + 1}` });

const repeatedError = (earlier: number) =>
	new NotSentError(
		`This row is the same as row ${earlier + 1}, so it was not sent`,
		"Remove one of them, or change 'On Duplicate' or 'Duplicate Key' in the options.",
		'duplicate',
	);

const notSent = (reason: string) =>
	new BystanderError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

const isBad = (each: Checked): each is { thrown: unknown } => 'thrown' in each;

const fingerprint = ({ params }: Prepared): string =>
	createHash('sha256').update(JSON.stringify(params)).digest('base64');

/** Null for rows that must not be compared. */
function duplicateKey(each: Checked): string | null {
	if (isBad(each)) return null;
	const { duplicateProtection, onDuplicate, duplicateKey: key } = each.options;
	if (!duplicateProtection || onDuplicate === 'sendAnyway') return null;
	return key === null ? `all ${each.print}` : `key ${key}`;
}
