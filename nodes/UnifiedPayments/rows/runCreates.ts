import { createHash } from 'node:crypto';

import { runBatch } from './lanes';
import type { Claim, Claims } from './claims';
import type { Pacer } from './pacer';
import type { Reply } from '../protocol/reply';
import type { Client } from '../transport/client';
import { BystanderError, CallError, NotSentError, outcomeIn } from '../transport/errors';
import { failureOf } from '../transport/verdict';
import { outcomeOf, stopsBatch, type Outcome } from '../transport/outcome';
import { checkRows, isBad, type Checked, type CheckRun, type Ready } from './checkRows';
import type { CreateOperation, Json, Prepared } from '../actions/operation';
import { failed, settle, type RowResult } from './result';

/** Rows that were finished by an earlier try of the same run: the host may run a node again. */
export interface Memory {
	get(row: number, key: string): RowResult | undefined;
	set(row: number, key: string, result: RowResult): void;
}

export interface CreateRun extends CheckRun {
	lanes: number;
	pacer: Pacer;
	memory: Memory;
	claims: Claims;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	/** Told the outcome of each row that was to be sent, as it ends. */
	progress: (total: number) => (outcome: string) => void;
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
}

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

/** Checks every row, then claims and sends each once, and keeps the order of the rows. */
export async function runCreates(run: CreateRun): Promise<RowResult[]> {
	const checked = await checkRows(run);
	const results = Array.from({ length: run.count }, (_, row) =>
		withoutSending(run, checked[row], row),
	);
	const stops = run.stopOnError && checked.some((each) => isBad(each) && !each.dryRun);
	const halt = createHalt(run);
	if (stops) halt.because('another row is bad');
	// What an earlier try of this run ended with may stop it as it did then.
	results.forEach((result, row) => result && !stops && halt.after(row, result));

	const rows = results.flatMap((result, row) => (result ? [] : [row]));
	const sent = await sendRows(run, checked as Ready[], rows, halt);
	rows.forEach((row, index) => (results[row] = sent[index]));
	return results as RowResult[];
}

/** For rows whose end is known before anything is sent. */
function withoutSending(
	run: CreateRun,
	each: Checked | undefined,
	row: number,
): RowResult | undefined {
	if (each === undefined) return { thrown: notSent('the execution was cancelled') };
	if (isBad(each)) return each;
	const { prepared, options, print, repeats } = each;
	const remembered = run.memory.get(row, print);
	if (remembered) return remembered;
	if (repeats !== null) {
		const message = `Not sent: the same as row ${repeats + 1}`;
		return { items: [item(run.operation, 'duplicate', prepared, { message })] };
	}
	return options.dryRun ? { items: [item(run.operation, 'valid', prepared)] } : undefined;
}

/** Why no further row may be sent, once there is a reason. */
function createHalt({ stopOnError, cancelled }: CreateRun) {
	let reason: string | null = null;
	return {
		because: (why: string) => void (reason ??= why),
		after(row: number, result: RowResult) {
			const isBlame = failed(result) && !result.dryRun;
			if (stopOnError && isBlame) reason ??= `of what happened to row ${row + 1}`;
		},
		reason(): string | null {
			if (cancelled()) reason ??= 'the execution was cancelled';
			return reason;
		},
	};
}

type Halt = ReturnType<typeof createHalt>;

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
type Opened = Claim | 'free' | { thrown: unknown };

async function sendRows(
	run: CreateRun,
	checked: readonly Ready[],
	rows: readonly number[],
	halt: Halt,
): Promise<RowResult[]> {
	const tell = run.progress(rows.length);
	const name = await claimNames(run);
	const nameOf = (row: number) => name(checked[row]!);
	return await runBatch<number, Opened, RowResult>({
		rows,
		lanes: run.lanes,
		open: async (chunk) => await claimChunk(run, chunk.map(nameOf), halt),
		async send(row, opened) {
			const result = await sendOne(run, checked[row]!, opened, halt);
			run.memory.set(row, checked[row]!.print, result);
			halt.after(row, result);
			tell(endOf(result));
			return result;
		},
		async close(chunk, opened, results) {
			const ends = chunk.flatMap((row, index): Array<[string, 'answered' | 'released']> => {
				const key = nameOf(row);
				if (key === null || opened[index] !== 'mine') return [];
				const end = endOf(results[index]!);
				if (end === 'unknown') return [];
				return [[key, end === 'accepted' ? 'answered' : 'released']];
			});
			// The claims then stand as they are, which is the safe side.
			await run.claims.settle(ends).catch((error: Error) => {
				run.warn(`What became of ${ends.length} rows could not be recorded: ${error.message}`);
			});
		},
	});
}

