import type { CreateOperation } from '../operation';
import { nameOfItsOwn } from '../../payment/key';
import type { Json } from '../../protocol/parse';
import { CallError, NotAttemptedError, NotSentError } from '../../transport/errors';
import type { Outcome } from '../../protocol/explainedError';
import { outcomeOf, stopsBatch, failureOf } from '../../transport/verdict';
import type { Claim, ClaimRequest } from '../claims/claimRecords';
import type { Claims } from '../claims/claims';
import type { Halt, Pacer } from '../lanes';
import {
	acceptedItem,
	createItem,
	failed,
	isToSend,
	itemIn,
	outcomeOfRow,
	resultOf,
	type ClaimResult,
	type ReadyRow,
	type RowResult,
} from '../row';
import { withEarlierUrl } from './sentRow';

export interface SendRun {
	operation: CreateOperation;
	claims: Claims;
	pacer: Pacer;
}

const SAME_ANSWER = 'the service would answer every other row of this account in the same way';

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

const claimRequestOf = (
	{ key, isCompared }: ReadyRow['request'],
	sendUnanswered: boolean,
): ClaimRequest[] => (isCompared ? [{ key: key.key, values: key.values, sendUnanswered }] : []);

type ClaimOrFree = Claim | 'free';

/** Asks for all rows that are compared; the others are free. */
async function claimResultsOf(
	rows: readonly ReadyRow[],
	ask: (requests: readonly ClaimRequest[]) => Promise<Claim[]>,
	isSentAgain: (row: ReadyRow) => boolean,
): Promise<ClaimOrFree[]> {
	const requests = rows.map((row) => claimRequestOf(row.request, isSentAgain(row)));
	const wanted = requests.flat();
	if (wanted.length === 0) return rows.map(() => 'free');
	const answers = (await ask(wanted)).values();
	return requests.map((own) => (own.length === 0 ? 'free' : (answers.next().value ?? 'doubtful')));
}

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<void> {
	// After a standstill also those that are not sent any more: somebody else may have sent them.
	const claimed = rows.filter(
		({ request }) => halt.reason(request.account) === null || claims.hasStalled(),
	);
	const claimResults = await claimResultsOf(
		claimed,
		claims.claim,
		({ isAbsent }) => isAbsent,
	).catch((error: Error) =>
		claimed.map(({ request }): ClaimResult =>
			request.isCompared ? { error: notRecorded(error) } : 'free',
		),
	);
	claimed.forEach((row, index) => (row.claimResult = claimResults[index] ?? 'doubtful'));
}

/** How many rows are looked up together. */
const TOGETHER = 1000;

/** What earlier runs did with these rows, without claiming them. */
export async function peekRows(
	{ claims, yieldToHost }: { claims: Claims; yieldToHost: () => Promise<void> },
	rows: readonly ReadyRow[],
	isSentAgain = ({ request }: ReadyRow) => request.options.onDuplicate === 'sendUnanswered',
): Promise<ClaimOrFree[]> {
	const claimResults: ClaimOrFree[] = [];
	for (let at = 0; at < rows.length; at += TOGETHER) {
		const chunk = rows.slice(at, at + TOGETHER);
		claimResults.push(...(await claimResultsOf(chunk, claims.peek, isSentAgain)));
		await yieldToHost();
	}
	return claimResults;
}

/** Says what became of a row that was claimed. */
function endClaim(claims: Claims, { request, claimResult }: ReadyRow, result: RowResult): void {
	if (claimResult !== 'mine') return;
	const outcome = outcomeOfRow(result);
	const { key } = request.key;
	if (outcome === 'accepted') claims.end(key, 'answered');
	else claims.end(key, outcome === 'unknown' ? 'unanswered' : 'released');
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database, and that the workflow is saved.",
	);

/** A row of a dry run, by what earlier runs did with it. */
export function dryResult(
	operation: CreateOperation,
	row: ReadyRow,
	claimResult: ClaimOrFree,
): RowResult {
	if (isToSend(claimResult)) {
		const message = 'Dry run: would be sent';
		return {
			items: [createItem(operation, 'valid', row.request.prepared, { message })],
			dryRun: true,
		};
	}
	return { ...claimedBefore(operation, row, claimResult), dryRun: true };
}

/** What could not be asked about, or may be there, is not sent again, whatever the options say. */
export function notAskedResult(
	operation: CreateOperation,
	{ request: { prepared } }: ReadyRow,
	is: 'found' | 'notAsked',
): RowResult {
	const why = {
		found: 'the service has something that may be it',
		notAsked: 'the service could not be asked about it',
	}[is];
	const message = `Not sent now: an earlier run of this node sent the same payment without an answer, and ${why}. Look it up in the service. ${OWN_KEY}`;
	return { items: [createItem(operation, 'unknown', prepared, { message })] };
}

