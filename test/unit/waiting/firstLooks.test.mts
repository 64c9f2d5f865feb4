import type { Client } from '../../../nodes/UnifiedPayments/transport/client.ts';
import type { Awaited } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { lookFirst } from '../../../nodes/UnifiedPayments/waiting/firstLooks.ts';
import { forgetSights, keptSights } from '../../../nodes/UnifiedPayments/waiting/kept.ts';

const payment = (reference: string | null): Awaited => ({
	key: `upi=0&upo=${reference}`,
	url: 'https://n8n.example.com/webhook-waiting/1/unified-payments',
	reference,
	ownReference: null,
	amount: 10,
	currency: 'KES',
	mobile: null,
	holds: true,
});

/** Looks at payments of which each is told, look by look; the last answer is repeated. */
async function look(
	payments: Array<Awaited | null>,
	told: Record<string, Array<string | null | Error>>,
	{ pauses = [1, 2, 3], cancelAfter = Infinity } = {},
) {
	const asked: string[] = [];
	const slept: number[] = [];
	const warned: string[] = [];
	const client = {
		async query(_path: string, { id }: { id: string }) {
			asked.push(id);
			const list = told[id]!;
			const said = list.length > 1 ? list.shift()! : list[0]!;
			if (said instanceof Error) throw said;
			if (said === null) return { success: true, message: 'Transaction not found', data: {} };
			return { success: true, message: null, data: { ref: id, status: said } };
		},
	} as unknown as Client;
	const sights = await lookFirst(payments, {
		lookout: {
			client,
			account: {} as never,
			options: { timeoutSeconds: 1, maxRetries: 0 },
			statuses: { success: [], failed: [] },
		},
		lanes: 2,
		pauses,
		sleep: async (ms) => void slept.push(ms),
		cancelled: () => slept.length >= cancelAfter,
		warn: (line) => warned.push(line),
	}).catch((error: Error) => error);
	return { sights, asked, slept, warned };
}

describe('the first looks', () => {
	it('end when all are final, and ask about none of these again', async () => {
		const { sights, asked, slept } = await look([payment('A'), payment('B')], {
			A: ['success'],
			B: ['pending', 'failed'],
		});
		expect(asked).toEqual(['A', 'B', 'B']);
		expect(slept).toEqual([1]);
		expect(sights).toMatchObject([{ state: 'success' }, { state: 'failed' }]);
	});

	it('end after the last pause, with what is known', async () => {
		const { sights, slept } = await look([payment('A')], { A: ['pending'] });
		expect(slept).toEqual([1, 2, 3]);
		expect(sights).toMatchObject([{ state: 'pending' }]);
	});

	it('end early when the service knows nothing of what it is asked', async () => {
		const { sights, asked } = await look([payment('A')], { A: [null] });
		expect(asked).toEqual(['A', 'A']);
		expect(sights).toEqual([null]);
	});

	it('ask nothing about what has no name', async () => {
		const { asked, slept } = await look([payment(null), null], {});
		expect([asked, slept]).toEqual([[], []]);
	});

	it('cost nothing when they go wrong', async () => {
		const { sights, warned } = await look([payment('A')], {
			A: ['pending', new Error('down')],
		});
		expect(sights).toMatchObject([{ state: 'pending' }]);
		expect(warned).toHaveLength(3);
	});

	it('end when the execution is cancelled', async () => {
		const { asked } = await look([payment('A')], { A: ['pending'] }, { cancelAfter: 1 });
		expect(asked).toEqual(['A']);
	});
});

describe('what is known to be final', () => {
	it('is kept for each execution, until it is forgotten', () => {
		keptSights('one').set('a', {} as never);
		expect(keptSights('one').has('a')).toBe(true);
		expect(keptSights('two').has('a')).toBe(false);
		forgetSights('one');
		expect(keptSights('one').has('a')).toBe(false);
	});

	it('is forgotten for the longest unused, when there are too many', () => {
		keptSights('first').set('a', {} as never);
		keptSights('second').set('a', {} as never);
		for (let other = 0; other < 998; other++) keptSights(`other ${other}`);
		expect(keptSights('first').has('a')).toBe(true);
		keptSights('one more');
		expect(keptSights('second').has('a')).toBe(false);
		expect(keptSights('first').has('a')).toBe(true);
	});
});
