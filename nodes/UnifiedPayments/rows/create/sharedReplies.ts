import { sharedNames } from '../../payment/whose';
import { accountOf } from '../../protocol/credential';
import { CallError } from '../../transport/errors';
import { failureOf, type Failure } from '../../transport/verdict';
import type { Claims } from '../claims/claims';
import type { CreateOperation } from '../operation';
import { isReady, itemIn, outcomeOfRow, type Row } from '../row';
import { wasSent, type SentRow } from './sentRow';

interface DoubtRun {
	operation: CreateOperation;
	claims: Claims;
}

/**
 * Rows of which the same link or reference is known: a faulty service, or a gateway that repeats
 * an answer. Nobody can say whose it is, nor which of them the service took.
 */
export function doubtSharedReplies(run: DoubtRun, all: readonly Row[]): SentRow[] {
	const named = all.filter(isReady).filter(wasSent);
	const shared = sharedNames(
		named.map((row) => {
			const { reference, link } = itemIn(row.result);
			const { account, prepared } = row.request;
			const own = prepared.payment.orderReference;
			return { of: row, account: accountOf(account), reference, link, own };
		}),
	);
	return shared.filter(isAccepted).map((row) => doubt(run, row, failureOf('namedTwice')));
}

/** Rows whose replies named what is another payment by the service's own list. */
export const doubtContradicted = (run: DoubtRun, rows: readonly SentRow[]): SentRow[] =>
	rows
		.filter(isAccepted)
		.map((row) => doubt(run, row, failureOf('mismatch', { code: 'callback_url' })));

const isAccepted = ({ result }: SentRow): boolean => outcomeOfRow(result) === 'accepted';

function doubt({ operation, claims }: DoubtRun, row: SentRow, failure: Failure): SentRow {
	const { request } = row;
	const subject = { name: operation.name, creates: true };
	row.result = { error: new CallError(failure, subject, 'unknown', request.prepared.shown) };
	if (request.isCompared) claims.doubt(request.key);
	return row;
}
