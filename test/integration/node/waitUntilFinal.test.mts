import type { IDataObject } from 'n8n-workflow';

import { COLLECT, HOOK, usePayments, type More } from '../../helpers/payments.mts';

const { run, sandbox } = usePayments({ mode: 'rich' });

/** A collection that stays pending, and its reference. */
const pending = async (order = 'A-1'): Promise<string> => {
	const { successJson } = await run(COLLECT, [{ amount: 1250, order, hook: HOOK }]);
	return String(successJson[0]!.reference);
};

const wait = async (references: string[], changes: IDataObject = {}, more: More = {}) =>
	await run(
		{
			resource: 'transaction',
			operation: 'waitUntilFinal',
			reference: '={{ $json.reference }}',
			maxWaitSeconds: 4,
			intervalSeconds: 1,
			...(changes as object),
		},
		references.map((reference) => ({ reference })),
		more,
	);

it('gives each transaction as soon as it is final, all side by side', async () => {
	const [paid, failed, late] = [await pending('A-1'), await pending('A-2'), await pending('A-3')];
	sandbox.settle(paid, 'success');
	setTimeout(() => sandbox.settle(failed, 'failed'), 500);
	const started = Date.now();
	const { successJson } = await wait([paid, failed, late]);
	expect(successJson).toMatchObject([
		{ ref: paid, state: 'success', orderReference: 'A-1', paidInFull: true },
		{ ref: failed, state: 'failed', failureMessage: 'The payment was declined' },
		{ ref: late, state: 'timedOut', amount: 1250 },
	]);
	expect(Date.now() - started).toBeLessThan(8_000);
});

it('gives the whole record, also over a service that is down for a moment', async () => {
	const reference = await pending();
	sandbox.settle(reference, 'success');
	sandbox.faults.add({ kind: 'server-error', route: 'status.v3', first: 1 });
	const { successJson } = await wait([reference], { simplify: false });
	expect(successJson).toMatchObject([{ state: 'success', status_code: '200', fee: 18.75 }]);
});

it('waits for what the service does not know yet, and says so when time is up', async () => {
	const { successJson } = await wait(['PL-9'], { maxWaitSeconds: 1 });
	expect(successJson).toMatchObject([{ ref: 'PL-9', state: 'timedOut', amount: null }]);
});

it('is an error when that is wanted, on the right output', async () => {
	const reference = await pending();
	const options = { onTimeout: 'error' };
	const onError = 'continueErrorOutput';
	const result = await wait([reference], { maxWaitSeconds: 1 }, { options, onError });
	expect(result.successJson).toEqual([]);
	expect(result.failedJson).toMatchObject([
		{
			reference,
			error: {
				message: `The transaction "${reference}" is still "pending" after 1 seconds [Item 0]`,
				description: expect.stringContaining("'Get' of 'Transaction'") as string,
			},
		},
	]);
});
