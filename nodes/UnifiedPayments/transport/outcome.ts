import { isInErrorTable } from '../protocol/errorTable';
import { isRecord, type Json } from '../protocol/parse';
import { wrongEcho } from '../payment/contradiction';
import { failedVerdict, type Failure, type FailureKind, type Verdict } from './verdict';

/** What became of one create. `unknown` means: look it up before anyone sends it again. */
export type Outcome = 'accepted' | 'rejected' | 'not_sent' | 'unknown' | 'duplicate' | 'valid';

const OUTCOME_OF: Readonly<Record<FailureKind, Outcome>> = {
	notConnected: 'not_sent',
	noReply: 'unknown',
	rateLimited: 'unknown',
	serverFault: 'unknown',
	refused: 'rejected',
	notAuthorized: 'rejected',
	unclearRefusal: 'unknown',
	redirected: 'unknown',
	invalidReply: 'unknown',
	mismatch: 'unknown',
};

export const outcomeOf = (verdict: Verdict): Outcome =>
	verdict.ok ? 'accepted' : OUTCOME_OF[verdict.failure.kind];

/** Every other row would end the same way, so the batch stops. */
export const stopsBatch = ({ kind, status }: Failure): boolean =>
	kind === 'notAuthorized' || kind === 'redirected' || status === 401 || status === 403;

/** Statuses with which a service says no to a request that it has not carried out. */
const PLAIN_STATUSES = [400, 401, 403, 422];

/**
 * A create counts as rejected only after a plain no: `success` false with a status that means so,
 * or with a message of the specification's error table. A no that may mean that the payment is there
 * is none with any status, because a rejected row may be sent again.
 */
export function plainNoOnly(verdict: Verdict): Verdict {
	if (verdict.ok) return verdict;
	const { failure } = verdict;
	if (failure.kind !== 'refused' && failure.kind !== 'notAuthorized') return verdict;
	if (failure.saidNo && !failure.mayBeThere && hasPlainForm(failure)) return verdict;
	return { ok: false, failure: { ...failure, kind: 'unclearRefusal' } };
}

const hasPlainForm = ({ status, serviceMessage }: Failure): boolean =>
	(status !== null && (status < 300 || PLAIN_STATUSES.includes(status))) ||
	(serviceMessage !== null && isInErrorTable(serviceMessage));

/** A reply about something else than was sent is not believed. */
export function checkEcho(verdict: Verdict, sent: Readonly<Json>): Verdict {
	if (!verdict.ok) return verdict;
	const { data } = verdict.reply;
	const field = isRecord(data) ? wrongEcho(data, sent) : null;
	if (field === null) return verdict;
	return failedVerdict('mismatch', {
		status: verdict.status,
		serviceMessage: verdict.reply.message,
		code: field,
	});
}
