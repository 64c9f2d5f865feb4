import fc from 'fast-check';
import { Agent, request as httpRequest } from 'node:http';
import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, defaultOf, LINK, PATHS, seal, signed, start, until } from './client.mts';

const RUNS = 10_000;

interface GeneratedRequest {
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

const unusual = fc.constantFrom<unknown>(
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
	{ weight: 4, arbitrary: unusual },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

type Fields = Record<string, unknown>;

/** Mostly valid fields; sometimes one of them, or an extra one, gets a random value. */
const withOneBadField = (good: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
	fc.tuple(good, fc.option(fc.tuple(fc.nat(), anyValue), { freq: 2 })).map(([fields, bad]) => {
		if (bad === null) return fields;
		const keys = [...Object.keys(fields), 'extra'];
		const [index, value] = bad;
		return { ...fields, [keys[index % keys.length] ?? 'extra']: value };
	});

const country = fc.constantFrom(...COUNTRIES);
const amount = fc
	.tuple(country, fc.integer({ min: 1, max: 100_000_000 }))
	.map(([{ id, currency }, minor]) => ({
		country_id: id,
		currency,
		amount: currency.startsWith('X') ? minor : minor / 100,
	}));
const optional = fc.option(fc.string(), { nil: undefined });

const collection = withOneBadField(
	fc
		.tuple(amount, fc.stringMatching(/^\+?[0-9]{9,12}$/), optional)
		.map(([money, mobile, third_party_reference_1]) => ({
			...money,
			mobile,
			...(third_party_reference_1 !== undefined && { third_party_reference_1 }),
		})),
);
const link = withOneBadField(
	fc
		.tuple(
			amount,
			fc.string({ minLength: 1, unit: 'binary' }),
			fc.option(fc.base64String({ minLength: 4 }), { nil: undefined }),
			fc.constantFrom('https://shop.example/?a=1#b', 'http://[::1]:8/', 'ftp://x', 'shop'),
		)
		.map(([money, name, logo, redirection_url]) => ({
			...money,
			amount: String(money.amount),
			business_name: name,
			item_name: name,
			redirection_url,
			...(logo !== undefined && { logo }),
		})),
);
const other = fc.oneof(
	fc.dictionary(fc.string(), anyValue, { maxKeys: 4 }),
	fc.record({ id: anyValue, type: anyValue }),
	fc.record({ currency: anyValue, wallet_account: anyValue }),
);

/** Signed with the right key, so that the endpoint looks at the params. */
const signedRequest = (sandbox: Sandbox): fc.Arbitrary<GeneratedRequest> =>
	fc
		.tuple(
			fc.oneof(
				fc.tuple(fc.constant(PATHS.collection), collection),
				fc.tuple(fc.constant(PATHS.link), link),
				fc.tuple(fc.constantFrom(...Object.values(PATHS)), other),
			),
			fc.constantFrom(...sandbox.integrations),
			fc.oneof(
				{ weight: 8, arbitrary: fc.constant({}) },
				{ weight: 1, arbitrary: fc.dictionary(fc.string(), anyValue, { maxKeys: 2 }) },
			),
		)
		.map(([[path, params], integration, changed]) => ({
			method: 'POST',
			path,
			body: seal(integration, JSON.stringify(params), changed),
			headers: { 'content-type': 'application/json' },
		}));

const unsignedRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
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

	const sendGenerated = ({ method, path, body, headers }: GeneratedRequest) =>
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
		// Sent by 16 workers at the same time, because one after the other would take minutes.
		const requests = fc.sample(
			fc.oneof(
				{ weight: 3, arbitrary: signedRequest(sandbox) },
				{ weight: 1, arbitrary: unsignedRequest },
			),
			{ numRuns: RUNS, seed: 20_240_229 },
		);
		const queue = requests[Symbol.iterator]();
		const worker = async () => {
			for (const generated of queue) {
				const { status, text } = await sendGenerated(generated);
				if (status >= 500) throw new Error(`${status} for ${JSON.stringify(generated)}: ${text}`);
				if (!generated.path.startsWith('/api') || generated.method === 'HEAD') continue;
				const reply = JSON.parse(text) as { success: unknown; message: unknown };
				expect(typeof reply.message).toBe('string');
				expect([true, false, 'true', 'false']).toContain(reply.success);
				if (isCreate(generated.path) && reply.success === true) successes++;
			}
		};
		await Promise.all(Array.from({ length: 16 }, worker));

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
