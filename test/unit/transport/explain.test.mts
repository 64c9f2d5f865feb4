import { ERROR_ROWS } from '../../../dev/sandbox/api/errorTable.mts';
import { ADVICE, type Advice } from '../../../nodes/UnifiedPayments/protocol/advice.ts';
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
/** By name; none of them is part of another. */
const advisedIn = ({ description }: ReturnType<typeof explainFailure>): Advice[] =>
	(Object.keys(ADVICE) as Advice[]).filter((each) => description.includes(ADVICE[each]));
const textOf = ({ message, description }: ReturnType<typeof explainFailure>) =>
	`${message}\n${description}`;

describe('the error table of the specification', () => {
	it.each(ERROR_TABLE)('%s: "%s" is shown with its status and a hint', (operation, message) => {
		const creates = ['Collections', 'Payment link create'].includes(operation);
		for (const kind of ['refused', 'notAuthorized'] as const) {
			const failure = failureOf(kind, { status: 400, serviceMessage: message });
			const explanation = explainFailure(failure, { name: 'it', creates });
			expect(explanation.message).toContain(`: ${message} (HTTP 400)`);
			expect(advisedIn(explanation).sort()).toEqual(hintsFor(message, creates).sort());
		}
		// One hint for each of its alternatives.
		const parts = message.split(' or ');
		const each = parts.flatMap((part) => hintsFor(part, true));
		expect(each).toHaveLength(parts.length);
		expect([...hintsFor(message, true)].sort()).toEqual([...each].sort());
	});

	it('of a status, "Transaction was not created" leads to the reference', () => {
		expect(hintsFor('Transaction was not created!', false)).toEqual(['otherReference']);
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
	it.each<[FailureKind, Advice[], Advice[]]>([
		['noReply', ['lookUpFirst'], ['runLater']],
		['rateLimited', ['slower', 'lookUpFirst'], ['slower', 'runLater']],
		['serverFault', ['lookUpFirst'], ['runLater']],
		['invalidReply', ['newHost', 'baseUrl', 'lookUpFirst'], ['baseUrl', 'runLater']],
		['mismatch', ['lookUpFirst'], ['runLater']],
		['namedTwice', ['lookUpFirst'], ['runLater']],
		['notConnected', ['newHost', 'unreachable'], ['unreachable']],
		['redirected', ['newHost', 'redirected', 'lookUpFirst'], ['redirected']],
		['unnamedRefusal', ['lookUpFirst'], ['runLater']],
		['refused', ['values'], ['values']],
		['notAuthorized', ['account'], ['account']],
		['recordFailed', ['correctFirst'], ['correctFirst']],
	])('%s advises: of a create %j, of a read %j', (kind, ofCreate, ofRead) => {
		const failure = failureOf(kind, { status: 400, serviceMessage: 'Words', code: 'CODE' });
		expect(advisedIn(explainFailure(failure, COLLECTION)).sort()).toEqual(ofCreate.sort());
		expect(advisedIn(explainFailure(failure, BALANCE)).sort()).toEqual(ofRead.sort());
	});

	it('names the settings with which n8n sends to a private address', () => {
		const failure = failureOf('notConnected', { code: 'SsrfBlockedIpError' });
		expect(advisedIn(explainFailure(failure, BALANCE))).toEqual(['blockedByHost']);
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
