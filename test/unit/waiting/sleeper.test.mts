import type { IWebhookFunctions } from 'n8n-workflow';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readItem } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { Sleeper, type Heard } from '../../../nodes/UnifiedPayments/waiting/sleeper.ts';
import { sleeperOf } from '../../../nodes/UnifiedPayments/waiting/sleepers.ts';
import { created, recordOf, SAVED } from './service.mts';

const MB = 1024 * 1024;
const paymentOf = (order: string) => readItem(created(order)).payment!;
const [one, two] = [paymentOf('A-1'), paymentOf('B-2')];
const read = (...payments: Array<typeof one>) => {
	return () => new Map(payments.map((each) => [each.key, each]));
};
const record = recordOf('A-1');
const query = async () => ({ success: true, message: null, data: record });
const lookup = { client: { query }, account: readCredential(SAVED), options: {} } as never;
const never = async () => await new Promise<never>(() => {});
const AGAIN: Heard = { answer: 'try_again_later' };

it('what is awaited is read again after a minute, and what is confirmed of it stays', async () => {
	const sleeper = new Sleeper();
	expect(sleeper.payment(one.key, read(one), 0)).toBe(one);
	expect(sleeper.payment(one.key, read(two), 60_000)).toBe(one);
	const bytes = 2_000 + 2 * JSON.stringify(record).length;
	expect(await sleeper.confirm(one, lookup)).toMatchObject({ state: 'success' });
	for (const now of [60_001, 120_002]) {
		expect([sleeper.bytes, sleeper.statusOf(one)?.state]).toEqual([bytes, 'success']);
		expect(sleeper.payment(one.key, read(one), now)).toBe(one);
	}
	expect(sleeper.payment(two.key, read(two), 999_999)).toBe(two);
	expect([sleeper.bytes, sleeper.statusOf(one)]).toEqual([2_000, null]);
});

it('a name that was cut counts where it names one alone', () => {
	const both = [one, { ...one, key: `${one.key}2` }] as const;
	expect(new Sleeper().payment(one.key.slice(0, -2), read(one), 0)).toBe(one);
	expect(new Sleeper().payment(one.key.slice(0, -2), read(...both), 0)).toBeUndefined();
	expect(new Sleeper().payment(one.key, read(...both), 0)).toBe(one);
});

it('once it went on, it is asked about the others, and not for long', () => {
	const sleeper = new Sleeper();
	sleeper.payment(one.key, read(one, two), 0);
	expect(sleeper.isFor('x', 0)).toBe(true);
	sleeper.over = { at: 1_000, by: one.key };
	const asked = [one.key, two.key, 'x'].map((key) => sleeper.isFor(key, 6_000));
	expect([...asked, sleeper.isFor(two.key, 6_001)]).toEqual([false, true, false, false]);
});

it('one leads, for ten seconds', async () => {
	const sleeper = new Sleeper();
	await expect(sleeper.lookup()).rejects.toThrow('Nobody can ask');
	expect(sleeper.isBusy).toBe(false);
	expect(sleeper.lead(never, 0)).not.toBeNull();
	expect([sleeper.isBusy, sleeper.lead(never, 10_000)]).toEqual([true, null]);
	expect(sleeper.lead(never, 10_001)).not.toBeNull();
});

it('others join, up to a number and a size', async () => {
	const sleeper = new Sleeper();
	let end = (_: Heard) => {};
	const hear = async () => await new Promise<Heard>((resolve) => (end = resolve));
	expect(sleeper.join(8 * MB + 1, never, () => {})).toBe(false);
	expect(sleeper.join(5 * MB, hear, () => {})).toBe(true);
	expect([sleeper.isBusy, sleeper.join(5 * MB, never, () => {})]).toEqual([true, false]);
	end(AGAIN);
	await new Promise(setImmediate);
	expect([sleeper.isBusy, sleeper.join(8 * MB, never, () => {})]).toEqual([false, true]);
	const many = Array.from({ length: 1_000 }, () => sleeper.join(0, never, () => {}));
	expect(many.filter((isJoined) => !isJoined)).toHaveLength(1);
});

it.each([true, false])(
	'the last that is final is answered when all are looked at: %j',
	async (all) => {
		const sleeper = new Sleeper();
		const status = (await (sleeper.payment(one.key, read(one), 0), sleeper.confirm(one, lookup)))!;
		const said: Heard[] = [];
		const join = async (heard: Heard) => {
			sleeper.join(
				1,
				async () => heard,
				(each) => said.push(each),
			);
			await new Promise(setImmediate);
		};
		await join({ status });
		expect(said).toEqual([AGAIN]);
		const leader = sleeper.lead(never, 0)!;
		await join({ status });
		await join({ answer: 'not_final' });
		expect(said.splice(0)).toEqual([AGAIN, { answer: 'not_final' }]);
		await join({ status });
		expect(said.splice(0)).toEqual([{ status }]);
		await sleeper.leave(leader, all);
		expect([...said, sleeper.isBusy]).toEqual([all ? { status } : AGAIN, false]);
	},
);

it('one callback for each payment waits for its record, and twenty in all', async () => {
	const sleeper = new Sleeper();
	const patient = (key: number, work: () => Promise<unknown>) =>
		sleeper.patiently({ ...one, key: String(key) }, work);
	let end = (_: number) => {};
	const first = patient(0, async () => await new Promise<number>((resolve) => (end = resolve)));
	expect(await patient(0, never)).toBeNull();
	for (let key = 1; key < 20; key++) void patient(key, never);
	expect(await patient(20, never)).toBeNull();
	end(7);
	expect([await first, await patient(0, async () => 8)]).toEqual([7, 8]);
});

it('what was used longest ago is forgotten, unless it is busy', () => {
	const of = (execution: number, now: number) =>
		sleeperOf(
			{ getExecutionId: () => execution, getNode: () => ({}) } as unknown as IWebhookFunctions,
			'k',
			now,
		);
	const [busy, idle, large] = [of(1, 0), of(2, 0), of(3, 0)];
	busy.lead(never, 0);
	expect([of(2, 600_000), of(3, 600_000)]).toEqual([idle, large]);
	large.bytes = 65 * MB;
	of(4, 600_001);
	expect([of(1, 600_002) === busy, of(2, 600_002) === idle]).toEqual([true, false]);
	expect(of(3, 600_002)).not.toBe(large);
	const old = of(5, 600_003);
	of(6, 1_200_003);
	expect(of(5, 1_200_003)).toBe(old);
	of(6, 1_900_000);
	expect(of(5, 1_900_000)).not.toBe(old);
});
