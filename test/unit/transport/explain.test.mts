import { ERROR_ROWS } from '../../../dev/sandbox/api/errorTable.mts';
import { explainFailure, hintsFor } from '../../../nodes/UnifiedPayments/transport/explain.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const COLLECTION = { name: 'the collection', creates: true };
const BALANCE = { name: 'the balance', creates: false };

const KINDS: FailureKind[] = [
	...(['notConnected', 'noReply', 'rateLimited', 'serverFault', 'refused'] as const),
	...(['notAuthorized', 'unnamedRefusal', 'redirected', 'invalidReply', 'mismatch'] as const),
	...(['namedTwice', 'recordFailed'] as const),
];

/** The error table of the specification, row by row. */
const ERROR_TABLE = ERROR_ROWS.map(({ operation, message }) => [operation, message] as const);

const alternatives = [...new Set(ERROR_TABLE.flatMap(([, message]) => message.split(' or ')))];

const FORBIDDEN = /\b(?:errors?|problems?|failures?|failed|mistakes?)\b/i;
const AGAIN = /\b(?:again|retry|retries|retrying|re-?send|repeat)\b/i;
const textOf = ({ message, description }: ReturnType<typeof explainFailure>) =>
	`${message}\n${description}`;

describe('the error table of the specification', () => {
	it.each(ERROR_TABLE)('%s: "%s" is shown with its status and a hint', (operation, message) => {
		const creates = ['Collections', 'Payment link create'].includes(operation);
		for (const kind of ['refused', 'notAuthorized'] as const) {
			const failure = failureOf(kind, { status: 400, serviceMessage: message });
			const explanation = explainFailure(failure, { name: 'it', creates });
			expect(explanation.message).toContain(`: ${message} (HTTP 400)`);
			expect(explanation.description).toBe(hintsFor(message, creates).join(' '));
			expect(explanation.description).not.toBe('');
		}
		// One hint for each of its alternatives.
		const parts = message.split(' or ');
		const each = parts.flatMap((part) => hintsFor(part, true));
		expect(each).toHaveLength(parts.length);
		expect([...hintsFor(message, true)].sort()).toEqual([...each].sort());
	});

	it('of a status, "Transaction was not created" leads to the reference', () => {
		expect(hintsFor('Transaction was not created!', false)).toEqual([
			expect.stringContaining("'reference' in the item of the payment"),
		]);
	});

	it.each(['', 'Insufficient funds', 'user found', 'Country found'])(
		'"%s" is not in it and has no hint',
		(message) => {
			expect(hintsFor(message, true)).toEqual([]);
		},
	);
});

describe('explainFailure', () => {
	// What each advises is followed, case by case, in test/integration/node/advice.test.mts.
	it.each<[FailureKind, string]>([
		['refused', 'The service declined the balance: Words (HTTP 400)'],
		['notAuthorized', 'The service did not authorize the balance: Words (HTTP 400)'],
		[
			'unnamedRefusal',
			'The service declined the balance in words that are not in its documentation: Words (HTTP 400)',
		],
		['notConnected', 'No connection to the service for the balance: nothing was sent'],
		['noReply', 'The service did not answer the balance: the request may have reached it'],
		['rateLimited', 'The service asked to slow down at the balance: Words (HTTP 400)'],
		['serverFault', 'The service could not handle the balance: Words (HTTP 400)'],
		['redirected', 'The service pointed the balance to another address (HTTP 400)'],
		['invalidReply', 'The reply to the balance could not be read: Words (HTTP 400)'],
		['mismatch', "The reply to the balance is about another 'CODE' than was sent (HTTP 400)"],
		[
			'namedTwice',
			'The reply to the balance names the same link or reference as the reply to another row',
		],
	])('%s: %s', (kind, message) => {
		const failure = failureOf(kind, { status: 400, serviceMessage: 'Words', code: 'CODE' });
		expect(explainFailure(failure, BALANCE).message).toBe(message);
	});

	it.each<[FailureKind[], RegExp, RegExp]>([
		[
			['noReply', 'rateLimited', 'serverFault', 'invalidReply', 'mismatch', 'namedTwice'],
			/ Look it up in the service/,
			/\. Run it again later\.$/,
		],
		[['notConnected'], /reach it \(CODE\)\. If the service has moved/, /reach it \(CODE\)\.$/],
		[['redirected'], /If the service has moved.* Look it up/, /spelling\)\.$/],
		[['unnamedRefusal'], /Look it up in the service/, /Run it again later/],
		[['refused'], /^Check the values/, /^Check the values/],
		[['notAuthorized'], /^Check the credential's 'Client ID'/, /^Check the credential's/],
	])('%j: a create is looked up, a read may be run again', (kinds, ofCreate, ofRead) => {
		for (const kind of kinds) {
			const failure = failureOf(kind, { status: 400, serviceMessage: 'Words', code: 'CODE' });
			expect(explainFailure(failure, COLLECTION).description).toMatch(ofCreate);
			expect(explainFailure(failure, BALANCE).description).toMatch(ofRead);
		}
	});

	it('names the settings with which n8n sends to a private address', () => {
		const failure = failureOf('notConnected', { code: 'SsrfBlockedIpError' });
		expect(explainFailure(failure, COLLECTION).description).toMatch(
			/^n8n does not send to private addresses here\..* N8N_SSRF_ALLOWED_IP_RANGES \(SsrfBlockedIpError\)\. If the service has moved/,
		);
	});

	it('says so when the service gave no reason', () => {
		expect(explainFailure(failureOf('refused', { status: 400 }), BALANCE)).toEqual({
			message: 'The service declined the balance without a reason (HTTP 400)',
			description: 'Check the values that were sent.',
		});
		expect(explainFailure(failureOf('refused', { serviceMessage: '' }), BALANCE).message).toBe(
			'The service declined the balance without a reason',
		);
	});

	it('leaves out a cause and a status that are not known', () => {
		expect(explainFailure(failureOf('notConnected'), BALANCE).description).toMatch(/reach it\.$/);
		expect(explainFailure(failureOf('serverFault'), BALANCE).message).toBe(
			'The service could not handle the balance',
		);
	});

	it.each(KINDS)("%s: never advises to send a create again, and keeps to n8n's words", (kind) => {
		for (const serviceMessage of [null, 'Words', ...alternatives]) {
			const failure = failureOf(kind, { status: 500, serviceMessage, code: 'ECODE' });
			const ofCreate = textOf(explainFailure(failure, COLLECTION));
			expect(ofCreate).not.toMatch(AGAIN);
			for (const text of [ofCreate, textOf(explainFailure(failure, BALANCE))]) {
				expect(text).not.toMatch(FORBIDDEN);
			}
		}
	});
});
