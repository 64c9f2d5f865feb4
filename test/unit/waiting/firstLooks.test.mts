import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import type { Client } from '../../../nodes/UnifiedPayments/transport/client.ts';
import type { AwaitedPayment } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { lookUpFirst } from '../../../nodes/UnifiedPayments/waiting/status.ts';
import { SAVED } from './service.mts';

const payment = (reference: string | null): AwaitedPayment => ({
	key: `upi=0&upo=${reference}`,
	callbackUrl: 'https://n8n.example.com/webhook-waiting/1/unified-payments',
	reference,
	ownReference: null,
	amount: 10,
	currency: 'KES',
	mobile: null,
	orderReference: null,
	isOneOfSeveral: false,
	mayBeTriedAgain: false,
	sentBefore: false,
	receivesCallback: true,
});

/** Looks at payments of which each is told, look by look; the last answer is repeated. */
async function look(
	payments: AwaitedPayment[],
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
	const found = await lookUpFirst(
		new Map(payments.map((each) => [each.key, each])),
		{
			client,
			account: readCredential(SAVED),
			options: { timeoutSeconds: 1, maxRetries: 0 },
		},
		{
			lanes: 2,
			pauses,
			sleep: async (ms) => void slept.push(ms),
			cancelled: () => slept.length >= cancelAfter,
			warn: (line) => warned.push(line),
		},
	);
	const statuses = payments.map(({ key }) => found.get(key) ?? null);
	return { statuses, asked, slept, warned };
}

describe('the first looks', () => {
	it('end when all are final, and ask about none of these again', async () => {
		const { statuses, asked, slept } = await look([payment('A'), payment('B')], {
			A: ['success'],
			B: ['pending', 'failed'],
		});
		expect(asked).toEqual(['A', 'B', 'B']);
		expect(slept).toEqual([1]);
		expect(statuses).toMatchObject([{ state: 'success' }, { state: 'failed' }]);
	});

	it('end after the last pause, with what is known', async () => {
		const { statuses, slept } = await look([payment('A')], { A: ['pending'] });
		expect(slept).toEqual([1, 2, 3]);
		expect(statuses).toMatchObject([{ state: 'pending' }]);
	});

	it('end early when the service knows nothing of what it is asked', async () => {
		const { statuses, asked } = await look([payment('A')], { A: [null] });
		expect(asked).toEqual(['A', 'A']);
		expect(statuses).toEqual([null]);
	});

	it('ask nothing about what has no name', async () => {
		const { asked, slept } = await look([payment(null)], {});
		expect([asked, slept]).toEqual([[], []]);
	});

	it('cost nothing when they go wrong', async () => {
		const { statuses, warned } = await look([payment('A')], {
			A: ['pending', new Error('down')],
		});
		expect(statuses).toMatchObject([{ state: 'pending' }]);
		expect(warned).toHaveLength(3);
	});

	it('end when the execution is cancelled', async () => {
		const { asked } = await look([payment('A')], { A: ['pending'] }, { cancelAfter: 1 });
		expect(asked).toEqual(['A']);
	});
});
