import type { RowResult } from '../../../../nodes/UnifiedPayments/rows/row.ts';
import type { SentRow } from '../../../../nodes/UnifiedPayments/rows/create/sentRow.ts';
import { createSentBefore } from '../../../../nodes/UnifiedPayments/rows/claims/sentBefore.ts';
import { NotSentError } from '../../../../nodes/UnifiedPayments/transport/errors.ts';
import { createStore } from '../claimStore.mts';

/** Without a key it is not compared with others. */
const row = (key: string | null, result: RowResult | null = null) =>
	({ request: { key: { key: key ?? 'any' }, isCompared: key !== null }, result }) as SentRow;
const item = (outcome: string): RowResult => ({ items: [{ outcome }] });

const OUTCOMES: Array<[key: string | null, RowResult]> = [
	['accepted', item('accepted')],
	['duplicate', item('duplicate')],
	['unknown', item('unknown')],
	['rejected', item('rejected')],
	['not sent', { error: new NotSentError('a', 'b') }],
	[null, item('accepted')],
	['any', item('accepted')],
];

it('a check knows what creates told, as often as it asks', async () => {
	const { keys, content } = createStore();
	await createSentBefore(keys).tell(OUTCOMES.map(([key, result]) => row(key, result)));
	const told = [...content];
	for (let time = 0; time < 3; time++) {
		const asked = [...OUTCOMES.map(([key]) => row(key)), row('new')];
		const sent = ['sent', 'sent', 'open', null, null, null, 'sent', null];
		expect(await createSentBefore(keys).ask(asked)).toEqual(sent);
		expect(content).toEqual(told);
	}
});

it('an answer that came later counts', async () => {
	const { keys } = createStore();
	const sentBefore = createSentBefore(keys);
	await sentBefore.tell([row('a', item('unknown'))]);
	await sentBefore.tell([row('a', item('accepted'))]);
	expect(await sentBefore.ask([row('a')])).toEqual(['sent']);
});

it('nothing to tell or to ask is no write', async () => {
	const { keys, calls } = createStore();
	const sentBefore = createSentBefore(keys);
	await sentBefore.tell([row('a', item('rejected')), row(null, item('accepted'))]);
	expect(await sentBefore.ask([row(null)])).toEqual([null]);
	expect(await sentBefore.ask([])).toEqual([]);
	expect(calls).toEqual([]);
});

it('what a check that was interrupted left behind is not believed', async () => {
	const content: string[] = [];
	const interrupted = createSentBefore(createStore(content, 1).keys);
	await expect(interrupted.ask([row('a')])).rejects.toThrow('killed');
	expect(await createSentBefore(createStore(content).keys).ask([row('a')])).toEqual([null]);
});
