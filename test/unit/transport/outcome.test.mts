import fc from 'fast-check';

import { alternativesOf, ERROR_ROWS } from '../../../dev/sandbox/api/errorTable.mts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { ERROR_TABLE } from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';
import { readReply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import {
	failedVerdict,
	namedRefusalOnly,
	ofThisPayment,
	outcomeOf,
	stopsBatch,
	verdictOf,
	type FailureKind,
	type Verdict,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { runs } from '../../helpers/runs.mts';

const FINAL = 'Amount is below the minimum.';
const FINAL_REFUSALS = [FINAL, 'Numéro invalide'];
const accountWith = (changes: object = {}) =>
	readCredential({
		...{ baseUrl: 'https://pay.example.com', clientId: 'c', sender: 's', secretKey: 'secret-key' },
		finalRefusals: `${FINAL}\n\n  Numéro invalide  `,
		...changes,
	});
const ACCOUNT = accountWith();

const accepted = (data: unknown): Verdict => ({
	ok: true,
	status: 201,
	reply: readReply({ success: true, message: 'Done', data }),
});

describe('outcomeOf', () => {
	it.each<[FailureKind, string, boolean]>([
		['notConnected', 'not_sent', false],
		['noReply', 'unknown', false],
		['rateLimited', 'unknown', false],
		['serverFault', 'unknown', false],
		['refused', 'rejected', false],
		['notAuthorized', 'rejected', true],
		['unnamedRefusal', 'unknown', false],
		['redirected', 'unknown', true],
		['invalidReply', 'unknown', false],
		['mismatch', 'unknown', false],
		['namedTwice', 'unknown', false],
		['recordFailed', 'rejected', false],
	])('of %s is %s', (kind, outcome, stops) => {
		const verdict = failedVerdict(kind, {});
		expect(outcomeOf(verdict)).toBe(outcome);
		expect(!verdict.ok && stopsBatch(verdict.failure)).toBe(stops);
	});

	it('is accepted only for a yes', () => {
		expect(outcomeOf(accepted({}))).toBe('accepted');
	});
});

/** What becomes of a create that is answered like this. */
function judged(status: number, body: unknown, account = ACCOUNT) {
	const attempt = { kind: 'answered' as const, status, headers: {}, body };
	return namedRefusalOnly(verdictOf(attempt, 0), account);
}
const no = (message: unknown, more: object = {}) => ({ success: false, message, ...more });
const isReleased = (...asked: Parameters<typeof judged>) =>
	outcomeOf(judged(...asked)) === 'rejected';

describe('a refusal', () => {
	it.each([
		...ERROR_TABLE.flatMap((line) => [line, ...line.split(' or ')]),
		...['TRANSACTION WAS NOT CREATED', ' Payment link was not created ', 'User not found'],
		...[FINAL, 'amount is below the minimum', 'numéro invalide!'],
	])('is known by name: %j', (message) => {
		for (const status of [200, 201, 400, 401, 403, 404, 422, 499])
			expect(isReleased(status, no(message))).toBe(true);
		// What may pass, or says nothing of the request.
		for (const status of [408, 409, 425, 429, 500, 503, 599, 301, 199])
			expect(isReleased(status, no(message))).toBe(false);
	});

	it.each([
		...['', 'No', 'Payment went through', 'Funds have been deducted', 'Malipo yamekamilika'],
		...[
			'Transaction was not created yet',
			'It was not created',
			'Amount is below the minimum of 5',
		],
		...['Le paiement existe déjà', '✅', 'Transaction was not created or it is pending'],
		...[null, 7, {}, ['User not found!']],
	])('in other words is none: %j', (message) => {
		for (const status of [200, 400, 401, 403, 404, 422])
			expect(isReleased(status, no(message))).toBe(false);
	});

	it.each([
		{ data: { ref: 'TX-1' } },
		{ reference: 7 },
		{ data: { link: 'https://pay.example.com/1' } },
		{ url: 'https://pay.example.com/1' },
	])('is none where it names the payment: %j', (more) => {
		expect(isReleased(400, no(ERROR_TABLE[0], more))).toBe(false);
	});

	it('names it only by the names of the credential', () => {
		const account = accountWith({ referenceFields: 'payment.id', linkFields: '' });
		expect(isReleased(400, no(FINAL, { data: { ref: 'TX-1' } }), account)).toBe(true);
		expect(isReleased(400, no(FINAL, { data: { payment: { id: 1 } } }), account)).toBe(false);
	});

	it('counts only from the service itself', () => {
		for (const body of [
			ERROR_TABLE[0],
			{ message: ERROR_TABLE[0] },
			{ success: 'no', message: ERROR_TABLE[0] },
			[no(ERROR_TABLE[0])],
			`<html>${ERROR_TABLE[0]}</html>`,
		])
			expect(isReleased(400, body)).toBe(false);
		expect(isReleased(400, JSON.stringify(no(ERROR_TABLE[0])))).toBe(true);
		expect(isReleased(400, { success: 'false', message: ERROR_TABLE[0] })).toBe(true);
	});

	it.each([
		[403, 'anything', true],
		[401, ERROR_TABLE[4], true],
		[200, 'Request was not verified.', true],
		[400, ERROR_TABLE[2], true],
		[400, 'User not found!', true],
		[400, ERROR_TABLE[4], false],
		[400, ERROR_TABLE[1], false],
		[400, 'Your signature is wrong', false],
	])('with HTTP %d and %j stops the batch: %p', (status, message, stops) => {
		const verdict = judged(status, no(message));
		expect(!verdict.ok && stopsBatch(verdict.failure)).toBe(stops);
	});
});

/** The specification's table from its fixture: what the code says of itself proves nothing. */
const CLOSED = [
	...ERROR_ROWS.flatMap(({ message }) => [message, ...alternativesOf(message)]),
	...FINAL_REFUSALS,
].map((each) => each.toLowerCase().replace(/[.!]+$/, ''));
const plain = (text: string) =>
	text
		.trim()
		.toLowerCase()
		.replace(/[\s.!?…]+$/u, '')
		// The name of the service is one word.
		.replace(/^\S{1,40} (?=user not found(?:$| or ))/, 'service ');

const WORDS = [
	...['already', 'exists', 'duplicate', 'pending', 'processing', 'not', 'was', 'created', 'yet'],
	...['tayari', 'malipo', 'imelipwa', 'haijaundwa', 'déjà', 'créée', 'n’existe', 'pas', 'encore'],
	...['✅', '💸', 'or', 'user', 'found', 'transaction', 'payment', 'link', 'again', ':', '-', '.'],
];
const word = fc.constantFrom(...WORDS);
const message = fc.oneof(
	fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.constantFrom('', ' ', 'x'.repeat(5000), ...CLOSED, ...CLOSED.map((each) => `${each}!`)),
	// A sentence of the table with a word more, or less.
	fc.tuple(fc.constantFrom(...CLOSED), fc.nat(12), fc.option(word)).map(([line, at, more]) => {
		const words = line.split(' ');
		words.splice(at % (words.length + 1), more === null ? 1 : 0, ...(more === null ? [] : [more]));
		return words.join(' ');
	}),
);
const anyStatus = fc.oneof(
	fc.integer({ min: 100, max: 599 }),
	fc.constantFrom(200, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 503),
);
const MAY_PASS = [408, 409, 425, 429];
const canDecline = (status: number) =>
	(status >= 200 && status < 300) || (status >= 400 && status < 500 && !MAY_PASS.includes(status));

it('no message outside the closed list releases a claim, with whatever status', () => {
	const seen = { released: 0, kept: 0 };
	fc.assert(
		fc.property(message, anyStatus, (words, status) => {
			const expected = canDecline(status) && CLOSED.includes(plain(words));
			expect(isReleased(status, no(words))).toBe(expected);
			seen[expected ? 'released' : 'kept']++;
		}),
		{ numRuns: runs(100_000, 10_000) },
	);
	expect(seen.released).toBeGreaterThan(500);
});

describe('a reply that is a yes', () => {
	it('is believed whatever it says of amounts and payers', () => {
		const verdict = accepted({ amount: 5, item_name: 'Other', mobile: '1' });
		expect(ofThisPayment(verdict, { amount: 10 }, ACCOUNT)).toBe(verdict);
	});

	it('is not believed with the order of another payment', () => {
		const verdict = accepted({ third_party_reference_1: 'B-2' });
		const sent = { third_party_reference_1: 'A-1' };
		const known = { status: 201, serviceMessage: 'Done', code: 'third_party_reference_1' };
		expect(ofThisPayment(verdict, sent, ACCOUNT)).toEqual(failedVerdict('mismatch', known));
		const declined = failedVerdict('refused', {});
		expect(ofThisPayment(declined, sent, ACCOUNT)).toBe(declined);
	});
});
