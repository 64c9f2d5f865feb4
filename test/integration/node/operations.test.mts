import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import {
	BALANCE,
	COLLECT,
	LINK,
	paramsOf,
	PATHS,
	runPayments,
	startTapped,
	usePayments,
} from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';

const { credential, run, sandbox, tap } = usePayments({ isTapped: true });
const opened = closing();

/** A URL as it is sent: with the order mark that begins with `start`, before any fragment. */
const marked = (url: string, start = ''): string => {
	const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const [address = '', fragment] = url.split('#');
	const end = fragment === undefined ? '' : `#${fragment}`;
	const joined = `${address}${address.includes('?') ? '&' : '?'}upo=${start}`;
	return expect.stringMatching(new RegExp(`^${literal(joined)}[\\w.-]+${literal(end)}$`)) as string;
};

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
const BALANCES = '/api/v3/get-unified-balance';
const ENVELOPE = ['client_id', 'sender', 'timestamp', 'salt', 'signature', 'params'];

/** One run of every operation that sends, and exactly the params on the wire, with their JSON types. */
const CASES: Array<[name: string, parameters: INodeParameters, path: string, params: IDataObject]> =
	[
		[
			'payment link with every field',
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'Côte d’Ivoire',
				currency: 'auto',
				amount: '1 500',
				businessName: 'Amina Shop',
				itemName: 'Order 7',
				callbackUrl: 'https://shop.example.com/hook?a=1',
				additionalFields: {
					redirectionUrl: 'https://shop.example.com/thanks',
					currencyCountry: 'SN',
					firstName: 'Amina',
					lastName: "N'Diaye",
					email: 'amina@example.com',
					phone: '77 123 45 67',
					logoBase64: LOGO,
				},
			},
			PATHS.link,
			{
				business_name: 'Amina Shop',
				item_name: 'Order 7',
				callback_url: marked('https://shop.example.com/hook?a=1'),
				redirection_url: 'https://shop.example.com/thanks',
				currency: 'XOF',
				amount: '1500',
				country_id: 3,
				currency_country_id: 9,
				first_name: 'Amina',
				last_name: "N'Diaye",
				email: 'amina@example.com',
				phone: '221771234567',
				logo: LOGO,
			},
		],
		[
			'payment link with the least',
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'NG',
				amount: 0.3,
				businessName: 'B',
				itemName: 'I',
				callbackUrl: 'https://a.example/h',
			},
			PATHS.link,
			{
				business_name: 'B',
				item_name: 'I',
				currency: 'NGN',
				amount: '0.30',
				country_id: 17,
				callback_url: marked('https://a.example/h'),
			},
		],
		[
			'collection with every field',
			{
				resource: 'collection',
				operation: 'create',
				country: 260,
				currency: 'ZMW',
				amount: '99.90',
				mobile: '0955 123456',
				paymentMethodType: 'mobile operator',
				callbackUrl: 'https://shop.example.com/hook',
				orderReference: 'order-7',
				additionalFields: { thirdPartyReference2: 'customer-1' },
			},
			PATHS.collect,
			{
				amount: 99.9,
				mobile: '260955123456',
				country_id: 12,
				currency: 'ZMW',
				payment_method_type: 'mobile operator',
				callback_url: marked('https://shop.example.com/hook', 'cb3JkZXItNw.9990ZMW'),
				third_party_reference_1: 'order-7',
				third_party_reference_2: 'customer-1',
			},
		],
		[
			'collection with the least',
			{
				resource: 'collection',
				operation: 'create',
				country: 'kenya',
				amount: 5,
				mobile: 712345678,
			},
			PATHS.collect,
			{ amount: 5, mobile: '254712345678', country_id: 1, currency: 'KES' },
		],
		[
			'balance of one wallet',
			{ ...BALANCE, walletAccount: '1001', currency: 'KES' },
			BALANCES,
			{ wallet_account: 1001, currency: 'KES' },
		],
		['balance of all wallets', BALANCE, BALANCES, {}],
	];

