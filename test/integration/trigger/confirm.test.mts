import { post, recordOf, SECRET, TOKEN, World, everythingOf } from './support.mts';

let world: World;

beforeAll(async () => {
	world = await World.start();
});

afterAll(async () => await world.close());

describe('a callback is confirmed with the service', () => {
	it("emits the service's record, not the callback's", async () => {
		const host = await world.serve();
		const made = await world.collect({ callbackUrl: host.url });
		world.sandbox.settle(made.ref, 'success');
		const answer = await post(host.url, { ref: made.ref, status: 'success', extra: 'x' });
		expect(answer).toMatchObject({ status: 200, json: { accepted: true } });
		await host.idle();
		const items = host.runs.flatMap(({ callback }) => callback);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			event: 'transaction.updated',
			verified: 'confirmed',
			state: 'success',
			transaction: { ref: made.ref, state: 'success', amount: 1500, currency: 'KES' },
			callback: { body: expect.objectContaining({ ref: made.ref }) as unknown },
			eventKey: `${made.ref}:success`,
		});
		expect(host.runs.flatMap(({ rejected }) => rejected)).toEqual([]);
		expect(everythingOf(host)).not.toContain(TOKEN);
		expect(everythingOf(host)).not.toContain(SECRET);
	});

	it('rejects a forged success', async () => {
		const host = await world.serve();
		const made = await world.collect();
		await post(host.url, recordOf(made, { status: 'success' }));
		await host.idle();
		expect(host.runs.map(({ callback }) => callback)).toEqual([[]]);
		expect(host.runs[0]!.rejected).toMatchObject([
			{
				event: 'callback.rejected',
				verified: false,
				reason: 'state_not_confirmed',
				reference: made.ref,
				callback: { body: expect.objectContaining({ status: 'success' }) as unknown },
			},
		]);
	}, 20_000);
});
