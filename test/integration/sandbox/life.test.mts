import { createHmac } from 'node:crypto';
import type { SandboxOptions } from '../../../dev/sandbox/index.mts';
import { openShop } from '../../e2e/sandbox/shop.mts';
import { throughout } from '../../helpers/throughout.mts';
import { collect, defaultOf, PATHS, signed, start, until } from './client.mts';

const begin = (options: SandboxOptions = {}) => start({ mode: 'rich', ...options });
const sandbox = throughout(begin);
const shop = throughout(openShop);
afterEach(() => sandbox.reset());

const settled = (ref: string) =>
	until(() => sandbox.state.transactions.find((one) => one.ref === ref && one.state !== 'pending'));
const record = async (id: string, of = sandbox) =>
	(await signed(of, PATHS.statusV3, { id, type: 'payin' })).json.data as object;

// Each magic value is played in `test/integration/trigger/magic.test.mts`.
it('what is no magic value is pending first and succeeds then', async () => {
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

it('callbacks send the v3 record with the caller’s references, signed', async () => {
	const own = { third_party_reference_1: 'Ördér-1', third_party_reference_2: 'two' };
	const id = await collect(sandbox, { callback_url: shop.callbackUrl, ...own });
	const one = await until(() => shop.callbacks[0]);
	expect(one.body).toEqual({ ...(await record(id)), ...own });
	const { secretKey } = defaultOf(sandbox);
	expect(one.headers).toMatchObject({
		'x-signature': createHmac('sha256', secretKey).update(one.text).digest('hex'),
		'content-type': 'application/json',
	});
	await until(() => sandbox.state.callbacks[0]?.status === 'delivered');
});
