import { cut, LONGEST } from '../protocol/limits';
import type { ExtraStatuses } from '../protocol/credential';
import { isRecord } from '../protocol/parse';
import { readingsOf } from './amount';

export type State = 'success' | 'failed' | 'pending' | 'other';

/** Words beyond `success`, the only value the specification shows. An assumption users can extend. */
const SUCCESS = ['success', 'successful', 'succeeded', 'completed', 'complete', 'paid', 'settled'];
const FAILED = [
	'failed',
	'failure',
	'fail',
	'declined',
	'rejected',
	'cancelled',
	'canceled',
	'expired',
	'reversed',
	'error',
	'timeout',
	'timedout',
];
const PENDING = [
	'pending',
	'processing',
	'initiated',
	'queued',
	'inprogress',
	'created',
	'submitted',
	'awaiting',
];

const NO_EXTRA: ExtraStatuses = { success: [], failed: [] };

/** The record says `status`; the payload of a callback is not shown, so its relatives count, too. */
const STATUS_FIELDS = ['status', 'transaction_status', 'payment_status', 'state'] as const;
const EVENT_FIELDS = ['event', 'event_type'] as const;
/** `collection.success`, `payment_failed`: what happened stands behind what it happened to. */
const EVENT =
	/^(?:payment|transaction|collection|payin|payout|disbursement|charge)[\s._:-]+([^\s._:-].*)$/i;

/** What is said about the state of a transaction. */
export interface StateReading {
	state: State;
	/** The service's own word for it; null when it says none. */
	status: string | null;
}

const FINAL: readonly State[] = ['success', 'failed'];
export const isFinal = (state: State): boolean => FINAL.includes(state);

interface Seen {
	state: State;
	reference: string | null;
}

/**
 * Whether a later word of the service counts. After a success only if it is about the same transaction:
 * a link that is paid may be tried once more in vain.
 */
export const takesBack = (later: Seen, known: Seen, mayBeTriedAgain: boolean): boolean =>
	known.state !== 'success' ||
	(later.state !== 'pending' && (!mayBeTriedAgain || later.reference === known.reference));

/** In place of a state, where time was up before there was a final one. */
export const TIMED_OUT = 'timedOut';

const fold = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');

const isText = (value: unknown): value is string | number =>
	(typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

export const stateOf = (record: Record<string, unknown>, extra?: ExtraStatuses): State =>
	readState([record], extra).state;

/**
 * Reads the state from all objects on the way to a record; the record itself is the last of them, and
 * what it says comes first. A stated failure reason speaks against success.
 */
export function readState(
	path: ReadonlyArray<Record<string, unknown>>,
	extra: ExtraStatuses = NO_EXTRA,
): StateReading {
	const inside = [...path].reverse();
	const said = inside.flatMap((each) => STATUS_FIELDS.map((field) => each[field])).find(isText);
	const status = said === undefined ? null : cut(String(said).trim(), LONGEST.stateWord);
	const state = agreed(
		inside.flatMap(wordsOf).map((each) => wordState(each, extra)),
		inside[0] ?? {},
		extra,
	);
	if (!inside.some(({ failureReason }) => hasFailureReason(failureReason)))
		return { state, status };
	// A success with a failure reason is not believed. A pending payment may still succeed.
	if (state === 'success') return { state: 'other', status };
	return { state: state === 'pending' ? 'pending' : 'failed', status };
}

const wordsOf = (record: Record<string, unknown>): unknown[] => [
	...STATUS_FIELDS.map((field) => record[field]),
	record.status_code,
	...EVENT_FIELDS.map((field) => record[field]).map((event) =>
		typeof event === 'string' && event.length <= LONGEST.stateWord
			? EVENT.exec(event.trim())?.[1]
			: undefined,
	),
];

/**
 * The first that can be read. A success counts only when nothing else speaks against it, a failure only
 * when the record itself does not speak of success as well.
 */
function agreed(
	states: readonly State[],
	record: Record<string, unknown>,
	extra: ExtraStatuses,
): State {
	const readable = states.filter((each) => each !== 'other');
	const [first = 'other'] = readable;
	if (first === 'failed') {
		const own = STATUS_FIELDS.map((field) => wordState(record[field], extra));
		return own.includes('success') ? 'other' : 'failed';
	}
	if (first !== 'success') return first;
	if (readable.includes('failed')) return 'other';
	if (readable.includes('pending')) return 'pending';
	if (isTakenBack(record, extra)) return 'other';
	const isUnderWay = saysInCode(record, NOT_YET, extra) && !saysInCode(record, DONE, extra);
	return isUnderWay ? 'pending' : 'success';
}

/** Codes are the service's own, so that only these words in one speak against a success. */
const TAKEN_BACK =
	/refund|revers|void|charged?[\W_]?back|returned|unpaid|underpaid|partial|not[\W_]?(?:paid|success)|unsuccess|fail|insufficient|declin|reject|expire|disput|cancel|den(?:y|ied)|abandon|timed?[\W_]?out/i;
/** "AWAITING_PIN" */
const NOT_YET = /pending|a?wait|processing|progress|initiat|(?<![a-z])queue|on[\W_]?hold|^held$/i;
/** "Processing completed"; what was "initiated successfully" is not done. */
const DONE = /(?:processing|and)[\W_]+(?:completed|successful)$/i;

const isUnknown = (value: unknown, extra: ExtraStatuses): boolean =>
	typeof value === 'string' && /\p{L}/u.test(value) && wordState(value, extra) === 'other';

const saysInCode = (
	{ status_code: code }: Record<string, unknown>,
	words: RegExp,
	extra: ExtraStatuses,
): boolean => isUnknown(code, extra) && words.test(String(code).slice(0, LONGEST.stateWord));

/** Whether a record says, beside its success, a word such as "unpaid", or that the money went back. */
function isTakenBack(record: Record<string, unknown>, extra: ExtraStatuses): boolean {
	const { amount } = record;
	return (
		(isText(amount) && readingsOf(amount)[0]!.startsWith('-')) ||
		STATUS_FIELDS.some((field) => isUnknown(record[field], extra)) ||
		saysInCode(record, TAKEN_BACK, extra)
	);
}

function wordState(value: unknown, extra: ExtraStatuses): State {
	if (!isText(value)) return 'other';
	const said = String(value).trim();
	if (said.length > LONGEST.stateWord) return 'other';
	const word = fold(said);
	if (word === '') return 'other';
	// The words from the credential come first: users know their account.
	if (extra.success.some((each) => fold(each) === word)) return 'success';
	if (extra.failed.some((each) => fold(each) === word)) return 'failed';
	if (SUCCESS.includes(word)) return 'success';
	if (FAILED.includes(word)) return 'failed';
	return PENDING.includes(word) ? 'pending' : 'other';
}

/** What services write where there is no reason. */
const NO_REASON = [
	...['', '0', '00', '000', 'none', 'null', 'n/a'],
	...['ok', 'success', 'successful', 'approved', 'noerror'],
];

const saysNothing = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	(typeof value !== 'object' && NO_REASON.includes(fold(String(value))));

const hasFailureReason = (reason: unknown): boolean => {
	if (Array.isArray(reason)) return reason.some(hasFailureReason);
	if (!isRecord(reason)) return isText(reason) && !saysNothing(reason);
	return ![reason.failureCode, reason.failureMessage].every(saysNothing);
};
