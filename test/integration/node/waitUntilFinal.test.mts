import type { IDataObject } from 'n8n-workflow';

import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const tapped = throughout(async () => await startTapped({ mode: 'rich' }));
beforeEach(() => tapped.sandbox.reset());

/** A collection that stays pending, and its reference. */
async function pending(order = 'A-1'): Promise<string> {
	const { successJson } = await runPayments(
		{
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: 1250,
			mobile: '0712345678',
			orderReference: order,
			callbackUrl: 'https://n8n.example.com/webhook/x',
			options: { onDuplicate: 'sendAnyway' },
		},
		{ credential: tapped.credential() },
	);
	return String(successJson[0]!.reference);
}

const WAIT = {
	resource: 'transaction',
	operation: 'waitUntilFinal',
	reference: '={{ $json.reference }}',
	maxWaitSeconds: 4,
	intervalSeconds: 1,
};

const wait = async (references: string[], changes: IDataObject = {}, more: object = {}) =>
	await runPayments(
		{ ...WAIT, ...(changes as object) },
		{
			credential: tapped.credential(),
			items: references.map((reference) => ({ reference })),
			...more,
		},
	);

const questions = () =>
	tapped.tap.received.filter(({ path }) => path.includes('get-unified-transaction-status'));

it('gives each transaction as soon as it is final, all side by side', async () => {
	const [paid, failed, late] = [await pending('A-1'), await pending('A-2'), await pending('A-3')];
	tapped.sandbox.settle(paid, 'success');
	setTimeout(() => tapped.sandbox.settle(failed, 'failed'), 500);
	const started = Date.now();
	const { successJson, status } = await wait([paid, failed, late]);

	expect(status).toBe('success');
	expect(successJson).toEqual([
		expect.objectContaining({
			ref: paid,
			state: 'success',
			orderReference: 'A-1',
			paidInFull: true,
		}),
		expect.objectContaining({
			ref: failed,
			state: 'failed',
			failureMessage: 'The payment was declined',
		}),
		expect.objectContaining({ ref: late, state: 'timedOut', amount: 1250 }),
	]);
	expect(Date.now() - started).toBeLessThan(8_000);
});

it('asks once per item and interval at the most', async () => {
	const reference = await pending();
	tapped.tap.received.length = 0;
	await wait([reference], { maxWaitSeconds: 3 });
	expect(questions().length).toBeGreaterThanOrEqual(2);
	expect(questions().length).toBeLessThanOrEqual(4);
});

it('gives the whole record when it is not to be simplified', async () => {
	const reference = await pending();
	tapped.sandbox.settle(reference, 'success');
	const { successJson } = await wait([reference], { simplify: false });
	expect(successJson[0]).toMatchObject({ state: 'success', status_code: '200', fee: 18.75 });
});

it('waits for what the service does not know yet, and says so when time is up', async () => {
	const { successJson } = await wait(['PL-9'], { maxWaitSeconds: 1 });
	expect(successJson).toEqual([
		expect.objectContaining({ ref: 'PL-9', state: 'timedOut', amount: null }),
	]);
});

it('is an error when that is wanted, on the right output', async () => {
	const reference = await pending();
	const { failedJson, successJson } = await wait(
		[reference],
		{ maxWaitSeconds: 1, options: { onTimeout: 'error' } },
		{ onError: 'continueErrorOutput' },
	);
	expect(successJson).toEqual([]);
	expect(failedJson).toEqual([
		expect.objectContaining({
			reference,
			error: expect.objectContaining({
				message: `The transaction "${reference}" is still "pending" after 1 seconds [Item 0]`,
				description: expect.stringContaining("'Get' of 'Transaction'") as string,
			}) as object,
		}),
	]);
});

it('goes on over a service that is down for a moment', async () => {
	const reference = await pending();
	tapped.sandbox.settle(reference, 'success');
	tapped.sandbox.faults.add({ kind: 'server-error', route: 'status.v3', first: 1 });
	const { successJson } = await wait([reference]);
	expect(successJson[0]).toMatchObject({ state: 'success' });
	tapped.sandbox.faults.clear();
});

it('stops when the execution is cancelled', async () => {
	const reference = await pending();
	const cancel = new AbortController();
	setTimeout(() => cancel.abort(), 500);
	const started = Date.now();
	await wait([reference], { maxWaitSeconds: 60, intervalSeconds: 30 }, { signal: cancel.signal });
	expect(Date.now() - started).toBeLessThan(5_000);
});