/** A row that is the same as an earlier one of the input, by what became of that. */
export function repeatResult(
	operation: CreateOperation,
	{ request: { prepared, options } }: ReadyRow,
	name: string,
	first: RowResult,
): RowResult {
	const outcome = outcomeOfRow(first);
	const same = `Not sent: the same as ${name}`;
	const item = itemIn(first);
	const known = Object.keys(operation.noReply).map((field) => [field, item[field] ?? null]);
	const [own, message]: [Outcome, string] =
		outcome === 'unknown'
			? ['unknown', `${same}, of which it is not known whether the service has it`]
			: outcome === 'rejected' || outcome === 'not_sent'
				? ['not_sent', `${same}, which was ${outcome === 'rejected' ? 'rejected' : 'not sent'}`]
				: ['duplicate', same];
	return {
		items: [
			createItem(operation, own, prepared, {
				message,
				...(own === 'duplicate' ? Object.fromEntries(known) : {}),
			}),
		],
		dryRun: options.dryRun,
	};
}

/** Sends a row, unless an earlier run claimed it or there is a reason to stop. */
export async function sendRow(
	run: SendRun,
	row: ReadyRow,
	halt: Halt,
	/** Why this row alone is not sent, if there is a reason. */
	refusal: NotAttemptedError | null = null,
): Promise<RowResult> {
	const { claimResult, request } = row;
	if (typeof claimResult === 'object') return claimResult;
	if (!isToSend(claimResult)) return claimedBefore(run.operation, row, claimResult);
	const reason = halt.reason(request.account);
	const error = refusal ?? (reason === null ? null : notSent(reason));
	const result =
		error === null ? await resultOf(async () => [await send(run, request, halt)]) : { error };
	endClaim(run.claims, row, result);
	return result;
}

async function send(
	{ operation, pacer }: SendRun,
	{ client, account, prepared, options }: ReadyRow['request'],
	halt: Halt,
): Promise<Json> {
	const verdict = await client.create(operation.path, prepared.params, {
		...options,
		twoDecimals: prepared.twoDecimals,
	});
	const subject = { name: operation.name, creates: true };
	if (verdict.ok) {
		const accepted = await resultOf(async () => [
			acceptedItem(operation, prepared, verdict.reply, account, client.redactor),
		]);
		if (!failed(accepted)) return itemIn(accepted);
		// It was accepted, so it must never count as not sent, which would be sent again.
		throw new CallError(failureOf('invalidReply'), subject, 'unknown', prepared.shown);
	}
	const { failure } = verdict;
	if (failure.kind === 'rateLimited') pacer.pause(failure.retryAfterMs ?? REST_MS);
	if (stopsBatch(failure)) halt.because(SAME_ANSWER, account);
	throw new CallError(failure, subject, outcomeOf(verdict), prepared.shown);
}

export const notSent = (reason: string): NotAttemptedError =>
	new NotAttemptedError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

type EarlierClaim = Exclude<Claim, 'mine'>;

const LOOK_UP =
	"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed.";

const OWN_KEY =
	"If it is not there, give this row, and no other, a 'Duplicate Key' of its own: it is then sent as a new payment.";

/** `own`: what would make it another payment. */
type NextStep = (own: string) => string;

const sendUnanswered: NextStep = () =>
	`${LOOK_UP} If it is not there, set 'On Duplicate' to 'Send Unanswered', and run only rows that you did not find.`;

const CLAIMED: Readonly<Record<EarlierClaim, [Outcome, message: string, NextStep]>> = {
	answered: [
		'duplicate',
		'Not sent: an earlier run of this node sent the same payment and it was accepted',
		(own) =>
			`To charge once more on purpose, e.g. every month, give this payment ${own}, e.g. with the month.`,
	],
	answeredWithOtherValues: [
		'duplicate',
		'Not sent: an earlier run of this node sent this order with another payer, item, amount or spelling, and it was accepted',
		(own) => `What was sent then still holds. If this is another payment, give it ${own}.`,
	],
	unanswered: [
		'unknown',
		'Not sent now: an earlier run of this node sent the same payment, and no answer to it is on record',
		sendUnanswered,
	],
	unansweredWithOtherValues: [
		'unknown',
		'Not sent now: an earlier run of this node sent this order with another payer, item, amount or spelling, and no answer to it is on record',
		sendUnanswered,
	],
	unclear: [
		'unknown',
		'Not sent now: an earlier run of this node sent the same payment, and it is not on record whether it was accepted',
		() => `${LOOK_UP} ${OWN_KEY}`,
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
	{ request: { prepared, options, key } }: ReadyRow,
	claim: EarlierClaim,
): RowResult {
	const [outcome, message, nextStep] = CLAIMED[claim];
	const next = nextStep(nameOfItsOwn(key));
	// Nobody is called back about a row that differs from what was sent, so it waits for nothing.
	const told = claim.endsWith('OtherValues') ? withEarlierUrl(prepared, null) : prepared;
	return options.onDuplicate === 'error'
		? { error: new NotSentError(message, next, outcome) }
		: { items: [createItem(operation, outcome, told, { message: `${message}. ${next}` })] };
}
