import type { IExecuteFunctions } from 'n8n-workflow';

import { createFinishedRows } from '../../../../nodes/UnifiedPayments/rows/claims/finishedRows.ts';
import { CallError, NotSentError } from '../../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf } from '../../../../nodes/UnifiedPayments/transport/verdict.ts';

/** What the host hands to a node: the same objects in a retry. */
const run = (executeData: object, json: object = {}) =>
	createFinishedRows({
		getExecuteData: () => executeData,
		getInputData: () => [{ json }],
	} as unknown as IExecuteFunctions);

const result = { items: [{ outcome: 'accepted' }] };
const MINE = { claim: 'mine' as const };
const ACCEPTED = { ...MINE, result };

it('a retry finds the row at its place', () => {
	const [execution, json] = [{}, {}];
	run(execution, json).set({ place: 2, ...MINE }, result);
	expect(run(execution, json).get(2)).toEqual(ACCEPTED);
	expect(run(execution, json).get(1)).toBeUndefined();
});

it('another run of a loop has other execution data, though the items may be the same', () => {
	const json = {};
	run({}, json).set({ place: 0, ...MINE }, result);
	expect(run({}, json).get(0)).toBeUndefined();
});

it('another call by an AI agent has other arguments within the same execution data', () => {
	const execution = {};
	run(execution, { order: 'A' }).set({ place: 0, ...MINE }, result);
	expect(run(execution, { order: 'A' }).get(0)).toBeUndefined();
});

it('only what never left may be tried again', () => {
	const [execution, json] = [{}, {}];
	const subject = { name: 'the collection', creates: true };
	const errors = [
		...(['unknown', 'rejected', 'not_sent'] as const).map(
			(outcome) => new CallError(failureOf('noReply'), subject, outcome),
		),
		new NotSentError('Not sent', 'because'),
	];
	const rows = run(execution, json);
	errors.forEach((error, place) => rows.set({ ...MINE, place }, { error }));
	const again = run(execution, json);
	const isKept = errors.map((_, row) => again.get(row) !== undefined);
	expect(isKept).toEqual([true, true, false, false]);
});

it('works without items', () => {
	const context = { getExecuteData: () => ({}), getInputData: () => [] };
	expect(createFinishedRows(context as unknown as IExecuteFunctions).get(0)).toBeUndefined();
});
