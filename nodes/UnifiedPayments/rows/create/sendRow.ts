import { ADVICE, adviceWith } from '../../protocol/advice';
import type { CreateOperation } from '../operation';
import { nameOfItsOwn } from '../../payment/key';
import type { Payment } from '../../payment/payment';
import type { Json } from '../../protocol/parse';
import { CallError, NotAttemptedError, NotSentError } from '../../transport/errors';
import type { Outcome } from '../../protocol/explainedError';
import { failureOf, LONGEST_ASKED_WAIT_MS, outcomeOf, stopsBatch } from '../../transport/verdict';
import type { Claim, ClaimedPayment } from '../claims/claimRecords';
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
	type ReadyRow,
	type RowRequest,
	type RowResult,
} from '../row';
import { isWantedAgain } from './sentRow';

export interface SendRun {
	operation: CreateOperation;
	claims: Claims;
	pacer: Pacer;
}

const LONG_PAUSE = 'the service asked for a pause of more than a minute';
const SAME_ANSWER = 'the service would answer every other row of this account in the same way';

/** How long a batch rests when the service asks to slow down without saying for how long. */
const REST_MS = 1000;

/** What becomes of claims: all of a chunk, or none. */
type Ask = (payments: readonly ClaimedPayment[]) => Promise<Claim[]>;

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	ask: Ask,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<void> {
	// After a standstill also those that are not sent any more: somebody else may have sent them.
	const asked = rows.filter(
		({ request }) =>
			request.isCompared && (halt.reason(request.account) === null || claims.hasStalled()),
	);
	if (asked.length === 0) return;
	try {
		const answers = await ask(asked.map(({ request }) => request.payment.key));
		asked.forEach((row, index) => (row.claim = answers[index] ?? 'open'));
	} catch (error) {
		for (const row of asked) row.claim = { error: notRecorded(error as Error) };
	}
}

/** Says what became of a row that was claimed. */
function endClaim(claims: Claims, { request, claim }: ReadyRow, result: RowResult): void {
	if (claim !== 'mine') return;
	const outcome = outcomeOfRow(result);
	const { key } = request.payment.key;
	if (outcome === 'accepted') claims.end(key, 'answered');
	else claims.end(key, outcome === 'unknown' ? 'unanswered' : 'released');
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		`Without that record it could be sent twice. ${ADVICE.database}`,
	);

/** Nothing is looked up for it, so it says nothing of earlier runs. */
export const dryResult = (operation: CreateOperation, { request }: ReadyRow): RowResult => ({
	items: [createItem(operation, 'valid', request, { message: 'Dry run: nothing was sent' })],
	dryRun: true,
});

/** A row that is the same as an earlier one of the input, by what became of that. */
export function repeatResult(
	operation: CreateOperation,
	{ request }: ReadyRow,
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
			createItem(operation, own, request, {
				message,
				...(own === 'duplicate' ? Object.fromEntries(known) : {}),
			}),
		],
		dryRun: request.options.dryRun,
	};
}

/** Sends a row, unless an earlier run claimed it or there is a reason to stop. */
export async function sendRow(run: SendRun, row: ReadyRow, halt: Halt): Promise<RowResult> {
	const { claim, request } = row;
	if (typeof claim === 'object') return claim;
	if (!isToSend(claim)) return claimedBefore(run.operation, row, claim);
	const reason = halt.reason(request.account);
	const result =
		reason === null
			? await resultOf(async () => [await send(run, request, halt)])
			: { error: notSent(reason) };
	endClaim(run.claims, row, result);
	return result;
}

async function send({ operation, pacer }: SendRun, request: RowRequest, halt: Halt): Promise<Json> {
	const { client, account, prepared, options } = request;
	const verdict = await client.create(operation.path, prepared.params, {
		...options,
		twoDecimals: prepared.twoDecimals,
	});
	const subject = { name: operation.name, creates: true };
	if (verdict.ok) {
		const accepted = await resultOf(async () => [acceptedItem(operation, request, verdict.reply)]);
		if (!failed(accepted)) return itemIn(accepted);
		// It was accepted, so it must never count as not sent, which would be sent again.
		throw new CallError(failureOf('invalidReply'), subject, 'unknown', prepared.shown);
	}
	const { failure } = verdict;
	if (failure.kind === 'rateLimited') {
		const rest = failure.retryAfterMs ?? REST_MS;
		if (rest > LONGEST_ASKED_WAIT_MS) halt.because(LONG_PAUSE, account);
		else pacer.pause(rest);
	}
	if (stopsBatch(failure)) halt.because(SAME_ANSWER, account);
	throw new CallError(failure, subject, outcomeOf(verdict), prepared.shown);
}

export const notSent = (reason: string): NotAttemptedError =>
	new NotAttemptedError(`Not sent, because ${reason}`, 'Nothing left this machine for this row.');

type EarlierClaim = Exclude<Claim, 'mine' | 'differs'>;

/** `own`: what would make it another payment. */
const CLAIMED: Readonly<
	Record<
		EarlierClaim,
		[Outcome, message: string, next: (own: string, isAskedAgain: boolean) => string]
	>
> = {
	sent: [
		'duplicate',
		'Not sent: an earlier run of this node sent the same payment and it was accepted',
		(own) => adviceWith('chargeAgain', own),
	],
	open: [
		'unknown',
		'Not sent now: it may have been sent before, and no answer is on record',
		(_own, isAskedAgain) =>
			isAskedAgain
				? `${ADVICE.lookUp} ${ADVICE.keyForOneNotFound}`
				: `${ADVICE.lookUp} ${ADVICE.sendUnanswered}`,
	],
	busy: [
		'unknown',
		'Not sent now: another run of this node is sending the same payment, or has just sent it again',
		() => ADVICE.waitForOtherRun,
	],
};

function claimedBefore(
	operation: CreateOperation,
	{ request }: ReadyRow,
	claim: Exclude<Claim, 'mine'>,
): RowResult {
	const { payment, options } = request;
	if (claim === 'differs') return { error: usedName(payment) };
	const [outcome, message, nextStep] = CLAIMED[claim];
	const next = nextStep(nameOfItsOwn(payment.key), isWantedAgain(request));
	return options.onDuplicate === 'error'
		? { error: new NotSentError(message, next, outcome) }
		: { items: [createItem(operation, outcome, request, { message: `${message}. ${next}` })] };
}

/** Another payment, or a correction: only a person knows which. */
function usedName({ kind, key }: Payment): NotSentError {
	const name = key.by === 'duplicateKey' ? "'Duplicate Key'" : 'order reference';
	const [what, open] =
		kind === 'link'
			? ['link', 'The first link is still open: it can be paid']
			: ['payment', 'What was asked for first still holds'];
	return new NotSentError(
		`Not sent: an earlier run of this node used this ${name} for a ${what} with another payer, item, amount, currency, country or spelling`,
		`${open}. ${adviceWith('anotherRow', nameOfItsOwn(key))}`,
	);
}
