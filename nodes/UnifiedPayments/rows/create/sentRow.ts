import type { Payment } from '../../payment/payment';
import { readReference } from '../../protocol/reply';
import { CallError } from '../../transport/errors';
import type { Prepared } from '../operation';
import {
	failed,
	isToSend,
	itemIn,
	outcomeOfRow,
	type ClaimResult,
	type ReadyRow,
	type RowResult,
} from '../row';

/** A row that was sent, now or by an earlier run, or may have been. */
export type SentRow = ReadyRow & { result: RowResult };

export const wasSent = (row: ReadyRow): row is SentRow => row.result !== null;

/** The payment of a row, as it is known after it was sent. */
export const paymentOf = ({ request, claimResult, result }: SentRow): Payment => ({
	...request.payment,
	sentEarlier: !isToSend(claimResult),
	reference: readReference(itemIn(result).reference),
});

/** Sent by this run, or perhaps by another one of which the answer is not known. */
const MAY_BE_THERE: readonly ClaimResult[] = ['mine', 'open'];

/** A row that may have been taken, and is known well enough to be found again. */
export const mayHaveArrived = ({
	request: { isCompared },
	claimResult,
	result,
}: SentRow): boolean =>
	outcomeOfRow(result) === 'unknown' &&
	// Of a payment that is sent several times on purpose, nobody can say which one was found.
	isCompared &&
	MAY_BE_THERE.includes(claimResult) &&
	!(failed(result) && wasRedirected(result.error));

/** A service that redirects a create redirects the question as well. */
const wasRedirected = (error: unknown): boolean =>
	error instanceof CallError && error.failure.kind === 'redirected';

/** This payment was sent by an earlier run: show that run's callback URL, if it is known. */
export function withEarlierUrl(prepared: Prepared, url: unknown): Prepared {
	const shown = { ...prepared.shown };
	delete shown.callback_url;
	return { ...prepared, shown: typeof url === 'string' ? { ...shown, callback_url: url } : shown };
}
