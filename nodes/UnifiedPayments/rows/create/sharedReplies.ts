import { sharedNames } from '../../payment/whose';
import { accountOf } from '../../protocol/credential';
import { CallError } from '../../transport/errors';
import { failureOf } from '../../transport/verdict';
import type { Claims } from '../claims/claims';
import type { CreateOperation } from '../operation';
import { isReady, itemIn, outcomeOfRow, type ReadyRow, type Row } from '../row';

/**
 * Rows whose replies named the same link or reference: a faulty service, or a gateway that repeats
 * an answer. Nobody can say whose it is, nor which of them the service took.
 */
export function doubtSharedReplies(
	{ operation, claims }: { operation: CreateOperation; claims: Claims },
	all: readonly Row[],
): ReadyRow[] {
	const accepted = all
		.filter(isReady)
		.filter(({ result }) => result !== null && outcomeOfRow(result) === 'accepted');
	const shared = sharedNames(
		accepted.map((row) => {
			const { reference, link } = itemIn(row.result!);
			const { account, prepared } = row.request;
			const own = prepared.payment.orderReference;
			return { of: row, account: accountOf(account), reference, link, own };
		}),
	);
	for (const row of shared) {
		const { request } = row;
		const subject = { name: operation.name, creates: true };
		const error = new CallError(
			failureOf('namedTwice'),
			subject,
			'unknown',
			request.prepared.shown,
		);
		row.result = { error };
		if (request.isCompared) claims.doubt(request.key);
	}
	return shared;
}
