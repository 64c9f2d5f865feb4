import { checkBatch } from '../../../../nodes/UnifiedPayments/rows/create/batchLimits.ts';

it.each([
	['accepted', 'mine', true],
	['unknown', 'mine', true],
	['rejected', 'mine', false],
	['accepted', 'unanswered', false],
	['unknown', 'unanswered', false],
])('a row that was %s by the claim "%s" counts at a retry: %p', async (outcome, claim, counts) => {
	const prepared = { payment: { amount: '60', currency: 'KES' } };
	const row = { request: { prepared, options: {}, key: {}, isCompared: true }, result: null };
	const sent = { ...row, claimResult: claim, result: { items: [{ outcome }] } };
	const claims = { peek: () => Promise.resolve(['answered', 'mine']) };
	const options = { maxTotal: '100', approvedFingerprint: null };
	const run = { options, claims, yieldToHost: () => Promise.resolve() };
	expect((await checkBatch(run as never, [sent, row] as never)) !== null).toBe(counts);
});
