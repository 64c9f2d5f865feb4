import fc from 'fast-check';

import { throughout } from '../../helpers/throughout.mts';
import { COLLECTION, defaultOf, LINK, PATHS, seal, send, start, until } from './client.mts';

const RUNS = 2000;

const unusual = fc.oneof(
	fc.constantFrom<unknown>(null, '', '\u0000', '\ud800', '__proto__', -0, 1e308, 2 ** 53, [], {}),
	fc.jsonValue({ maxDepth: 2 }),
);

/** Good fields, or one of them with a value that may be anything. */
const params = (good: object) =>
	fc
		.option(fc.tuple(fc.constantFrom(...Object.keys(good), 'extra'), unusual), { freq: 2 })
		.map((bad) => ({ ...good, ...(bad !== null && { [bad[0]]: bad[1] }) }));

const anyPath = fc.constantFrom(...Object.values(PATHS), '/', '/api', '/api/none', '/pay/x');

const sandbox = throughout(async () => await start({ logLimit: 50, settleDelayMs: 1 }));

/** Signed with the right key, so that the endpoint looks at the params; or anything at all. */
const requests = () =>
	fc.oneof(
		...[
			fc.tuple(fc.constant(PATHS.collection), params(COLLECTION)),
			fc.tuple(fc.constant(PATHS.link), params(LINK)),
			fc.tuple(anyPath, params({ id: 'x', type: 'payin', currency: 'KES' })),
		].map((arbitrary) =>
			arbitrary.map(([path, value]) => ({
				path: path as string,
				body: seal(defaultOf(sandbox), JSON.stringify(value)),
			})),
		),
		fc.record({ path: anyPath, body: fc.oneof(fc.json({ maxDepth: 2 }), fc.string()) }),
	);

it(`${RUNS} generated requests leave it running, and its books equal its replies`, async () => {
	let successes = 0;
	const queue = fc.sample(requests(), { numRuns: RUNS, seed: 20_240_229 })[Symbol.iterator]();
	const worker = async () => {
		for (const { path, body } of queue) {
			const { status, json } = await send(sandbox, path, body);
			expect([status < 500, path, body]).toEqual([true, path, body]);
			if (!Object.values<string>(PATHS).includes(path)) continue;
			expect([true, false, 'true', 'false']).toContain(json.success);
			const isCreate = path === PATHS.collection || path === PATHS.link;
			if (isCreate && json.success === true) successes++;
		}
	};
	await Promise.all(Array.from({ length: 16 }, worker));

	const { ledger, transactions, links, wallets } = sandbox.state;
	// Enough of both kinds for the equality to mean something.
	expect(transactions.length).toBeGreaterThan(100);
	expect(links.length).toBeGreaterThan(100);
	expect(successes).toBeLessThan(RUNS * 0.75);
	expect(ledger.accepted).toBe(successes);
	expect(new Set(ledger.entries.map(({ reference }) => reference)).size).toBe(successes);
	expect(ledger.countBy('kind')).toEqual({ collection: transactions.length, link: links.length });

	await until(() => sandbox.state.transactions.every(({ state }) => state !== 'pending'));
	const arrived = sandbox.state.transactions
		.filter(({ state }) => state === 'success')
		.reduce((sum, { amount, fee }) => sum + Math.round(amount * 100) - Math.round(fee * 100), 0);
	const held = sandbox.state.wallets.reduce((sum, { balance }) => sum + balance * 100, 0);
	expect(Math.round(held)).toBe(wallets.length * 1_000_000 + arrived);
}, 300_000);
