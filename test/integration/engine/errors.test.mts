import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runNode } from '../../../host/engine/index.mts';
import { toyNode } from './toys/node.mts';

type Shape = (message: string, item: number) => INodeExecutionData;

const asErrorKeys: Shape = (message, item) => ({
	json: { error: message, details: { row: item + 1 } },
	pairedItem: { item },
});

/** Refuses rows marked `bad`, and shapes each refusal as it is told. */
const picky = (shape: Shape) =>
	toyNode(async function (this: IExecuteFunctions) {
		return [
			this.getInputData().map((item, i) => {
				if (item.json.bad !== true)
					return { json: { sent: item.json.row }, pairedItem: { item: i } };
				if (!this.continueOnFail()) throw new Error(`Row ${i + 1} is bad`);
				return shape(`Row ${i + 1} is bad`, i);
			}),
		];
	});

const toErrorOutput = { onError: 'continueErrorOutput' } as const;
const items = [{ row: 1 }, { row: 2, bad: true }, { row: 3 }];

test('an error stops the workflow by default', async () => {
	const { status, nodeError, failure, success } = await runNode(picky(asErrorKeys), {}, { items });

	expect(status).toBe('error');
	expect(nodeError?.message).toBe('Row 2 is bad');
	expect(failure?.message).toBe('Row 2 is bad');
	expect(success).toEqual([]);
});

test('items of error, message and details go to the error output with the row kept', async () => {
	const result = await runNode(picky(asErrorKeys), {}, { items, ...toErrorOutput });

	expect(result.status).toBe('success');
	expect(result.successJson).toEqual([{ sent: 1 }, { sent: 3 }]);
	expect(result.failedJson).toEqual([
		{ row: 2, bad: true, error: 'Row 2 is bad', details: { row: 2 } },
	]);
});

test('one more key, and the error item lands on the success output', async () => {
	const shape: Shape = (error, item) => ({ json: { error, row: 2 }, pairedItem: { item } });
	const { successJson, failed } = await runNode(picky(shape), {}, { items, ...toErrorOutput });

	expect(successJson).toContainEqual({ error: 'Row 2 is bad', row: 2 });
	expect(failed).toEqual([]);
});

test('an error on the item itself loses the fields of the row', async () => {
	const shape: Shape = (message, item) => ({
		json: {},
		error: new Error(message) as INodeExecutionData['error'],
		pairedItem: { item },
	});
	const { failedJson } = await runNode(picky(shape), {}, { items, ...toErrorOutput });

	expect(failedJson).toEqual([{ error: 'Row 2 is bad' }]);
});

test('an error thrown in spite of the error output sends the input down the success output', async () => {
	const thrower = toyNode(async () => {
		throw new Error('thrown');
	});
	const { successJson, failed } = await runNode(thrower, {}, { items, ...toErrorOutput });

	expect(successJson).toEqual(items);
	expect(failed).toEqual([]);
});

test('continuing with the regular output keeps error items among the others', async () => {
	for (const toggle of [{ onError: 'continueRegularOutput' }, { continueOnFail: true }] as const) {
		const { successJson, failed } = await runNode(picky(asErrorKeys), {}, { items, ...toggle });

		expect(successJson.map((json) => json.error ?? json.sent)).toEqual([1, 'Row 2 is bad', 3]);
		expect(failed).toEqual([]);
	}
});

test('Retry On Fail runs the whole node again, and the node context remembers', async () => {
	let sends = 0;
	const forgetful = toyNode(async function () {
		sends += this.getInputData().length;
		throw new Error('again');
	});
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const forgot = await runNode(forgetful, {}, { items, ...retry });
	expect(forgot.status).toBe('error');
	expect(sends).toBe(9);

	sends = 0;
	const careful = toyNode(async function () {
		const done = this.getContext('node');
		for (const { json } of this.getInputData()) {
			if (done[String(json.row)] === true) continue;
			sends += 1;
			done[String(json.row)] = true;
			if (json.bad === true) throw new Error('once');
		}
		return [this.getInputData()];
	});
	const remembered = await runNode(careful, {}, { items, ...retry });
	expect(remembered.status).toBe('success');
	expect(sends).toBe(3);
});

test('Retry On Fail also counts a first item with an error as failed', async () => {
	let runs = 0;
	const first = toyNode(async () => {
		runs += 1;
		return [[{ json: { error: 'first' }, pairedItem: { item: 0 } }]];
	});
	const retry = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 };
	await runNode(first, {}, { ...toErrorOutput, ...retry });

	expect(runs).toBe(4);
});

test('a node can put the execution to wait', async () => {
	const until = new Date(Date.now() + 60_000);
	const waiting = toyNode(async function () {
		await this.putExecutionToWait(until);
		return [this.getInputData().slice()];
	});
	const { status, waitTill, success } = await runNode(waiting, {});

	expect(status).toBe('waiting');
	expect(waitTill).toEqual(until);
	expect(success).toEqual([]);
});
