export interface ClaimedPayment {
	/** Names the payment. */
	key: string;
	/** What is sent for it, where that is no part of its name; null otherwise. */
	values: string | null;
}

/** A payment that a run wants to send. */
export interface ClaimRequest extends ClaimedPayment {
	/** Whether to send it when an earlier run sent it and no answer is on record. */
	sendUnanswered: boolean;
}

/**
 * `mine`: it may be sent, by nobody else. `answered`: an earlier run sent it and has the answer;
 * `answeredWithOtherValues`: with other values. `unanswered`: an earlier run claimed it, and no answer is
 * on record; `unansweredWithOtherValues`: with other values. `unclear`: n8n was stopped while this was
 * being looked up, so it is not on record whether there was an answer. `underWay`: another run of
 * this process is sending it. `doubtful`: another run may have sent it, and its claim be lost.
 */
export type Claim =
	| 'mine'
	| 'answered'
	| 'answeredWithOtherValues'
	| 'unanswered'
	| 'unansweredWithOtherValues'
	| 'unclear'
	| 'underWay'
	| 'doubtful';

/** What is on record about a payment that was claimed before. */
export type OnRecord = 'answered' | 'answeredWithOtherValues' | 'unanswered' | 'unclear';

/** The entries of a payment in the store. */
export const claimedEntry = ({ key }: { key: string }): string => key;
export const valuesEntry = ({ key, values }: ClaimedPayment): string => `${key} ${values}`;
export const answeredEntry = ({ key }: { key: string }): string => `${key} answered`;
/** Only an answer writes this, and only a look-up asks for it: what was claimed to look at it proves nothing. */
export const answeredValuesEntry = (payment: ClaimedPayment): string =>
	`${valuesEntry(payment)} answered`;
export const askedEntry = ({ key }: { key: string }): string => `${key} asked`;

/** What is written to claim it. */
export const entriesOf = (request: ClaimedPayment): string[] =>
	request.values === null ? [claimedEntry(request)] : [claimedEntry(request), valuesEntry(request)];

/** Whether it was claimed with other values than these. */
export const hasOtherValues = (request: ClaimRequest, before: ReadonlySet<string>): boolean =>
	request.values !== null && !before.has(valuesEntry(request));

export const isSentAgain = ({ sendUnanswered }: ClaimRequest, onRecord: OnRecord): boolean =>
	onRecord === 'unanswered' && sendUnanswered;

/** What a run hears about a payment that was claimed before. */
export function earlierClaim(
	request: ClaimRequest,
	onRecord: OnRecord,
	before: ReadonlySet<string>,
): Claim {
	if (isSentAgain(request, onRecord)) return 'mine';
	const isAnswered = onRecord === 'answered' || onRecord === 'answeredWithOtherValues';
	return isAnswered || !hasOtherValues(request, before) ? onRecord : 'unansweredWithOtherValues';
}
