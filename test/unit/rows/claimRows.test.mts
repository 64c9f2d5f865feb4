import type { ReadyRow } from '../../../nodes/UnifiedPayments/rows/checkRows.ts';
import {
	claimRows,
	peekRows,
	settleRow,
	type Permission,
} from '../../../nodes/UnifiedPayments/rows/claimRows.ts';
import type { Claim, Claims } from '../../../nodes/UnifiedPayments/rows/claims.ts';
import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';
import { NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';

const HERE = { sender: 'here' };
const STOPPED = { sender: 'stopped' };

/** A row that is known by `key`, or by nothing. */
const row = (key: string | null, account = HERE, onDuplicate = 'skip') =>
	({
		account,
		options: { onDuplicate },
		identity: key === null ? null : { key, values: null },
	}) as unknown as ReadyRow;

/** Says of each payment what it was asked about, in the order of the question. */
function claimsThat(answer: (key: string) => Claim, stoodStill = false) {
	const asked: string[] = [];
	const settled: unknown[] = [];
	const ask: Claims['claim'] = async (wishes) => {
		asked.push(
			...wishes.map(({ key, sendUnanswered }) => `${key}${sendUnanswered ? ' again' : ''}`),
		);
		return wishes.map(({ key }) => answer(key));
	};
	const claims = {
		claim: ask,
		peek: ask,
		stoodStill: () => stoodStill,
		settle: (...given: unknown[]) => settled.push(given),
	} as unknown as Claims;
	return { claims, asked, settled };
}

const halt = {
	reason: (account: unknown) => (account === STOPPED ? 'stopped' : null),
} as unknown as Parameters<typeof claimRows>[2];

describe('rows are claimed', () => {
	it('each by what it is known by; one that is known by nothing is free', async () => {
		const { claims, asked } = claimsThat((key) => (key === 'b' ? 'answered' : 'mine'));
		const rows = [row('a'), row(null), row('b', HERE, 'sendUnanswered'), row('c')];
		expect(await claimRows(claims, rows, halt)).toEqual(['mine', 'free', 'answered', 'mine']);
		expect(asked).toEqual(['a', 'b again', 'c']);
	});

	it('not when none of them is known by anything: the store is not asked', async () => {
		const { claims, asked } = claimsThat(() => 'mine');
		claims.claim = async () => {
			throw new Error('asked for nothing');
		};
		expect(await claimRows(claims, [row(null), row(null)], halt)).toEqual(['free', 'free']);
		expect(asked).toEqual([]);
	});

	it('not those of an account that sends nothing more', async () => {
		const { claims, asked } = claimsThat(() => 'mine');
		const rows = [row('a', STOPPED), row('b')];
		expect(await claimRows(claims, rows, halt)).toEqual(['free', 'mine']);
		expect(asked).toEqual(['b']);
	});

	it('unless n8n stood still: somebody else may have sent them', async () => {
		const { claims, asked } = claimsThat(() => 'doubtful', true);
		expect(await claimRows(claims, [row('a', STOPPED)], halt)).toEqual(['doubtful']);
		expect(asked).toEqual(['a']);
	});

	it('or not sent: without a record nobody would know', async () => {
		const { claims } = claimsThat(() => 'mine');
		claims.claim = async () => {
			throw new Error('the disk is full');
		};
		const [first, free] = await claimRows(claims, [row('a'), row(null)], halt);
		expect(free).toBe('free');
		const { error } = first as { error: NotSentError };
		expect(error).toBeInstanceOf(NotSentError);
		expect(error.message).toBe(
			'Not sent, because the row could not be recorded as being sent: the disk is full',
		);
		expect(error.description).toBe(
			"Without that record it could be sent twice. Check n8n's database, and that the workflow is saved.",
		);
	});
});

it('rows that are only looked at are those of a stopped account, too', async () => {
	const { claims } = claimsThat((key) => (key === 'a' ? 'answered' : 'mine'));
	const rows = [row('a', STOPPED), row(null), row('b')];
	expect(await peekRows(claims, rows)).toEqual(['answered', 'free', 'mine']);
});

describe('what became of a row', () => {
	const item = (outcome: string): RowResult => ({ items: [{ outcome }] });
	it.each<[string, RowResult]>([
		['answered', item('accepted')],
		['unanswered', item('unknown')],
		['released', item('rejected')],
		['released', { error: new NotSentError('No', 'Try again.') }],
		['released', { error: new Error('a mistake of ours') }],
	])('is written down as %s', (end, result) => {
		const { claims, settled } = claimsThat(() => 'mine');
		settleRow(claims, row('a'), 'mine', result);
		expect(settled).toEqual([['a', end]]);
	});

	it.each<Permission>(['underWay', 'answered', 'unanswered', 'doubtful', 'free'])(
		'is left to others when the claim is %j',
		(permission) => {
			const { claims, settled } = claimsThat(() => 'mine');
			settleRow(claims, row('a'), permission, item('unknown'));
			expect(settled).toEqual([]);
		},
	);

	it('is nobody’s business when it is known by nothing', () => {
		const { claims, settled } = claimsThat(() => 'mine');
		settleRow(claims, row(null), 'mine', item('accepted'));
		expect(settled).toEqual([]);
	});
});
