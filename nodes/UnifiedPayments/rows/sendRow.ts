import type { CreateOperation } from '../actions/operation';
import type { Json } from '../protocol/parse';
import { BystanderError, CallError, NotSentError } from '../transport/errors';
import { outcomeOf, stopsBatch, type Outcome } from '../transport/outcome';
import { failureOf } from '../transport/verdict';
import { isReady, type CheckedRow, type ReadyRow } from './checkRows';
import type { Permission } from './claimRows';
import type { Claim } from './claims';
import type { FinishedRows } from './finishedRows';
import { nameOfItsOwn } from '../payment/key';
import type { Halt, Pacer } from './pacer';
import type { RowNames } from './rowNames';
import { acceptedItem, createItem, failed, outcomeOfRow, resultOf, type RowResult } from './result';

export interface SendRun {
	operation: CreateOperation;
	names: RowNames;
	pacer: Pacer;
}

const SAME_ANSWER = 'the service would answer every other row of this account in the same way';

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

/** The result of a row that is not to be sent; undefined when it may be. */
export function skipRow(
	finished: FinishedRows,
	checked: CheckedRow | undefined,
	row: number,
): RowResult | undefined {
	const earlier = finished.get(row);
	if (earlier) return earlier;
	if (checked === undefined) return { error: notSent('the execution was cancelled') };
	return isReady(checked) ? undefined : checked;
}

/** A row of a dry run, by what earlier runs did with it. */
export function dryResult(
	operation: CreateOperation,
	row: ReadyRow,
	permission: Permission,
): RowResult {
	if (typeof permission === 'object' || permission === 'mine' || permission === 'free') {
		const message = 'Dry run: would be sent';
		return { items: [createItem(operation, 'valid', row.prepared, { message })], dryRun: true };
	}
	return { ...claimedBefore(operation, row, permission), dryRun: true };
}

/** What could not be asked about, or may be there, is not sent again, whatever the options say. */
export const notAskedResult = (
	operation: CreateOperation,
	{ prepared, key }: ReadyRow,
): RowResult => ({
	items: [
		createItem(operation, 'unknown', prepared, {
			message: `Not sent now: an earlier run of this node sent the same payment without an answer, and the service did not plainly say that it does not have it. Look it up in the service. If it is not there, give it ${nameOfItsOwn(key)}.`,
		}),
	],
});

/** A row that is the same as an earlier one of the input, by what became of that. */
export function repeatResult(
	{ operation, names }: SendRun,
	{ prepared, repeats, options: { dryRun } }: ReadyRow,
	first: RowResult,
): RowResult {
	const outcome = outcomeOfRow(first);
	const wasSent = outcome !== 'rejected' && outcome !== 'not_sent';
	const same = `Not sent: the same as ${names.name(repeats!)}`;
	const item: Json = failed(first) ? {} : first.items[0]!;
	const known = Object.keys(operation.noReply).map((name) => [name, item[name] ?? null]);
	return {
		items: [
			wasSent
				? createItem(operation, 'duplicate', prepared, {
						message: same,
						...Object.fromEntries(known),
					})
				: createItem(operation, 'not_sent', prepared, {
						message: `${same}, which was ${outcome === 'rejected' ? 'rejected' : 'not sent'}`,
					}),
		],
		dryRun,
	};
}

export const isToSend = (permission: Permission): boolean =>
	permission === 'mine' || permission === 'free';

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
	const reason = halt.reason(row.account);
	if (reason !== null) return { error: notSent(reason) };
	return await resultOf(async () => [await send(run, row, halt)]);
}

async function send(
	{ operation, pacer }: SendRun,
	{ client, account, prepared, options }: ReadyRow,
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
	if (stopsBatch(failure)) halt.because(SAME_ANSWER, account);
	throw new CallError(failure, subject, outcomeOf(verdict), prepared.shown);
}

const notSent = (reason: string) =>
	new BystanderError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

type EarlierClaim = Exclude<Claim, 'mine'>;

const LOOK_UP =
	"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed.";

/** `own`: what would make it another payment. */
type NextStep = (own: string) => string;

const sendUnanswered: NextStep = () =>
	`${LOOK_UP} If it is not there, set 'On Duplicate' to 'Send Unanswered', and run only rows that you did not find: all rows without an answer are sent then.`;

const CLAIMED: Readonly<Record<EarlierClaim, [Outcome, message: string, NextStep]>> = {
	answered: [
		'duplicate',
		'Not sent: an earlier run of this node sent the same payment and it was accepted',
		(own) =>
			`To charge once more on purpose, e.g. every month, give this payment ${own}, e.g. with the month.`,
	],
	answeredOtherwise: [
		'duplicate',
		'Not sent: an earlier run of this node sent this order with another payer, item or amount, and it was accepted',
		(own) => `What was sent then still holds. If this is another payment, give it ${own}.`,
	],
	unanswered: [
		'unknown',
		'Not sent now: an earlier run of this node sent the same payment, and no answer to it is on record',
		sendUnanswered,
	],
	unansweredOtherwise: [
		'unknown',
		'Not sent now: an earlier run of this node sent this order with another payer, item or amount, and no answer to it is on record',
		sendUnanswered,
	],
	unclear: [
		'unknown',
		'Not sent now: an earlier run of this node sent the same payment, and it is not on record whether it was accepted',
		() =>
			`${LOOK_UP} If it is not there, give this row, and no other, a 'Duplicate Key' of its own: it is then sent as a new payment.`,
	],
	underWay: [
		'unknown',
		'Not sent now: another run of this node is sending the same payment at this moment',
		() => 'Wait until that run has ended, and look at its result.',
	],
	doubtful: [
		'unknown',
		'Not sent: n8n stood still while it recorded what is sent, so another run may have sent the same payment without leaving a record',
		sendUnanswered,
	],
};

function claimedBefore(
	operation: CreateOperation,
	{ prepared, options, key }: ReadyRow,
	claim: EarlierClaim,
): RowResult {
	const [outcome, message, nextStep] = CLAIMED[claim];
	const next = nextStep(nameOfItsOwn(key));
	return options.onDuplicate === 'error'
		? { error: new NotSentError(message, next, outcome) }
		: { items: [createItem(operation, outcome, prepared, { message: `${message}. ${next}` })] };
}
