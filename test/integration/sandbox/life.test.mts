import { createHmac } from 'node:crypto';
import { MAGIC_VALUES, type SandboxOptions } from '../../../sandbox/index.mts';
import { openShop, type Shop } from '../../e2e/sandbox/shop.mts';
import { throughout } from '../../helpers/throughout.mts';
import { collect, defaultOf, PATHS, signed, start, until } from './client.mts';

const begin = (options: SandboxOptions = {}) => start({ mode: 'rich', ...options });
const sandbox = throughout(begin);
// A new one for each test: a callback to the one before may still be on its way.
let shop: Shop;
beforeEach(async () => (shop = await openShop()));
afterEach(async () => {
	sandbox.reset();
	await shop.close();
});

const transaction = (ref: string) => sandbox.state.transactions.find((one) => one.ref === ref);
const settled = (ref: string) =>
	until(() => {
		const one = transaction(ref);
		return one?.state !== 'pending' && one;
	});
const callback = (status: string, of = sandbox) =>
	until(() => of.state.callbacks.find((one) => one.status === status));
const record = async (id: string, of = sandbox) =>
	(await signed(of, PATHS.statusV3, { id, type: 'payin' })).json.data as object;

// What they call back is played in `test/integration/trigger/magic.test.mts`.
describe('magic values', () => {
	const failing = MAGIC_VALUES.filter(({ failure }) => failure !== null);
	expect(failing.length).toBeGreaterThan(4);

	it.each(failing.map((value) => [value.code, value.failure] as const))(
		'%s fails, by amount and by mobile',
		async (code, failureReason) => {
			for (const params of [{ amount: Number(code) }, { mobile: `254712${code}` }]) {
				const ref = await collect(sandbox, params);
				expect(await settled(ref)).toMatchObject({
					status_code: '400',
					history: [{ status: 'pending' }, { status: 'failed' }],
				});
				expect(await record(ref)).toMatchObject({ status: 'failed', failureReason });
			}
			expect(sandbox.state.wallets[0]?.balance).toBe(10_000);
		},
	);

	it('everything else is pending first and succeeds then', async () => {
		const slow = await begin({ settleDelayMs: Infinity });
		const id = await collect(slow);
		expect(await record(id, slow)).toMatchObject({ status: 'pending', status_code: '100' });
		slow.settle(id, 'success');
		expect(await record(id, slow)).toMatchObject({ status: 'success', status_code: '200' });
		expect(await settled(await collect(sandbox))).toMatchObject({ state: 'success', fee: 7.5 });
		// 990200 is successful when the create is answered.
		const ref = await collect(slow, { amount: 990200 });
		expect(await record(ref, slow)).toMatchObject({ status: 'success' });
	});

	it('990100 stays pending until settled by hand', async () => {
		const ref = await collect(sandbox, { amount: 990100 });
		await settled(await collect(sandbox));
		expect(transaction(ref)?.state).toBe('pending');
		sandbox.settle(ref, { status: 'failed', failureCode: 'WRONG_PIN' });
		expect(transaction(ref)).toMatchObject({ failureReason: { failureCode: 'WRONG_PIN' } });
	});
});

describe('callbacks', () => {
	it('send the v3 record with the caller’s references, signed', async () => {
		const own = { third_party_reference_1: 'Ördér-1', third_party_reference_2: 'two' };
		const id = await collect(sandbox, { callback_url: shop.callbackUrl, ...own });
		const one = await until(() => shop.callbacks[0]);
		expect(one.body).toEqual({ ...(await record(id)), ...own });
		const { secretKey } = defaultOf(sandbox);
		expect(one.headers).toMatchObject({
			'x-signature': createHmac('sha256', secretKey).update(one.text).digest('hex'),
			'content-type': 'application/json',
		});
		await callback('delivered');
	});
});