it.each(CASES)(
	'%s: sends exactly what the specification says, with a valid signature',
	async (_, parameters, path, params) => {
		const before = Math.floor(Date.now() / 1000);
		const result = await run(parameters);

		expect(result.nodeError).toBeUndefined();
		const own = tap.received.filter((each) => each.path === path);
		expect(own).toHaveLength(1);
		const received = own[0]!;
		expect(received).toMatchObject({
			method: 'POST',
			headers: { 'content-type': 'application/json' },
		});
		// A link that no reply holds is looked for in the list; nothing else is asked.
		const others = tap.received.filter((each) => !own.includes(each));
		expect(others.map((each) => each.path)).toEqual(
			parameters.resource === 'paymentLink' ? ['/api/integration/get-token', PATHS.list] : [],
		);
		expect(received.json).toEqual({
			client_id: 'demo-client',
			sender: 'Demo Shop',
			timestamp: expect.any(Number),
			salt: expect.stringMatching(/^[0-9a-f]{32}$/),
			signature: expect.stringMatching(/^[0-9a-f]{64}$/),
			params,
		});
		const { timestamp } = received.json as { timestamp: number };
		expect(Number.isInteger(timestamp)).toBe(true);
		expect(timestamp).toBeGreaterThanOrEqual(before);
		expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
		if (params.callback_url !== undefined) {
			const sent = String(paramsOf(received).callback_url);
			expect(readMark(readCredential(credential()), sent)).toEqual({
				...{ is: 'valid', place: '', key: expect.any(String), maker: expect.any(String) },
				kind: parameters.resource === 'collection' ? 'collection' : 'link',
				orderReference: parameters.resource === 'collection' ? 'order-7' : null,
				asked: { amount: Number(params.amount), currency: params.currency },
			});
		}
		const seen = sandbox.state.requests.find((each) => each.path === path);
		expect(seen?.verdict).toMatchObject({ ok: true });
	},
);

