import { ADVICE } from '../../../nodes/UnifiedPayments/protocol/advice.ts';
import { explainFailure } from '../../../nodes/UnifiedPayments/transport/explain.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { adviceFor } from '../../../nodes/UnifiedPayments/trigger/execution/rejection.ts';

const KINDS: FailureKind[] = [
	...(['notConnected', 'noReply', 'rateLimited', 'serverFault', 'refused'] as const),
	...(['notAuthorized', 'unnamedRefusal', 'redirected', 'invalidReply', 'mismatch'] as const),
	...(['namedTwice', 'recordFailed'] as const),
];

const REASONS = [
	...(['no_reference', 'not_found', 'wrong_type', 'reference_mismatch'] as const),
	...(['amount_mismatch', 'currency_mismatch', 'state_not_confirmed'] as const),
	...(['order_code_invalid', 'order_mismatch', 'unreadable'] as const),
];

/** For a person to read when a sentence changes: `npx jest -u` on this file writes it. No other test holds the words. */
it('what users are told', () => {
	const told = (kind: FailureKind, creates: boolean, known: object) =>
		explainFailure(failureOf(kind, known), {
			name: creates ? 'the collection' : 'the balance',
			creates,
		});
	const known = { status: 400, serviceMessage: 'Words of the service', code: 'CODE' };
	expect({
		advice: ADVICE,
		create: Object.fromEntries(KINDS.map((kind) => [kind, told(kind, true, known)])),
		read: Object.fromEntries(KINDS.map((kind) => [kind, told(kind, false, {})])),
		rejected: Object.fromEntries(REASONS.map((reason) => [reason, adviceFor(reason)])),
	}).toMatchSnapshot();
});
