import { cut, LONGEST } from '../protocol/limits';
import type { ServiceSettings } from '../protocol/credential';
import { isRecord, type Json } from '../protocol/parse';
import { foldedSentence } from '../protocol/words';

export type State = 'success' | 'failed' | 'pending';

/** The words of `status` that the credential lists. */
export type StatusWords = Pick<ServiceSettings, 'successStatuses' | 'failureStatuses'>;

/** What is said about the state of a transaction. */
interface StateReading {
	state: State;
	/** The service's own word for it; null when it says none. */
	status: string | null;
}

/** In place of a state, where time was up before there was a final one. */
export const TIMED_OUT = 'timedOut';

export const isFinal = (state: State): boolean => state !== 'pending';

interface Seen {
	state: State;
	reference: string | null;
}

/**
 * Whether a later word of the service counts. After a success only if it is about the same transaction:
 * a link that is paid may be tried once more in vain.
 */
export const supersedes = (later: Seen, known: Seen, mayBeTriedAgain: boolean): boolean =>
	known.state !== 'success' ||
	(later.state !== 'pending' && (!mayBeTriedAgain || later.reference === known.reference));

/**
 * The state of a transaction, by the credential's two lists and the documented `failureReason`. What
 * neither calls a success nor a failure is pending.
 */
export function readState(record: Readonly<Json>, words: StatusWords): StateReading {
	const { status: given, failureReason } = record;
	const isWord = typeof given === 'string' || typeof given === 'number';
	const said = isWord ? String(given).trim() : '';
	const status = said === '' ? null : cut(said, LONGEST.stateWord);
	const isOneOf = (list: readonly string[]) =>
		status !== null && list.some((each) => foldedSentence(each) === foldedSentence(said));
	const hasReason = saysWhy(failureReason);
	if (isOneOf(words.successStatuses)) return { state: hasReason ? 'pending' : 'success', status };
	const isFailure = hasReason || isOneOf(words.failureStatuses);
	return { state: isFailure ? 'failed' : 'pending', status };
}

/** Both of its members are null when there is no failure. */
const saysWhy = (reason: unknown): boolean =>
	isRecord(reason) ? ![reason.failureCode, reason.failureMessage].every(isEmpty) : !isEmpty(reason);

const isEmpty = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);
