import type { IDataObject } from 'n8n-workflow';

import { json } from '../../helpers/wire.mts';
import { everythingOf, post, World } from './support.mts';

let world: World;

beforeAll(async () => {
	world = await World.start();
});

afterAll(async () => await world.close());

/** A service that knows these transactions, and a trigger with a token that is like a reference. */
async function against(token: string, records: IDataObject[]) {
	const service = await world.wire((received, response) => {
		const { id } = (received.json as { params: IDataObject }).params;
		const data = records.find(({ ref }) => ref === id);
		const known = { success: true, message: 'Found.', data };
		json(response, 200, data ? known : { success: false, message: 'Transaction not found' });
	});
	const credential = world.credential({ baseUrl: service.url, callbackToken: token });
	const host = await world.serve({}, { credential });
	return { service, host };
}

const record = (ref: string) => ({
	ref,
	third_party_reference_1: ref,
	amount: '10.00',
	currency: 'KES',
	status: 'success',
});

it.each([
	['is the beginning of the reference', 'aminashop', 'aminashop-1042'],
	['is the end of the reference', 'aminashop', '1042/aminashop'],
	['is long, and the beginning of the reference', 'aminashop-payments', 'aminashop-payments-1042'],
	['is the reference', 'aminashop', 'aminashop'],
	['is a status', 'success', 'TX-1'],
])('a callback is confirmed when the token %s', async (_, token, ref) => {
	const stored = { ...record(ref), callback_url: `https://a.example/h?token=${token}` };
	const { service, host } = await against(token, [stored]);
	const body = { ...record(ref), callback_url: `https://a.example/h?x=1&token=${token}` };
	expect((await post(host.url, body, { token })).status).toBe(200);
	await host.idle();

	expect(service.received.map(({ json: sent }) => (sent as IDataObject).params)).toMatchObject([
		{ id: ref },
	]);
	const [run] = host.runs;
	expect(run!.rejected).toEqual([]);
	expect(run!.callback).toMatchObject([
		{
			verified: 'confirmed',
			state: 'success',
			eventKey: `${ref}:success`,
			transaction: { ref, callback_url: 'https://a.example/h?token=***' },
			callback: { body: { ref, callback_url: 'https://a.example/h?x=1&token=***' } },
		},
	]);
	expect(everythingOf(host)).not.toContain(`token=${token}`);
});

it('what is rejected names the true reference, and no token', async () => {
	const { host } = await against('aminashop', []);
	const body = { ...record('aminashop-7'), callback_url: '/h?token=aminashop', note: 'aminashop' };
	await post(host.url, body, { token: 'aminashop' });
	await host.idle();
	expect(host.runs[0]!.rejected).toMatchObject([
		{
			reason: 'not_found',
			reference: 'aminashop-7',
			message: expect.stringMatching(/^The service knows no payin "aminashop-7"/) as unknown,
			callback: { body: { callback_url: '/h?token=***', note: '***' } },
		},
	]);
});
