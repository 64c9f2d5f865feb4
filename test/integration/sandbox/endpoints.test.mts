import type { Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, defaultOf, PATHS, seal, send, signed, start, until } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const spec = throughout(async () => await start());

const collect = async (sandbox: Sandbox, params: object = {}): Promise<string> => {
	const reply = await signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });
	expect(reply.json).toMatchObject({ success: true });
	return (reply.json.data as { reference: string }).reference;
};

describe('get token', () => {
	it('answers a numeric id, a separator and an opaque part', async () => {
		const { clientId, secretKey } = defaultOf(spec);
		const body = JSON.stringify({ client_id: clientId, secret_key: secretKey });
		const reply = await send(spec, PATHS.token, body);
		expect(reply).toMatchObject({
			status: 200,
			json: { success: true, message: expect.stringMatching(/verified/i) },
		});
		expect((reply.json.data as { token: string }).token).toMatch(/^\d+\|[\w-]{20,}$/);
	});
});

describe('balance', () => {
	it('answers success as a string and one entry per wallet', async () => {
		const sandbox = await start();
		const all = await signed(sandbox, PATHS.balance, {});
		expect(all.json).toMatchObject({ success: 'true', message: expect.any(String) });
		const entries = all.json.data as Record<string, unknown>[];
		expect(entries).toHaveLength(9);
		expect(entries[0]).toEqual({ wallet_account: 1001, currency: 'KES', balance: 10_000 });
		const one = async (params: object) => (await signed(sandbox, PATHS.balance, params)).json.data;
		expect(await one({ currency: 'KES' })).toEqual([entries[0]]);
		expect(await one({ wallet_account: 1001 })).toEqual([entries[0]]);
		expect(await one({ wallet_account: 1001, currency: 'XOF' })).toEqual([]);
		await sandbox.close();
	});

	it('moves when money moves, in the wallet of its integration and currency alone', async () => {
		const sandbox = await start({ mode: 'rich' });
		const opening = sandbox.state.wallets;
		const reference = await collect(sandbox, { amount: 200 });
		await until(() => sandbox.state.transactions[0]?.state === 'success');
		const moved = sandbox.state.wallets.filter(
			(wallet, index) => wallet.balance !== opening[index]?.balance,
		);
		expect(moved).toEqual([
			{ integration: 'demo', wallet_account: 1001, currency: 'KES', balance: 10_197 },
		]);
		expect(sandbox.state.transactions[0]).toMatchObject({
			ref: reference,
			fee: 3,
			balance: 10_197,
		});
		sandbox.addPayout({ amount: 100 });
		expect(sandbox.state.wallets[0]?.balance).toBe(10_095.5);
		await sandbox.close();
	});

	it.each([{ wallet_account: '1001' }, { currency: 1 }, { other: 1 }])(
		'refuses %j',
		async (params) => {
			const reply = await signed(spec, PATHS.balance, params);
			expect(reply.json).toEqual({
				success: 'false',
				message: 'Request was not verified..',
				data: [],
			});
		},
	);
});

describe('the signing endpoint', () => {
	it.each([
		['signature', (json: Record<string, unknown>) => json.signature],
		[
			'data.signature',
			(json: Record<string, unknown>) => (json.data as { signature: string }).signature,
		],
		['data', (json: Record<string, unknown>) => json.data],
	] as const)('answers at %s what the other endpoints accept', async (signatureReply, read) => {
		const sandbox = await start({
			integrations: [{ id: 'a', title: 'A', clientId: 'c', secretKey: 's', signatureReply }],
		});
		const timestamp = Math.floor(Date.now() / 1000);
		const params = '{ "currency" : "KES" }';
		const { json } = await send(
			sandbox,
			PATHS.signature,
			`{"client_id":"c","sender":"A","timestamp":${timestamp},"salt":"x","secret_key":"s","params":${params}}`,
		);
		expect(json.success).toBe(true);
		const body = seal(defaultOf(sandbox), params, { timestamp, salt: 'x', signature: read(json) });
		expect((await send(sandbox, PATHS.balance, body)).json).toMatchObject({ success: 'true' });
		await sandbox.close();
	});
});
