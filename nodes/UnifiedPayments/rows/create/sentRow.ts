import type { Payment } from '../../payment/payment';
import { readReference } from '../../protocol/reply';
import { CallError } from '../../transport/errors';
import {
	failed,
	isToSend,
	itemIn,
	outcomeOfRow,
	type ReadyRow,
	type RowClaim,
	type RowRequest,
	type RowResult,
} from '../row';

/**
 * A row that was sent, now or by an earlier run, or may have been, with what is known of it so far.
 * What becomes known later makes a new one; the row itself gets its result when nothing more is asked.
 */
export interface SentRow {
	readonly row: ReadyRow;
	readonly result: RowResult;
}

/** The payment of a row, as it is known after it was sent. */
export const paymentOf = ({ row: { request, claim }, result }: SentRow): Payment => ({
	...request.payment,
	sentEarlier: !isToSend(claim),
	reference: readReference(itemIn(result).reference),
});

/** Sent by this run, or perhaps by another one of which the answer is not known. */
const MAY_BE_THERE: readonly RowClaim[] = ['mine', 'open'];

/** A row that may have been taken, and is known well enough to be found again. */
export const mayHaveArrived = ({
	row: {
		request: { isCompared },
		claim,
	},
	result,
}: SentRow): boolean =>
	outcomeOfRow(result) === 'unknown' &&
	// Of a payment that is sent several times on purpose, nobody can say which one was found.
	isCompared &&
	MAY_BE_THERE.includes(claim) &&
	!(failed(result) && wasRedirected(result.error));

/** A service that redirects a create redirects the question as well. */
const wasRedirected = (error: unknown): boolean =>
	error instanceof CallError && error.failure.kind === 'redirected';

/** A person wants what has no answer to be sent again, unless the service has it. */
export const isWantedAgain = ({ options }: RowRequest): boolean =>
	options.onDuplicate === 'sendUnanswered';

/** Whether a row of which the service shows nothing is sent again. */
export const isSentAgain = ({ row: { claim, request }, result }: SentRow): boolean =>
	claim === 'open' && isWantedAgain(request) && outcomeOfRow(result) === 'unknown';

/** This payment was sent by an earlier run: show that run's callback URL, if it is known. */
export function withEarlierUrl(request: RowRequest, url: unknown): RowRequest {
	const shown = { ...request.prepared.shown };
	delete shown.callback_url;
	if (typeof url === 'string') shown.callback_url = url;
	return { ...request, prepared: { ...request.prepared, shown } };
}
