import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import type { ReadyRow } from '../../../nodes/UnifiedPayments/rows/checkRows.ts';
import type { Permission } from '../../../nodes/UnifiedPayments/rows/claimRows.ts';
import type { Claim } from '../../../nodes/UnifiedPayments/rows/claims.ts';
import { createHalt, type Pacer } from '../../../nodes/UnifiedPayments/rows/pacer.ts';
import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';
import {
	dryResult,
	repeatResult,
	sendRow,
	skipRow,
	type SendRun,
} from '../../../nodes/UnifiedPayments/rows/sendRow.ts';
import { NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf, type Verdict } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const names = createRowNames(() => ({}));
const OPERATION = {
	name: 'the payment link',
	path: '/links',
	noReply: { link: null },
	fromReply: ({ data }: { data: { link: string } }) => ({ link: data.link.trim() }),
} as unknown as CreateOperation;

interface Given {
	options?: object;
	by?: string;
	repeats?: number;
	answer?: Verdict | Error;
}

function readyRow({ options = {}, by = 'orderReference', repeats, answer }: Given = {}) {
	const sent: unknown[] = [];
	const row = {
		account: {},
		client: {
			redactor: new Redactor(),
			create: async (...given: unknown[]) => {
				sent.push(given.slice(0, 2));
				if (answer instanceof Error) throw answer;
				return answer;
			},
		},
		options: readOptions({ ...options }),
		identity: { key: 'k', by, values: null },
		repeats: repeats ?? null,
		prepared: {
			params: { amount: 100 },
			shown: { amount: 100 },
			payment: { orderReference: 'A-1' },
		},
	} as unknown as ReadyRow;
	return { row, sent };
}

/** Sends a row that this run claimed. */
async function send(answer: Verdict | Error, permission: Permission = 'mine', reason?: string) {
	const { row, sent } = readyRow({ answer });
	const pauses: number[] = [];
	const halt = createHalt(false, () => false, names);
	if (reason !== undefined) halt.because(reason);
	const pacer = { pause: (ms: number) => pauses.push(ms) } as unknown as Pacer;
	const run: SendRun = { operation: OPERATION, names, pacer };
	const result = await sendRow(run, row, permission, halt);
	return { result, sent, pauses, halted: halt.reason(row.account) };
}

const yes = (data: unknown = { link: ' https://p.example/1 ' }): Verdict =>
	({ ok: true, reply: { success: true, message: 'Created', data } }) as unknown as Verdict;
const no = (...failure: Parameters<typeof failureOf>): Verdict =>
	({ ok: false, failure: failureOf(...failure) }) as Verdict;

describe('a row that is sent', () => {
	it.each<Permission>(['mine', 'free'])(
		'is sent once when it is %s, and accepted',
		async (given) => {
			const { result, sent, halted } = await send(yes(), given);
			expect(result).toEqual({
				items: [
					{
						outcome: 'accepted',
						success: true,
						message: 'Created',
						data: { link: ' https://p.example/1 ' },
						link: 'https://p.example/1',
						orderReference: 'A-1',
						request: { amount: 100 },
					},
				],
			});
			expect(sent).toEqual([['/links', { amount: 100 }]]);
			expect(halted).toBeNull();
		},
	);

	it('was accepted even where its reply cannot be read: it never counts as not sent', async () => {
		const { result } = await send(yes({ link: 7 }));
		expect(result).toMatchObject({
			error: {
				outcome: 'unknown',
				failure: { kind: 'invalidReply' },
				subject: { name: 'the payment link', creates: true },
				request: { amount: 100 },
			},
		});
	});

	it.each([
		[2500, 2500],
		[null, 1000],
	])('lets the batch rest when it is told to slow down, for %j: %i ms', async (asked, rest) => {
		const { pauses, halted } = await send(no('rateLimited', { status: 429, retryAfterMs: asked }));
		expect(pauses).toEqual([rest]);
		expect(halted).toBeNull();
	});

	it('stops the batch where every other row of its account would fare the same', async () => {
		const { halted, pauses } = await send(no('notAuthorized', { status: 401, saidNo: true }));
		expect(halted).toBe('the service would answer every other row of this account in the same way');
		expect(pauses).toEqual([]);
		expect((await send(no('refused', { status: 400, saidNo: true }))).halted).toBeNull();
	});
});

