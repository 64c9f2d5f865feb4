import type { Reply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { recordIn } from '../../../nodes/UnifiedPayments/transport/status.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const replied = async (data: unknown, message = 'Success'): Promise<Reply> =>
	({ success: true, message, data }) as Reply;

const failed = async (kind: FailureKind, serviceMessage: string): Promise<Reply> => {
	const failure = failureOf(kind, { serviceMessage });
	throw new CallError(failure, { name: 'the transaction status', creates: false });
};

describe('the record in a reply to a question for a status', () => {
	it('is its data', async () => {
		expect(await recordIn(replied({ status: 'paid' }), 'R1')).toEqual({ status: 'paid' });
	});

	it.each<[string, Promise<Reply>]>([
		['says yes, and in its words that there is none', replied({}, 'Transaction not found')],
		['says yes to that with a list', replied([], 'Transaction not found')],
	])('is none when the service %s', async (_, asked) => {
		expect(await recordIn(asked, 'R1')).toBeNull();
	});

	it('is none when the service plainly says that there is none', async () => {
		expect(await recordIn(failed('refused', 'Transaction not found'), 'R1')).toBeNull();
	});

	it.each<[string, () => Promise<Reply>]>([
		['sends no record', async () => await replied({})],
		['sends a list', async () => await replied([{ status: 'paid' }])],
		['sends a text', async () => await replied('paid')],
		['declines for another reason', async () => await failed('refused', 'User not found!')],
		['is down', async () => await failed('serverFault', 'Transaction not found')],
	])('is not known when the service %s', async (_, ask) => {
		await expect(recordIn(ask(), 'R1')).rejects.toBeInstanceOf(CallError);
	});

	it('is not known when something else goes wrong', async () => {
		const broken = Promise.reject(new Error('Transaction not found'));
		await expect(recordIn(broken, 'R1')).rejects.toThrow('Transaction not found');
	});
});
