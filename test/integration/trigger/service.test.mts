import { post, recordOf, SECRET, TOKEN, World, everythingOf } from './support.mts';
import { PATIENCE } from '../../../nodes/UnifiedPayments/trigger/execution/confirm.ts';
import { json } from '../../helpers/wire.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());

type Answer = Parameters<World['wire']>[0];

/** A service that fails as told, and a trigger that asks it. */
async function against(answer: Answer, options: Parameters<World['serve']>[1] = {}) {
	const service = await world.wire(answer);
	const credential = world.credential({ baseUrl: service.url });
	const host = await world.serve({}, { credential, ...options });
	return { service, host };
}

const record = { ref: 'TX-1', amount: '10.00', currency: 'KES', status: 'success' };
const paid = { success: true, message: 'Transaction found.', data: record };
const NOT_VERIFIED = {
	success: false,
	message:
		'Entity integration record not found or Client id not matched or Request was not verified.',
};

const FAULTS: Array<[name: string, answer: Answer, words: RegExp]> = [
	['401', (_, response) => json(response, 401, NOT_VERIFIED), /did not authorize/],
	['403', (_, response) => json(response, 403, NOT_VERIFIED), /did not authorize/],
	['200 that says: not verified', (_, response) => json(response, 200, NOT_VERIFIED), /declined/],
	[
		'200 that knows no user',
		(_, response) => json(response, 200, { success: false, message: 'User not found' }),
		/declined/,
	],
	[
		'200 that does not know at the moment',
		(_, response) =>
			json(response, 200, {
				success: false,
				message: 'Transaction status is unknown at the moment',
			}),
		/declined/,
	],
	['404 without words', (_, response) => json(response, 404, { success: false }), /declined/],
	[
		'200 with neither a record nor words',
		(_, response) => json(response, 200, { success: true, message: 'OK', data: [] }),
		/could not be read/,
	],
	[
		'a redirect',
		(_, response) => void response.writeHead(307, { location: '/x' }).end(),
		/another address/,
	],
];

describe('a service that cannot confirm', () => {
	it.each(FAULTS)(
		'%s: the execution fails visibly, and can be retried',
		async (_, answer, words) => {
			let healed = false;
			const { host } = await against((received, response, nth) =>
				healed ? json(response, 200, paid) : answer(received, response, nth),
			);
			expect((await post(host.url, record)).status).toBe(200);
			await host.idle();
			const [run] = host.runs;
			expect(run!.status).toBe('error');
			expect(run!.failure!.message).toMatch(words);
			expect(run!.failure!.message).toMatch(/\[Item 0\]$/);
			expect((run!.failure as { description?: string }).description).toMatch(/retry the execution/);
			expect([run!.callback, run!.rejected]).toEqual([[], []]);
			for (const secret of [TOKEN, SECRET]) expect(everythingOf(host)).not.toContain(secret);

			healed = true;
			const again = await host.run(host.stored[0]!, 'retry');
			expect(again.callback).toMatchObject([{ state: 'success', verified: 'confirmed' }]);
		},
	);

	it('5xx and broken replies are asked again, then fail visibly', async () => {
		const { service, host } = await against((_, response) => json(response, 503, {}));
		await post(host.url, record);
		await host.idle();
		expect(host.runs[0]!.status).toBe('error');
		expect(host.runs[0]!.failure!.message).toMatch(/could not handle/);
		expect(service.received).toHaveLength(3);
	}, 20_000);

	it('what passes by itself is not noticed', async () => {
		const { host } = await against((_, response, nth) =>
			nth < 3 ? void response.end('<html>') : json(response, 200, paid),
		);
		await post(host.url, record);
		await host.idle();
		expect(host.runs[0]!.callback).toMatchObject([{ state: 'success' }]);
	}, 20_000);

	it('unreachable, then there again: the callback is not lost', async () => {
		// Nobody listens there.
		const nowhere = world.credential({ baseUrl: 'http://127.0.0.1:1' });
		const host = await world.serve({}, { credential: nowhere, execute: false });
		await post(host.url, record);
		const failed = await host.run(host.stored[0]!);
		expect(failed.status).toBe('error');
		expect(failed.failure!.message).toMatch(/No connection/);

		const back = await world.wire((_, response) => json(response, 200, paid));
		const credential = world.credential({ baseUrl: back.url });
		const healed = await world.serve({}, { credential });
		const again = await healed.run(host.stored[0]!, 'retry');
		expect(again.callback).toMatchObject([{ state: 'success' }]);
	}, 20_000);

	it('a failed try does not count as seen: the next callback is emitted', async () => {
		let healthy = false;
		const { host } = await against((_, response) =>
			healthy ? json(response, 200, paid) : json(response, 403, NOT_VERIFIED),
		);
		await post(host.url, record);
		await host.idle();
		healthy = true;
		await post(host.url, record);
		await host.idle();
		expect(host.runs.map(({ status }) => status)).toEqual(['error', 'success']);
		expect(host.runs[1]!.callback).toMatchObject([{ state: 'success' }]);
	});
});

