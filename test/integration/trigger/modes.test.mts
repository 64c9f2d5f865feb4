import type { Transaction } from '../../../dev/sandbox/index.mts';
import { everythingOf, handled, post, recordOf, SECRET, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
let pending: Transaction;

beforeAll(async () => {
	pending = await world.collect();
});

describe('the ways to verify', () => {
	it.each([
		['address', 'address'],
		['none', false],
	])('%s says so, and asks nobody', async (verification, verified) => {
		const asked = world.asked;
		const host = await world.serve({ verification });
		await expect(host.activate()).resolves.toBeUndefined();
		const body = { data: recordOf(pending, { amount: '99.50', status: 'Paid' }) };
		expect((await handled(host, body, { order: null })).callback).toMatchObject([
			{
				event: 'transaction.updated',
				verified,
				state: 'success',
				transaction: { ref: pending.ref, amount: 99.5, status: 'Paid', state: 'success' },
				eventKey: `${pending.ref}:paid`,
			},
		]);
		expect(world.asked).toBe(asked);
	});

	it('hmac believes what the service signed, and says so', async () => {
		const host = await world.serve({ verification: 'hmac' });
		for (const signWith of ['other', undefined]) {
			const bad = await post(host, recordOf(pending), { signWith });
			expect(bad).toMatchObject({ status: 401, json: { reason: 'invalid_signature' } });
		}
		const run = await handled(host, recordOf(pending), { signWith: SECRET });
		expect(run.callback).toMatchObject([{ verified: 'hmac', state: 'pending' }]);
		expect(host.runs).toHaveLength(1);
		expect(JSON.stringify(host.stored)).not.toMatch(/x-signature/i);
	});

	it('confirm asks the service for a stranger, too', async () => {
		const host = await world.serve();
		const { callback } = await handled(host, recordOf(pending));
		expect(callback).toMatchObject([{ verified: 'confirmed', state: 'pending' }]);
	});

	it('a payout is no incoming payment: by default it is rejected, and told as what it is where wanted', async () => {
		const payout = world.sandbox.addPayout({ amount: 250, status: 'success' });
		const told = async (options: { transactionType?: string }) =>
			await handled(await world.serve({ options }), { reference: payout.ref, status: 'success' });
		expect((await told({ transactionType: 'payout' })).callback).toMatchObject([
			{ type: 'payout', state: 'success', transaction: { ref: payout.ref, amount: 250 } },
		]);
		for (const options of [{}, { transactionType: 'payin' }]) {
			const { callback, rejected } = await told(options);
			expect(callback).toEqual([]);
			expect(rejected).toMatchObject([
				{ reason: 'not_found', message: expect.stringMatching(/knows no payin/) as unknown },
			]);
		}
	});

	it.each(['address', 'hmac', 'none'])(
		'%s says the type that was asked for, and a record with a payee is no payin',
		async (verification) => {
			const told = async (body: object, options = {}) => {
				const host = await world.serve({ verification, options });
				const sent = { order: null, signWith: SECRET };
				const { callback, rejected } = await handled(host, body, sent);
				return [...callback, ...rejected].map(({ type, reason }) => type ?? reason);
			};
			const payout = { data: { ref: 'TX-1', status: 'success', payee: 'Jane' } };
			expect(await told(recordOf(pending))).toEqual(['payin']);
			expect(await told(payout)).toEqual(['wrong_type']);
			expect(await told({ ref: 'TX-1', invoice_no: 7 })).toEqual(['wrong_type']);
			expect(await told(payout, { transactionType: 'payout' })).toEqual(['payout']);
		},
	);

	it('what an execution is given later claims no more than the endpoint proved', async () => {
		const open = await world.serve({ verification: 'none' }, { workflowId: 'changed' });
		await handled(open, recordOf(pending));
		const strict = await world.serve({ verification: 'address' }, { workflowId: 'changed' });
		const run = await strict.run(open.stored[0]!, 'retry');
		expect(run.callback).toMatchObject([{ verified: false }]);
		await handled(strict, recordOf(pending, { status: 'failed' }), { order: null });
		const later = await open.run(strict.stored[0]!, 'retry');
		expect(later.callback).toMatchObject([{ verified: false }]);
	});

	it('an item that the endpoint did not make is rejected', async () => {
		const host = await world.serve();
		const run = await host.run([{ json: { anything: 1 } }, { json: {} }]);
		expect(run.rejected).toMatchObject([
			{ reason: 'unreadable', callback: null, message: expect.stringMatching(/^This item is no/) },
			{ reason: 'unreadable', callback: null },
		]);
		expect(run.callback).toEqual([]);
	});
});

describe('the address', () => {
	it('must be on the list', async () => {
		const here = await world.serve({ options: { ipAllowList: '127.0.0.0/8' } });
		expect((await post(here, recordOf(pending))).status).toBe(200);
		const elsewhere = await world.serve({ options: { ipAllowList: '203.0.113.0/24' } });
		expect(await post(elsewhere, recordOf(pending))).toMatchObject({
			status: 403,
			json: { accepted: false, reason: 'address_not_allowed' },
		});
		expect(elsewhere.stored).toEqual([]);
	});

	it('is not what the sender says, unless the host trusts the proxy before it', async () => {
		const headers = { 'x-forwarded-for': '203.0.113.9' };
		const options = { ipAllowList: '203.0.113.0/24' };
		const bare = await world.serve({ options });
		expect((await post(bare, recordOf(pending), { headers })).status).toBe(403);
		const proxied = await world.serve({ options }, { proxyHops: 1 });
		expect((await post(proxied, recordOf(pending), { headers })).status).toBe(200);
	});
});

describe('what is missing', () => {
	it.each([
		['hmac', { secretKey: '' }, {}, "'Secret Key' is empty"],
		['confirm', {}, { ipAllowList: 'example.com' }, "'IP Allow List' holds"],
		['open', {}, {}, "'Verification' must be one of"],
	])(
		'%s: activation says so, and the endpoint refuses',
		async (verification, changes, options, words) => {
			const credential = world.credential(changes);
			const host = await world.serve({ verification, options }, { credential });
			await expect(host.activate()).rejects.toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(words) as unknown,
			});
			const answer = await post(host, recordOf(pending), { signWith: '' });
			expect(answer).toMatchObject({ status: 403, json: { reason: 'not_set_up' } });
			expect(host.stored).toEqual([]);
		},
	);
});

it('secrets are in nothing that is kept, also when the sender spreads them', async () => {
	for (const verification of ['confirm', 'address', 'hmac', 'none']) {
		const host = await world.serve({ verification });
		const url = 'https://shop.example/hook?x=1&token=short';
		const body = recordOf(pending, {
			callback_url: url,
			note: `key ${SECRET}`,
			signature: 'f'.repeat(64),
			nested: { list: [{ deep: SECRET }] },
			[SECRET]: 'as a key',
		});
		await handled(host, body, {
			order: null,
			signWith: SECRET,
			headers: {
				authorization: `Bearer ${SECRET}`,
				cookie: `n8n-auth=${SECRET}`,
				'x-api-key': SECRET,
				'x-my-secret': 'hidden-by-name',
				'x-original-url': '/webhook/x?token=short',
				referer: `https://a.example/?token=short`,
				'x-custom': SECRET,
			},
		});
		const all = everythingOf(host);
		for (const secret of [SECRET, 'hidden-by-name', 'token=short', 'f'.repeat(64)]) {
			expect(all).not.toContain(secret);
		}
		expect(all).toContain(pending.ref);
	}
});
