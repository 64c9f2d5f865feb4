import type { CreateOperation } from '../actions/operation';
import type { Json } from '../protocol/parse';
import { BystanderError, CallError, NotSentError } from '../transport/errors';
import { outcomeOf, stopsBatch, type Outcome } from '../transport/outcome';
import { failureOf } from '../transport/verdict';
import { isReady, type CheckedRow, type ReadyRow } from './checkRows';
import type { Claim, Permission } from './claims';
import type { FinishedRows } from './finishedRows';
import type { Halt, Pacer } from './pacer';
import { acceptedItem, createItem, failed, resultOf, type RowResult } from './result';

export interface SendRun {
	operation: CreateOperation;
	pacer: Pacer;
}

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

/** The result of a row that needs no sending; undefined when it is to be sent. */
export function skipRow(
	operation: CreateOperation,
	finished: FinishedRows,
	checked: CheckedRow | undefined,
	row: number,
): RowResult | undefined {
	if (checked === undefined) return { error: notSent('the execution was cancelled') };
	if (!isReady(checked)) return checked;
	const { prepared, options, fingerprint, repeats } = checked;
	const earlier = finished.get(row, fingerprint);
	if (earlier) return earlier;
	if (repeats !== null) {
		const message = `Not sent: the same as row ${repeats + 1}`;
		return { items: [createItem(operation, 'duplicate', prepared, { message })] };
	}
	return options.dryRun ? { items: [createItem(operation, 'valid', prepared)] } : undefined;
}

/** Sends a row, unless an earlier run claimed it or there is a reason to stop. */
export async function sendRow(
	run: SendRun,
	row: ReadyRow,
	permission: Permission,
	halt: Halt,
): Promise<RowResult> {
	if (typeof permission === 'object') return permission;
	if (permission !== 'mine' && permission !== 'free') {
		return claimedBefore(run.operation, row, permission);
	}
	// Waiting for a turn ends with a rejection when the execution is cancelled.
	if (halt.reason() === null) await run.pacer.turn().catch(() => undefined);
	const reason = halt.reason();
	if (reason !== null) return { error: notSent(reason) };
	return await resultOf(async () => [await send(run, row, halt)]);
}

async function send(
	{ operation, pacer }: SendRun,
	{ client, prepared, options }: ReadyRow,
	halt: Halt,
): Promise<Json> {
	const verdict = await client.create(operation.path, prepared.params, options);
	const subject = { name: operation.name, creates: true };
	if (verdict.ok) {
		const accepted = await resultOf(async () => [
			acceptedItem(operation, prepared, verdict.reply, client.redactor),
		]);
		if (!failed(accepted)) return accepted.items[0]!;
		// It was accepted, so it must never count as not sent, which would be sent again.
		throw new CallError(failureOf('invalidReply'), subject, 'unknown', prepared.shown);
	}
	const { failure } = verdict;
	if (failure.kind === 'rateLimited') pacer.pause(failure.retryAfterMs ?? REST_MS);
	if (stopsBatch(failure)) halt.because('the service would answer every other row in the same way');
	throw new CallError(failure, subject, outcomeOf(verdict), prepared.shown);
}

const notSent = (reason: string) =>
	new BystanderError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

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
	{ prepared, options }: ReadyRow,
	claim: Exclude<Claim, 'mine'>,
): RowResult {
	const [outcome, message, next] = CLAIMED[claim];
	return options.onDuplicate === 'error'
		? { error: new NotSentError(message, next, outcome) }
		: { items: [createItem(operation, outcome, prepared, { message: `${message}. ${next}` })] };
}
