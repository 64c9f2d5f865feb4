import { nameOfItsOwn } from '../../payment/key';
import { readReference } from '../../payment/references';
import type { AskedPayment } from '../../payment/whose';
import type { RowOptions } from '../../fields/options';
import type { Json } from '../../protocol/parse';
import { referenceFieldIn } from '../../protocol/reply';
import { CallError, NotSentError } from '../../transport/errors';
import type { Claims } from '../claims/claims';
import { askedBy, type CreateOperation, type Prepared } from '../operation';
import {
	createItem,
	failed,
	isToSend,
	itemIn,
	outcomeOfRow,
	type ClaimResult,
	type ReadyRow,
	type RowResult,
} from '../row';

export interface LookUpRun {
	operation: CreateOperation;
	claims: Claims;
	lanes: number;
	/** Ends the waiting when the execution is cancelled. */
	signal: AbortSignal;
	/** False when nothing but the answers is asked for. */
	findsLinks?: boolean;
	yieldToHost: () => Promise<void>;
}

/** A row that was sent, now or by an earlier run, or may have been. */
export type SentRow = ReadyRow & { result: RowResult };

export const wasSent = (row: ReadyRow): row is SentRow => row.result !== null;

/** A look-up is tried once more at the most. */
export const RETRIES = 1;

/** How long the service is asked, in all: what it does not say by then stays open. */
export const longestMs = ({ timeoutSeconds }: RowOptions): number =>
	(RETRIES + 1) * timeoutSeconds * 1000;

/** What is known of a row after the service was asked about it. */
export interface LookedUp {
	row: SentRow;
	result: RowResult;
	/** False when the service could not be asked, or may have it: then nobody may send it again. */
	isAbsent: boolean;
	/** Whether what the reply named is, by the list, another payment. */
	isContradicted?: boolean;
}

/** What may name the payment of a row. */
export function paymentOf(
	operation: CreateOperation,
	{ request: { prepared, key, options, isCompared }, claimResult, result }: SentRow,
): AskedPayment {
	const { params, payment } = prepared;
	const { callback_url: url, mobile } = params;
	const reference = readReference(itemIn(result).reference);
	return {
		reference,
		callbackUrl: typeof url === 'string' ? url : null,
		sentBefore: !isToSend(claimResult),
		orderReference: payment.orderReference,
		ownReference: askedBy(operation, prepared),
		// Where others have a key, one without may be any payment of the order.
		isOneOfSeveral: key.by === 'duplicateKey' || options.duplicateKey === '' || !isCompared,
		mayBeTriedAgain: operation.lookUp === 'list',
		amount: payment.amount,
		currency: payment.currency,
		mobile: typeof mobile === 'string' ? mobile : null,
		sent: params,
		referenceField: referenceFieldIn(itemIn(result).data),
	};
}

/** Sent by this run, or perhaps by another one of which the answer is not known. */
const MAY_BE_THERE: readonly ClaimResult[] = ['mine', 'open'];

/** A row that may have been taken, and is known well enough to be found again. */
export const isOpen = ({ request: { isCompared }, claimResult, result }: SentRow): boolean =>
	outcomeOfRow(result) === 'unknown' &&
	// Of a payment that is sent several times on purpose, nobody can say which one was found.
	isCompared &&
	MAY_BE_THERE.includes(claimResult) &&
	!(failed(result) && wasRedirected(result.error));

/** A service that redirects a create redirects the question as well. */
const wasRedirected = (error: unknown): boolean =>
	error instanceof CallError && error.failure.kind === 'redirected';

/** The service took the row, so no later run may send it. */
export function takenAfterAll(
	{ operation, claims }: LookUpRun,
	{ request: { prepared, key, options }, claimResult }: SentRow,
	known: Json,
	/** The callback URL that the service has. */
	url?: unknown,
): RowResult {
	claims.found(key);
	if (options.onDuplicate === 'error' && claimResult !== 'mine') {
		return {
			error: new NotSentError(
				'Not sent: an earlier run of this node sent the same payment, and the service has it',
				`What was sent then still holds. If this is another payment, give it ${nameOfItsOwn(key)}.`,
				'duplicate',
			),
		};
	}
	const sent = claimResult === 'mine' ? prepared : withUrl(prepared, url);
	return { items: [createItem(operation, 'accepted', sent, { success: true, ...known })] };
}

/** What an earlier run sent had its own callback URL, and nobody calls back to this one's. */
export function withUrl(prepared: Prepared, url: unknown): Prepared {
	const shown = { ...prepared.shown };
	delete shown.callback_url;
	return { ...prepared, shown: typeof url === 'string' ? { ...shown, callback_url: url } : shown };
}