describe('a row that is not sent', () => {
	it('has the error of its claim', async () => {
		const error = new Error('not recorded');
		const { result, sent } = await send(yes(), { error });
		expect(result).toEqual({ error });
		expect(sent).toEqual([]);
	});

	it('says why it was left alone', async () => {
		const { result, sent } = await send(yes(), 'mine', 'another row is bad');
		expect(result).toMatchObject({
			error: {
				message: 'Not sent, because another row is bad',
				description: 'Nothing left this machine for this row.',
			},
		});
		expect(sent).toEqual([]);
	});

	it('was finished by an earlier try, was not come to, or is bad', () => {
		const finished = { get: (row: number) => (row === 1 ? BAD : undefined), set() {} };
		const { row } = readyRow();
		expect(skipRow(finished, row, 1)).toBe(BAD);
		expect(skipRow(finished, undefined, 0)).toMatchObject({
			error: { message: 'Not sent, because the execution was cancelled' },
		});
		expect(skipRow(finished, BAD, 0)).toBe(BAD);
		expect(skipRow(finished, row, 0)).toBeUndefined();
	});
});

const BAD = { error: new NotSentError('It is bad', 'Correct it.') };

describe('a row that was claimed before', () => {
	const LOOK_UP =
		"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed.";
	const AGAIN = `${LOOK_UP} If it is not there, set 'On Duplicate' to 'Send Unanswered', and run only rows that you did not find: all rows without an answer are sent then.`;
	const CLAIMS: Array<[Exclude<Claim, 'mine'>, outcome: string, says: RegExp, advice: string]> = [
		[
			'answered',
			'duplicate',
			/and it was accepted$/,
			'To charge once more on purpose, e.g. every month, give this payment an order reference of its own, e.g. with the month.',
		],
		[
			'answeredOtherwise',
			'duplicate',
			/with another payer or amount, and it was accepted$/,
			'What was sent then still holds. If this is another payment, give it an order reference of its own.',
		],
		['unanswered', 'unknown', /the same payment, and no answer to it is on record$/, AGAIN],
		['unansweredOtherwise', 'unknown', /another payer or amount, and no answer/, AGAIN],
		[
			'unclear',
			'unknown',
			/it is not on record whether it was accepted$/,
			`${LOOK_UP} If it is not there, give this row, and no other, a 'Duplicate Key' of its own: it is then sent as a new payment.`,
		],
		[
			'underWay',
			'unknown',
			/is sending the same payment at this moment$/,
			'Wait until that run has ended, and look at its result.',
		],
		['doubtful', 'unknown', /^Not sent: n8n stood still/, AGAIN],
	];

	it.each(CLAIMS)('%s: is %s, and says what to do', async (claim, outcome, says, advice) => {
		const asError = readyRow({ options: { onDuplicate: 'error' } }).row;
		const { error } = dryResult(OPERATION, asError, claim) as { error: NotSentError };
		expect(error).toMatchObject({ outcome, description: advice });
		expect(error.message).toMatch(says);

		const { result, sent } = await send(yes(), claim);
		expect(result).toMatchObject({
			items: [{ outcome, message: `${error.message}. ${advice}`, link: null }],
		});
		expect(sent).toEqual([]);
		expect(dryResult(OPERATION, readyRow().row, claim)).toEqual({ ...result, dryRun: true });
	});

	it('by a key of its own, is told to take another key', () => {
		const { row } = readyRow({ by: 'duplicateKey' });
		expect(JSON.stringify(dryResult(OPERATION, row, 'answered'))).toContain(
			"a 'Duplicate Key' of its own",
		);
	});

	it.each<Permission>(['mine', 'free', { error: new Error('not looked up') }])(
		'not at all: a dry run would send it (%j)',
		(permission) => {
			expect(dryResult(OPERATION, readyRow().row, permission)).toMatchObject({
				items: [{ outcome: 'valid', message: 'Dry run: would be sent' }],
				dryRun: true,
			});
		},
	);
});

describe('a row that repeats an earlier one', () => {
	const run = { operation: OPERATION, names } as unknown as SendRun;
	const { row } = readyRow({ repeats: 2 });
	const item = (outcome: string): RowResult => ({
		items: [{ outcome, link: 'https://p.example' }],
	});

	it.each(['accepted', 'duplicate', 'unknown', 'valid'])(
		'is a duplicate when that was %s, with what is known of it',
		(outcome) => {
			expect(repeatResult(run, row, item(outcome))).toMatchObject({
				items: [
					{
						outcome: 'duplicate',
						message: 'Not sent: the same as row 3 (item 2)',
						link: 'https://p.example',
					},
				],
				dryRun: false,
			});
		},
	);

	it.each<[RowResult, string]>([
		[item('rejected'), 'rejected'],
		[BAD, 'not sent'],
	])('is not sent either when that was not: %j', (first, word) => {
		expect(repeatResult(run, row, first)).toMatchObject({
			items: [
				{
					outcome: 'not_sent',
					message: `Not sent: the same as row 3 (item 2), which was ${word}`,
					link: null,
				},
			],
		});
	});
});
