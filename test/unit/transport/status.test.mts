import type { Reply } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { recordIn } from '../../../nodes/UnifiedPayments/transport/status.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const NONE = 'Transaction not found';

const replied = async (data: unknown, message = 'Success'): Promise<Reply> =>
	({ success: true, message, data }) as Reply;

const failed = async (kind: FailureKind, serviceMessage: string): Promise<Reply> => {
	const failure = failureOf(kind, { serviceMessage });
	throw new CallError(failure, { name: 'the transaction status', creates: false });
};

describe('the record in a reply to a question for a status', () => {
	it('is its data', async () => {
		expect(await recordIn(replied({ status: 'paid' }))).toEqual({ status: 'paid' });
	});

	it.each<[string, () => Promise<Reply>]>([
		['says that there is none', () => failed('refused', NONE)],
		['declines in whatever words', () => failed('refused', 'Subiri')],
	])('is none when the service %s', async (_, ask) => {
		expect(await recordIn(ask())).toBeNull();
	});

	it.each<[string, () => Promise<Reply>]>([
		['sends no record', () => replied({})],
		['sends no record, whatever it says', () => replied({}, NONE)],
		['sends a list', () => replied([{ status: 'paid' }])],
		['declines the account', () => failed('refused', 'User not found!')],
		['is down', () => failed('serverFault', NONE)],
		['does not authorize', () => failed('notAuthorized', NONE)],
	])('is not known when the service %s', async (_, ask) => {
		await expect(recordIn(ask())).rejects.toBeInstanceOf(CallError);
	});

	it('is not known when something else goes wrong', async () => {
		await expect(recordIn(Promise.reject(new Error(NONE)))).rejects.toThrow(NONE);
	});
});