describe('when the node is told to go on', () => {
	const broken: Answer = (_, response) => json(response, 403, NOT_VERIFIED);

	it('with the error output, the item goes there and nowhere else', async () => {
		const { host } = await against(broken, {
			settings: { onError: 'continueErrorOutput' },
		});
		await post(host.url, record);
		await host.idle();
		const [run] = host.runs;
		expect(run!.status).toBe('success');
		expect([run!.callback, run!.rejected]).toEqual([[], []]);
		expect(run!.failed).toMatchObject([
			{
				error: {
					message: expect.stringMatching(/did not authorize/) as unknown,
					description: expect.any(String) as unknown,
					httpStatus: 403,
					serviceMessage: NOT_VERIFIED.message,
				},
			},
		]);
	});

	it('without one, it goes to Rejected, never among what can be believed', async () => {
		const { host } = await against(broken, {
			settings: { onError: 'continueRegularOutput' },
		});
		await post(host.url, record);
		await host.idle();
		const [run] = host.runs;
		expect(run!.status).toBe('success');
		expect(run!.callback).toEqual([]);
		expect(run!.rejected).toMatchObject([{ error: { httpStatus: 403 } }]);
	});

	it('a setting that cannot be read does not throw either', async () => {
		const host = await world.serve(
			{ verification: '={{ "open" }}' },
			{ settings: { onError: 'continueErrorOutput' } },
		);
		const run = await host.run([{ json: { callback: { body: record } } }]);
		expect(run.failed).toMatchObject([
			{ error: { message: expect.stringMatching(/^'Verification' must be/) as unknown } },
		]);
	});

	it('Retry On Fail asks anew', async () => {
		const { host } = await against(
			(_, response, nth) =>
				nth === 1 ? json(response, 403, NOT_VERIFIED) : json(response, 200, paid),
			{ settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 } },
		);
		await post(host.url, record);
		await host.idle();
		expect(host.runs[0]!.callback).toMatchObject([{ state: 'success' }]);
	});
});

describe('a service that lags behind its own callback', () => {
	it('is asked again before a claim is rejected', async () => {
		const { service, host } = await against((_, response, nth) =>
			json(response, 200, {
				...paid,
				data: { ...record, status: nth === 1 ? 'pending' : 'success' },
			}),
		);
		await post(host.url, record);
		await host.idle();
		expect(host.runs[0]!.callback).toMatchObject([{ state: 'success' }]);
		expect(service.received).toHaveLength(2);
	}, 20_000);

	it.each([
		['the record is pending', { ...paid, data: { ...record, status: 'pending' } }],
		['the record is not there', { success: false, message: 'Transaction not found' }],
	])('with a token is asked six times more while %s, then rejected for now', async (_, lagging) => {
		const { service, host } = await against((_, response) => json(response, 200, lagging));
		await post(host.url, record);
		await host.idle();
		expect(service.received).toHaveLength(7);
		expect(host.runs[0]!.rejected).toMatchObject([
			{ mayBecomeTrue: true, message: expect.stringMatching(/may still become true/) as unknown },
		]);

		const { host: better } = await against((_, response, nth) =>
			json(response, 200, nth < 7 ? lagging : paid),
		);
		await post(better.url, record);
		await better.idle();
		expect(better.runs[0]!.callback).toMatchObject([{ state: 'success' }]);
	});

	it('in earnest, with a token, is given more than a minute', () => {
		const sum = (waits: readonly number[]) => waits.reduce((all, each) => all + each, 0);
		expect(sum(PATIENCE.trusted)).toBeGreaterThanOrEqual(60_000);
		expect(sum(PATIENCE.strangers)).toBeLessThan(10_000);
	});

	it("is believed about a merchant's own reference when its record is about that", async () => {
		const unknown = { success: false, message: 'Transaction not found' };
		const { host } = await against(({ json: sent }, response) => {
			const { id } = (sent as { params: { id: string } }).params;
			json(response, 200, id === 'order-1' ? paid : unknown);
		});
		await post(host.url, { third_party_reference_1: 'order-1', status: 'success' });
		await host.idle();
		expect(host.runs[0]!.callback).toMatchObject([
			{ verified: 'confirmed', transaction: { ref: 'TX-1' }, eventKey: 'TX-1:success' },
		]);
	});

	it('is believed about equal negative amounts, and not about a success with a failed code', async () => {
		const refund = { ...record, amount: '-10.00' };
		const { host } = await against((_, response) => json(response, 200, { ...paid, data: refund }));
		await post(host.url, { ...record, amount: -10 });
		await host.idle();
		expect(host.runs[0]!.callback).toMatchObject([{ transaction: { amount: -10 } }]);

		const odd = { ...record, status_code: 'FAILED' };
		const { host: second } = await against((_, response) =>
			json(response, 200, { ...paid, data: odd }),
		);
		await post(second.url, { ref: 'TX-1' });
		await second.idle();
		expect(second.runs[0]!.callback).toMatchObject([{ state: 'other' }]);
	});

	it('gets no second look at unknown references from strangers', async () => {
		const unknown = { success: false, message: 'Transaction was not created!' };
		const service = await world.wire((_, response) => json(response, 200, unknown));
		const credential = world.credential({ baseUrl: service.url, callbackToken: '' });
		const stranger = await world.serve({}, { credential });
		await post(stranger.url, { ref: 'TX-1' }, { token: null });
		await stranger.idle();
		expect(service.received).toHaveLength(1);
		expect(stranger.runs[0]!.rejected).toMatchObject([{ reason: 'not_found' }]);
	});

	it("the service's own secrets are not shown", async () => {
		const leaky = {
			...record,
			note: `${SECRET} ${TOKEN}`,
			callback_url: `https://a/?token=${TOKEN}`,
		};
		const { host } = await against((_, response) => json(response, 200, { ...paid, data: leaky }));
		await post(host.url, recordOf({ ...record } as never));
		await host.idle();
		expect(host.runs).toHaveLength(1);
		for (const secret of [TOKEN, SECRET]) expect(everythingOf(host)).not.toContain(secret);
	});
});
