import type { IWebhookFunctions } from 'n8n-workflow';

import { readItem, type PaymentStatus } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { Memory, memoryOf } from '../../../nodes/UnifiedPayments/waiting/memory.ts';
import { created } from './service.mts';

const paymentOf = (order: string) => readItem(created(order)).payment!;
const [one, two] = [paymentOf('A-1'), paymentOf('B-2')];
const read = (...payments: Array<typeof one>) => {
	return () => new Map(payments.map((each) => [each.mark, each]));
};
const never = async () => await new Promise<never>(() => {});
/** Of a payment that has ended. */
const status = (over: Partial<PaymentStatus> = {}): PaymentStatus => ({
	...{ record: {}, state: 'success', word: 'success', isFinal: true, reference: 'TX-1' },
	...{ order: { orderReference: null, asked: null, paidInFull: null }, by: 'mark' },
	...{ canBeAskedAgain: true, size: 100 },
	...over,
});

afterEach(() => jest.restoreAllMocks());

it('what is awaited is read again after a minute, and what is final of it stays', () => {
	const memory = new Memory();
	expect(memory.payment(one.mark, read(one), 0)).toBe(one);
	expect(memory.payment(one.mark, read(two), 60_000)).toBe(one);
	expect(memory.note(one, status())).toMatchObject({ state: 'success' });
	for (const now of [60_001, 120_002]) {
		expect([memory.bytes, memory.statusOf(one)?.state]).toEqual([2_200, 'success']);
		expect(memory.payment(one.mark, read(one), now)).toBe(one);
	}
	expect(memory.payment(two.mark, read(two), 999_999)).toBe(two);
	expect([memory.bytes, memory.statusOf(one), memory.open()]).toEqual([2_000, null, [two]]);
});

it('a name that was cut counts where it names one alone', () => {
	const both = [one, { ...one, mark: `${one.mark}2` }] as const;
	expect(new Memory().payment(one.mark.slice(0, -2), read(one), 0)).toBe(one);
	expect(new Memory().payment(one.mark.slice(0, -2), read(...both), 0)).toBeUndefined();
	expect(new Memory().payment(one.mark, read(...both), 0)).toBe(one);
});

it('one record is one payment, and a success is never pending again', () => {
	const memory = new Memory();
	memory.payment(one.mark, read(one, two), 0);
	const success = status();
	expect([memory.note(one, success), memory.note(two, status())]).toEqual([success, null]);
	expect(memory.note(one, status({ state: 'pending', isFinal: false }))).toBe(success);
	expect(memory.note(one, null)).toBe(success);
	// A success that is reversed is told.
	expect(memory.note(one, status({ state: 'failed' }))?.state).toBe('failed');
	expect(memory.open()).toEqual([two]);
});

it('once it went on, the others have nothing to add, and not for long', () => {
	const memory = new Memory();
	memory.payment(one.mark, read(one, two), 0);
	expect(memory.isOver(two.mark, 0)).toBe(false);
	memory.over = { at: 1_000, by: one.mark };
	const asked = [one.mark, two.mark, 'x'].map((key) => memory.isOver(key, 6_000));
	expect([...asked, memory.isOver(two.mark, 6_001)]).toEqual([false, true, false, false]);
});

it("one has its turn, twenty wait, and one that throws is in nobody else's way", async () => {
	const memory = new Memory();
	let end = () => {};
	const order: number[] = [];
	const first = memory.inTurn(async () => {
		await new Promise<void>((resolve) => (end = resolve));
		throw new Error('down');
	});
	const others = Array.from({ length: 21 }, async (_, n) =>
		memory.inTurn(async () => order.push(n)),
	);
	expect([await others[20], memory.isBusy, order]).toEqual([null, true, []]);
	end();
	await expect(first).rejects.toThrow('down');
	await Promise.all(others);
	expect([order, memory.isBusy]).toEqual([Array.from({ length: 20 }, (_, n) => n), false]);
});

it('whoever has waited for ten seconds comes again', async () => {
	const memory = new Memory();
	let end = () => {};
	void memory.inTurn(async () => await new Promise<void>((resolve) => (end = resolve)));
	const waits = memory.inTurn(async () => 1);
	const later = Date.now() + 10_001;
	jest.spyOn(Date, 'now').mockImplementation(() => later);
	end();
	expect(await waits).toBeNull();
});

it('one callback for each payment waits for its record, and twenty in all', async () => {
	const memory = new Memory();
	const patient = (key: number, work: () => Promise<unknown>) =>
		memory.patiently({ ...one, mark: String(key) }, work);
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
		memoryOf(
			{ getExecutionId: () => execution, getNode: () => ({}) } as unknown as IWebhookFunctions,
			'k',
			now,
		);
	const [busy, idle, large] = [of(1, 0), of(2, 0), of(3, 0)];
	void busy.inTurn(never);
	expect([of(2, 600_000), of(3, 600_000)]).toEqual([idle, large]);
	large.payment(one.mark, read(one), 0);
	large.note(one, status({ size: 33 * 1024 * 1024 }));
	of(4, 600_001);
	expect([of(1, 600_002) === busy, of(2, 600_002) === idle]).toEqual([true, false]);
	expect(of(3, 600_002)).not.toBe(large);
	const old = of(5, 600_003);
	of(6, 1_200_003);
	expect(of(5, 1_200_003)).toBe(old);
	of(6, 1_900_000);
	expect(of(5, 1_900_000)).not.toBe(old);
});
