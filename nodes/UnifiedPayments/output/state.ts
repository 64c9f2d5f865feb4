import { isRecord } from '../protocol/parse';

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

export interface ExtraStatuses {
	success: readonly string[];
	failed: readonly string[];
}

const NO_EXTRA: ExtraStatuses = { success: [], failed: [] };

const fold = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');

/** Reads `status`, then `status_code`; a stated failure reason speaks against success. */
export function stateOf(record: Record<string, unknown>, extra: ExtraStatuses = NO_EXTRA): State {
	const words = [record.status, record.status_code].map((word) => wordState(word, extra));
	const state = words.find((each) => each !== 'other') ?? 'other';
	if (!hasFailureReason(record.failureReason)) return state;
	// A success that states why it did not succeed is not believed; what is still pending may succeed.
	if (state === 'success') return 'other';
	return state === 'pending' ? 'pending' : 'failed';
}

function wordState(value: unknown, extra: ExtraStatuses): State {
	if (typeof value !== 'string' && typeof value !== 'number') return 'other';
	const word = fold(String(value));
	if (word === '') return 'other';
	// The user's own words come first: they know the account.
	if (extra.success.some((each) => fold(each) === word)) return 'success';
	if (extra.failed.some((each) => fold(each) === word)) return 'failed';
	if (SUCCESS.includes(word)) return 'success';
	if (FAILED.includes(word)) return 'failed';
	return PENDING.includes(word) ? 'pending' : 'other';
}

const hasFailureReason = (reason: unknown): boolean =>
	isRecord(reason) &&
	[reason.failureCode, reason.failureMessage].some(
		(each) => each !== null && each !== undefined && each !== '',
	);