/** Claims are told apart by account and operation; only a fingerprint of the key is kept. */
async function claimNames({
	client,
	operation,
}: CreateRun): Promise<(row: Ready) => string | null> {
	const account = await client.credential().then(
		({ baseUrl, identity }) => [baseUrl, identity.clientId],
		() => [],
	);
	return ({ key }) =>
		key === null
			? null
			: createHash('sha256')
					.update(JSON.stringify([...account, operation.path, key]))
					.digest('base64');
}

async function claimChunk(
	{ claims }: CreateRun,
	names: ReadonlyArray<string | null>,
	halt: Halt,
): Promise<Opened[]> {
	const wanted = names.filter((name) => name !== null);
	if (wanted.length === 0 || halt.reason() !== null) return names.map(() => 'free');
	try {
		const given = await claims.claim(wanted);
		const claimOf = new Map(wanted.map((name, index) => [name, given[index]!]));
		return names.map((name) => (name === null ? 'free' : claimOf.get(name)!));
	} catch (error) {
		return names.map((name) => (name === null ? 'free' : { thrown: unclaimed(error as Error) }));
	}
}

async function sendOne(run: CreateRun, row: Ready, opened: Opened, halt: Halt): Promise<RowResult> {
	if (typeof opened === 'object') return opened;
	if (opened !== 'mine' && opened !== 'free') return claimedBefore(run.operation, row, opened);
	// Waiting for a turn ends with a rejection when the execution is cancelled.
	if (halt.reason() === null) await run.pacer.turn().catch(() => undefined);
	const reason = halt.reason();
	if (reason !== null) return { thrown: notSent(reason) };
	return await settle(async () => await send(run, row, halt));
}

async function send(
	{ operation, client, pacer }: CreateRun,
	{ prepared, options }: Ready,
	halt: Halt,
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
	if (stopsBatch(failure)) halt.because('the service would answer every other row in the same way');
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
): Json => ({
	outcome,
	success: null,
	message: null,
	data: null,
	...operation.empty,
	...known,
	request: prepared.shown,
	...(prepared.nextStep === undefined ? {} : { nextStep: prepared.nextStep }),
});

const CLAIMED: Readonly<Record<Exclude<Claim, 'mine'>, [Outcome, message: string, next: string]>> =
	{
		answered: [
			'duplicate',
			'Not sent: an earlier run of this node sent the same row and it was accepted',
			"To send it once more on purpose, give 'Duplicate Key' a value that differs, e.g. with the month, or set 'On Duplicate' to 'Send Anyway'.",
		],
		unanswered: [
			'unknown',
			'Not sent now: another run of this node claimed the same row, and no answer to it is on record',
			"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed. If it is not there, send it with 'On Duplicate' set to 'Send Anyway'.",
		],
	};

function claimedBefore(
	operation: CreateOperation,
	{ prepared, options }: Ready,
	claim: Exclude<Claim, 'mine'>,
): RowResult {
	const [outcome, message, next] = CLAIMED[claim];
	return options.onDuplicate === 'error'
		? { thrown: new NotSentError(message, next, outcome) }
		: { items: [item(operation, outcome, prepared, { message: `${message}. ${next}` })] };
}

const unclaimed = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database and that the workflow is saved, or turn off 'Duplicate Protection' in the options.",
	);

const notSent = (reason: string) =>
	new BystanderError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

/** The outcome of a row. Whatever it was that went wrong, unless we know better: not sent. */
const endOf = (result: RowResult): Outcome =>
	failed(result) ? (outcomeIn(result.thrown) ?? 'not_sent') : (result.items[0]!.outcome as Outcome);
