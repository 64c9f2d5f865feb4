import { throughout } from '../../helpers/throughout.mts';
import { collect, PATHS, signed, start, token } from './client.mts';

const spec = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => spec.reset());

it('a token is a numeric id, a separator and an opaque part', async () => {
	expect(await token(spec)).toMatch(/^\d+\|[\w-]{20,}$/);
});

describe('balance', () => {
	it('answers success as a string and one entry per wallet', async () => {
		const all = await signed(spec, PATHS.balance, {});
		expect(all.json).toMatchObject({ success: 'true', message: expect.any(String) });
		const entries = all.json.data as Record<string, unknown>[];
		expect(entries).toHaveLength(9);
		expect(entries[0]).toEqual({ wallet_account: 1001, currency: 'KES', balance: 10_000 });
		const one = async (params: object) => (await signed(spec, PATHS.balance, params)).json.data;
		expect(await one({ currency: 'KES' })).toEqual([entries[0]]);
		expect(await one({ wallet_account: 1001 })).toEqual([entries[0]]);
		expect(await one({ wallet_account: 1001, currency: 'XOF' })).toEqual([]);
	});

	it('moves when money moves, in the wallet of its integration and currency alone', async () => {
		const opening = spec.state.wallets;
		const ref = await collect(spec, { amount: 990200 });
		const moved = spec.state.wallets.filter(
			({ balance }, index) => balance !== opening[index]?.balance,
		);
		const balance = 10_000 + 990_200 - 14_853;
		expect(moved).toMatchObject([{ integration: 'demo', currency: 'KES', balance }]);
		expect(spec.state.transactions[0]).toMatchObject({ ref, fee: 14_853, balance });
		spec.addPayout({ amount: 100 });
		expect(spec.state.wallets[0]?.balance).toBe(balance - 101.5);
	});
});
