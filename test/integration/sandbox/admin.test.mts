import { DEMO_INTEGRATIONS } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { admin, collect, COLLECTION, PATHS, signed, start } from './client.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => sandbox.reset());

it('shows in its state the ready-made keys, and no key of anybody else', async () => {
	const own = { id: 'own', title: 'Own', clientId: 'own', secretKey: 'canary-key' };
	const other = await start({ integrations: [...DEMO_INTEGRATIONS, own], logLimit: 3 });
	for (let index = 0; index < 5; index++) await signed(other, PATHS.collection, COLLECTION);
	const { json, text } = await admin(other, 'GET', '/state?limit=2');
	expect(json.integrations).toMatchObject([{ secretKey: 'demo-secret-key' }, {}, { id: 'own' }]);
	expect(text).not.toContain('canary-key');
	// It is short, and the log of requests has an end.
	expect(json.transactions).toHaveLength(2);
	expect(other.state.requests.map(({ id }) => id)).toEqual([5, 4, 3]);
});

it('settles a transaction, once, and makes payouts', async () => {
	const ref = await collect(sandbox, { amount: 990100 });
	const failureReason = { failureCode: 'WRONG_PIN' };
	const outcome = { status: 'failed', ...failureReason };
	const settle = () => admin(sandbox, 'POST', `/transactions/${ref}/settle`, outcome);
	expect((await settle()).json).toMatchObject({ ref, state: 'failed', failureReason });
	expect((await settle()).status).toBe(409);
	const { json } = await admin(sandbox, 'POST', '/payouts', { amount: 10, status: 'failed' });
	expect(json).toMatchObject({ kind: 'payout', integration: 'demo', state: 'failed' });
});

it('takes fault rules and plans, and clears them', async () => {
	const rule = { kind: 'html', route: 'balance' };
	const { status, json } = await admin(sandbox, 'POST', '/faults', rule);
	expect([status, sandbox.faults.list()]).toMatchObject([201, [{ ...rule, seen: 0, hits: 0 }]]);
	await admin(sandbox, 'DELETE', `/faults/${String(json.id)}`);
	expect(sandbox.faults.list()).toEqual([]);
	const plan = { seed: 1, probability: 1, faults: [{ kind: 'rate-limit' }] };
	await admin(sandbox, 'POST', '/faults/plan', plan);
	expect((await signed(sandbox, PATHS.collection, COLLECTION)).status).toBe(429);
	await admin(sandbox, 'POST', '/reset');
	expect((await signed(sandbox, PATHS.collection, COLLECTION)).status).toBe(200);
});