describe('transaction', () => {
	const collect = async () => {
		await run(COLLECT);
		tap.received.length = 0;
		return sandbox.state.transactions[0]!.ref;
	};
	const get = async (reference: string, changes: INodeParameters = {}, account = {}) =>
		(
			await run({ resource: 'transaction', operation: 'get', reference, ...changes }, [{}], {
				account,
			})
		).successJson[0]!;

	it('asks version 3 with id and type, and turns text into numbers', async () => {
		const ref = await collect();
		sandbox.settle(ref, 'success');
		const record = await get(` ${ref} `, { simplify: false });
		expect(tap.received[0]).toMatchObject({
			method: 'POST',
			path: PATHS.status,
			json: { params: { id: ref, type: 'payin' } },
		});
		expect(sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
		expect(record).toMatchObject({
			state: 'success',
			status: 'success',
			ref,
			amount: 10,
			fee: expect.any(Number),
			balance: expect.any(Number),
			failureReason: { failureCode: null, failureMessage: null },
		});
	});

	it('simplifies to ten fields unless told otherwise', async () => {
		const ref = await collect();
		sandbox.settle(ref, { status: 'failed', failureCode: 'INSUFFICIENT_FUNDS' });
		const item = await get(ref);
		expect(Object.keys(item)).toHaveLength(10);
		expect(item).toMatchObject({ ref, state: 'failed', failureMessage: expect.any(String) });
	});

	it('says payout when asked for one', async () => {
		const { ref } = sandbox.addPayout();
		expect(await get(ref, { type: 'payout' })).toMatchObject({ ref });
		expect(paramsOf(tap.received[0]!)).toEqual({ id: ref, type: 'payout' });
	});

	it('asks version 2 with the id alone, and the API key only there and only when set', async () => {
		const ref = await collect();
		const v2 = { apiVersion: 'v2', simplify: false };
		const apiKey = 'canary-api-key';
		const record = await get(ref, v2, { apiKey, apiKeyHeader: 'X-Partner' });
		const [received] = tap.received;
		expect(received).toMatchObject({
			method: 'POST',
			path: '/api/v2/get-unified-transaction-status',
			headers: { 'x-partner': apiKey },
		});
		expect(paramsOf(received!)).toEqual({ id: ref });
		expect(record).toMatchObject({ ref, state: 'pending', amount: 10 });
		expect(record).not.toHaveProperty('status_code');

		tap.received.length = 0;
		await get(ref, v2);
		await get(ref, {}, { apiKey });
		for (const { headers } of tap.received) expect(headers).not.toHaveProperty('x-api-key');
	});
});

it('a token is asked for with client id and secret key at the auth URL, unsigned', async () => {
	const account = { baseUrl: 'http://127.0.0.1:9', authUrl: `${tap.url}/` };
	const result = await run({ resource: 'token', operation: 'get' }, [{}], { account });
	expect(tap.received).toMatchObject([{ method: 'POST', path: '/api/integration/get-token' }]);
	expect(tap.received[0]!.json).toEqual({
		client_id: 'demo-client',
		secret_key: 'demo-secret-key',
	});
	expect(result.successJson).toEqual([
		{ token: expect.stringMatching(/^\d+\|\S+$/), message: expect.any(String) },
	]);
});

describe('payment links, get many', () => {
	const LIST = { resource: 'paymentLink', operation: 'getAll' };
	const make = async () => {
		await run(LINK, [{ amount: 1 }, { amount: 2 }, { amount: 3 }], { options: { concurrency: 1 } });
		tap.received.length = 0;
	};

	it('gets with a bearer token that is fetched once per execution', async () => {
		await make();
		const result = await run({ ...LIST, limit: 2 }, [{ a: 1 }, { a: 2 }]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
		const [token, ...lists] = tap.received;
		expect(token).toMatchObject({ method: 'POST', path: '/api/integration/get-token' });
		expect(lists).toHaveLength(2);
		for (const list of lists) {
			expect(list).toMatchObject({ method: 'GET', path: PATHS.list, text: '' });
			expect(list.headers.authorization).toMatch(/^Bearer \d+\|\S+$/);
		}
	});

	it('returns all when asked to', async () => {
		await make();
		const { successJson } = await run({ ...LIST, returnAll: true });
		expect(successJson.map(({ amount }) => Number(amount))).toEqual([3, 2, 1]);
	});

	it('sends no token when the credential says none', async () => {
		const result = await run(LIST, [{}], { account: { listAuthentication: 'none' } });
		expect(tap.received).toHaveLength(1);
		expect(tap.received[0]!.headers).not.toHaveProperty('authorization');
		// The sandbox wants a token here and says so in the documented words.
		expect(result.nodeError?.message).toContain('User not found (HTTP 200)');
	});

	it('refuses a limit below one', async () => {
		expect((await run({ ...LIST, limit: 0 })).nodeError?.message).toBe(
			"'Limit' in this item is 0, which is less than one [Item 0]",
		);
	});
});

describe('countries, get many', () => {
	const countries = async (parameters: INodeParameters = {}) =>
		await runPayments(
			{ resource: 'country', operation: 'getAll', ...parameters },
			{ credential: { baseUrl: 'not an address' } },
		);
	const collections = { table: 'collections' };

	it('gives both tables without a credential, up to the limit, with at most ten fields', async () => {
		const links = (await countries()).successJson;
		expect(links).toHaveLength(11);
		expect(links[0]).toMatchObject({ iso2: 'KE', iso3: 'KEN' });
		expect(links[0]).not.toHaveProperty('supported');
		const all = (await countries(collections)).successJson;
		expect(all).toHaveLength(9);
		expect(all.find(({ iso2 }) => iso2 === 'BJ')).toMatchObject({
			country_id: 2,
			supported: false,
			decimals: 0,
			operators: 2,
		});
		expect(Object.keys(all[0]!)).toHaveLength(10);
		const [whole] = (await countries({ ...collections, simplify: false })).successJson;
		expect(whole).toEqual({ ...all[0], iso3: 'KEN' });
		expect((await countries({ limit: 3 })).successJson).toHaveLength(3);
		expect((await countries({ limit: 3, returnAll: true })).successJson).toHaveLength(11);
	});

	it('names the tables there are when asked for another', async () => {
		const { nodeError } = await countries({ table: "={{ 'payouts' }}" });
		expect(nodeError?.message).toContain('is "payouts", which is not a table');
		expect(nodeError?.description).toContain('Choose paymentLinks or collections.');
	});
});

it.each([
	['ZM', true, '80.00'],
	['ZM', false, '80'],
	['KE', true, '80'],
])(
	'two decimals in %s, asked for: %s, are written as %s, and what is signed is what is sent',
	async (country, twoDecimals, written) => {
		const phone = country === 'ZM' ? '0955123456' : '0712345678';
		const rows = [{ amount: 80, phone }];
		const result = await run({ ...COLLECT, country }, rows, { account: { twoDecimals } });
		expect(result.successJson).toMatchObject([{ outcome: 'accepted', request: { amount: 80 } }]);
		expect(tap.received[0]!.text).toContain(`"params":{"amount":${written},"mobile"`);
	},
);

describe('the phone number of a link, which is only filled in', () => {
	const withPhone = async (phone: string) => await run({ ...LINK, additionalFields: { phone } });

	it.each([
		['0712 345678', '254712345678'],
		['+255 712 345 678', '+255 712 345 678'],
		['020 2222222', '020 2222222'],
		[' 020 2222222 ', '020 2222222'],
	])('"%s" is sent as "%s"', async (phone, expected) => {
		expect((await withPhone(phone)).nodeError).toBeUndefined();
		expect(paramsOf(tap.received[0]!)).toMatchObject({ phone: expected });
	});

	it.each(['7.12E+08', '712345678.0', '12'])(
		'"%s", which a sheet spoilt, is refused',
		async (phone) => {
			expect((await withPhone(phone)).nodeError?.message).toMatch(/^'Customer Phone' in .* is /);
			expect(tap.received).toEqual([]);
		},
	);
});

describe('a secret that was typed into a callback URL', () => {
	const shownIn = (items: IDataObject[]) =>
		items.map(({ request }) => (request as IDataObject).callback_url);

	const typed = 'https://a.example/hook?token=canary-typed&x=1&%74oken=canary-too';

	it.each([
		['link', LINK],
		['collection', COLLECT],
	])('of a %s is sent, and not shown', async (_, parameters) => {
		const result = await run({ ...parameters, callbackUrl: typed }, [{}]);
		const sent = tap.received.filter(({ path }) => /create$|collections$/.test(path));
		expect(JSON.stringify(result.run.data.resultData.runData)).not.toContain('canary');
		expect([paramsOf(sent.at(-1)!).callback_url, ...shownIn(result.successJson)]).toEqual([
			marked(typed),
			marked('https://a.example/hook?token=***&x=1&%74oken=***'),
		]);
	});
});

it.each(['signature', 'data.signature', 'data'] as const)(
	'signatures of the signing endpoint are read from %s',
	async (signatureReply) => {
		const clientId = 'a';
		const secretKey = 'canary-secret';
		const title = 'Títle ✓';
		const signature = { algorithm: 'sha512', encoding: 'base64' } as const;
		const integrations = [{ id: 'a', title, clientId, secretKey, signatureReply, signature }];
		const own = opened(await startTapped({ integrations }));
		const signatureSource = 'endpoint';
		const result = await run(COLLECT, [{}], {
			credential: own.credential({ clientId, sender: title, secretKey, signatureSource }),
		});
		expect(result.successJson[0]).toMatchObject({ outcome: 'accepted' });
		const arrived = own.tap.received.map(({ path, json }) => [path, Object.keys(json as object)]);
		expect(arrived).toEqual([
			[
				'/api/service-signature',
				[...ENVELOPE.filter((name) => name !== 'signature'), 'secret_key'],
			],
			[PATHS.collect, ENVELOPE],
		]);
		expect(own.sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
		expect(JSON.stringify(result.run)).not.toContain('canary');
	},
);
