import fc from 'fast-check';
import { Agent, request as httpRequest } from 'node:http';
import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, defaultOf, LINK, PATHS, seal, signed, start, until } from './client.mts';

const RUNS = 10_000;

interface Shot {
	method: string;
	path: string;
	body: string;
	headers: Record<string, string>;
}

const anyPath = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...Object.values(PATHS)) },
	{ weight: 1, arbitrary: fc.webPath().map((path) => `/api${path}`) },
	{
		weight: 1,
		arbitrary: fc.constantFrom('/', '/api', '/sandbox/state', '/pay/x', '/sandbox/web/..'),
	},
);
const anyMethod = fc.oneof(
	{ weight: 8, arbitrary: fc.constant('POST') },
	{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS') },
);
const anyHeaders = fc.oneof(
	{ weight: 6, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
	{
		weight: 1,
		arbitrary: fc.record({
			'content-type': fc.constantFrom(
				'text/plain',
				'application/xml',
				'',
				'application/json;charset=x',
			),
		}),
	},
	{
		weight: 1,
		arbitrary: fc
			.stringMatching(/^[ -~]{0,40}$/)
			.map((authorization) => ({ 'content-type': 'application/json', authorization })),
	},
);

const nasty = fc.constantFrom<unknown>(
	null,
	'',
	'\u0000',
	'\ud800',
	'__proto__',
	-0,
	1e308,
	-1e308,
	2 ** 53,
	0.1 + 0.2,
	[],
	{},
	true,
	'x'.repeat(5000),
);
const anyValue = fc.oneof(
	{ weight: 4, arbitrary: nasty },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** A good value of each field, most of the time. */
const mostly = <T,>(good: fc.Arbitrary<T>) =>
	fc.oneof(
		{ weight: 12, arbitrary: good as fc.Arbitrary<unknown> },
		{ weight: 1, arbitrary: anyValue },
	);

const country = fc.constantFrom(...COUNTRIES);
const amount = fc.integer({ min: 1, max: 100_000_000 }).map((minor) => minor / 100);

const collection = country.chain(({ id, currency }) =>
	fc.record(
		{
			amount: mostly(currency.startsWith('X') ? amount.map(Math.ceil) : amount),
			mobile: mostly(fc.stringMatching(/^\+?[0-9]{9,12}$/)),
			country_id: mostly(fc.constant(id)),
			currency: mostly(fc.constant(currency)),
			third_party_reference_1: fc.option(mostly(fc.string()), { nil: undefined }),
			extra: fc.oneof(
				{ weight: 20, arbitrary: fc.constant(undefined) },
				{ weight: 1, arbitrary: anyValue },
			),
		},
		{ requiredKeys: ['amount', 'mobile', 'country_id', 'currency'] },
	),
);
const link = country.chain(({ id, currency }) =>
	fc.record(
		{
			business_name: mostly(fc.string({ minLength: 1, unit: 'binary' })),
			item_name: mostly(fc.string({ minLength: 1 })),
			amount: mostly(
				amount.map((value) => String(currency.startsWith('X') ? Math.ceil(value) : value)),
			),
			country_id: mostly(fc.constant(id)),
			currency: mostly(fc.constant(currency)),
			logo: mostly(fc.base64String()),
			redirection_url: mostly(
				fc.constantFrom('https://shop.example/?a=1#b', 'http://[::1]:8/', 'ftp://x', 'shop'),
			),
		},
		{ requiredKeys: ['business_name', 'item_name', 'amount', 'country_id', 'currency'] },
	),
);

/** Signed with a right key, so that what is inside is reached. */
const signedShot = (sandbox: Sandbox) =>
	fc
		.oneof(
			fc.tuple(fc.constant(PATHS.collection), collection),
			fc.tuple(fc.constant(PATHS.link), link),
			fc.tuple(
				fc.constantFrom(
					PATHS.statusV2,
					PATHS.statusV3,
					PATHS.balance,
					PATHS.collection,
					PATHS.link,
				),
				fc.oneof(
					fc.dictionary(fc.string(), anyValue),
					fc.record({ id: anyValue, type: anyValue, currency: anyValue, wallet_account: anyValue }),
				),
			),
		)
		.chain(([path, params]) =>
			fc
				.record({
					integration: fc.constantFrom(...sandbox.integrations),
					changed: fc.oneof(
						{ weight: 8, arbitrary: fc.constant({}) },
						{ weight: 1, arbitrary: fc.dictionary(fc.string(), anyValue) },
					),
				})
				.map(({ integration, changed }): Shot => ({
					method: 'POST',
					path,
					body: seal(integration, JSON.stringify(params), changed as Record<string, unknown>),
					headers: { 'content-type': 'application/json' },
				})),
		);

const wildShot: fc.Arbitrary<Shot> = fc.record({
	method: anyMethod,
	path: anyPath,
	body: fc.oneof(fc.json({ maxDepth: 2 }), fc.string({ unit: 'binary' }), fc.constant('')),
	headers: anyHeaders as fc.Arbitrary<Record<string, string>>,
});

describe(`${RUNS} generated requests`, () => {
	let sandbox: Sandbox;
	const agent = new Agent({ keepAlive: true, maxSockets: 16 });
	beforeAll(async () => {
		sandbox = await start({ logLimit: 50, settleDelayMs: 1 });
	});
	afterAll(async () => {
		agent.destroy();
		await sandbox.close();
	});

	const shoot = ({ method, path, body, headers }: Shot) =>
		new Promise<{ status: number; text: string }>((resolve, reject) => {
			const carriesBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
			const request = httpRequest(sandbox.url + path, { method, headers, agent }, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
				response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
			});
			request.on('error', reject);
			request.end(carriesBody ? body : undefined);
		});

	it('leave it running, with a ledger that equals its successful replies', async () => {
		let successes = 0;
		const isCreate = (path: string) => path === PATHS.collection || path === PATHS.link;
		// The generator is drawn in bulk and sent in parallel: one request after the other would take minutes.
		const shots = fc.sample(
			fc.oneof({ weight: 3, arbitrary: signedShot(sandbox) }, { weight: 1, arbitrary: wildShot }),
			{ numRuns: RUNS, seed: 20_240_229 },
		);
		const queue = shots[Symbol.iterator]();
		const lane = async () => {
			for (const shot of queue) {
				const { status, text } = await shoot(shot);
				if (status >= 500) throw new Error(`${status} for ${JSON.stringify(shot)}: ${text}`);
				if (!shot.path.startsWith('/api') || shot.method === 'HEAD') continue;
				const reply = JSON.parse(text) as { success: unknown; message: unknown };
				expect(typeof reply.message).toBe('string');
				expect([true, false, 'true', 'false']).toContain(reply.success);
				if (isCreate(shot.path) && reply.success === true) successes++;
			}
		};
		await Promise.all(Array.from({ length: 16 }, lane));

		const { ledger } = sandbox.state;
		expect(ledger.accepted).toBe(successes);
		// Enough of both kinds for the equality to mean something.
		const kinds = ledger.countBy('kind');
		expect(kinds.collection).toBeGreaterThan(300);
		expect(kinds.link).toBeGreaterThan(300);
		expect(successes).toBeLessThan(RUNS / 2);
		expect(new Set(ledger.entries.map(({ reference }) => reference)).size).toBe(successes);
		expect(sandbox.state.links).toHaveLength(kinds.link ?? 0);
		expect(sandbox.state.transactions).toHaveLength(kinds.collection ?? 0);

		await until(() => sandbox.state.transactions.every(({ state }) => state !== 'pending'));
		for (const { integration, currency, balance } of sandbox.state.wallets) {
			const arrived = sandbox.state.transactions
				.filter((one) => one.integration === integration && one.currency === currency)
				.filter(({ state }) => state === 'success')
				.reduce(
					(sum, { amount: gross, fee }) => sum + Math.round(gross * 100) - Math.round(fee * 100),
					0,
				);
			expect(Math.round(balance * 100)).toBe(1_000_000 + arrived);
		}

		const before = ledger.accepted;
		expect((await signed(sandbox, PATHS.collection, COLLECTION)).json).toMatchObject({
			success: true,
		});
		expect((await signed(sandbox, PATHS.link, LINK)).json).toMatchObject({ success: true });
		expect(ledger.accepted).toBe(before + 2);
		expect((await fetch(`${sandbox.url}/sandbox/state`)).status).toBe(200);
		expect(defaultOf(sandbox).title).toBe('Demo Shop');
	}, 300_000);
});
