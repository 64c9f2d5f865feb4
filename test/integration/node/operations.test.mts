import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

/** One run of every operation that sends, and what must arrive on the other side. */
interface Case {
	parameters: INodeParameters;
	method: string;
	path: string;
	/** Exactly the params on the wire, with their JSON types. */
	params: IDataObject;
}

/** A URL as it is sent: with the order mark that begins with `start`, before any fragment. */
const marked = (url: string, start = '0'): string => {
	const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const [address = '', fragment] = url.split('#');
	const end = fragment === undefined ? '' : `#${fragment}`;
	const joined = `${address}${address.includes('?') ? '&' : '?'}upo=${start}`;
	return expect.stringMatching(new RegExp(`^${literal(joined)}[\\w.-]+${literal(end)}$`)) as string;
};

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');

const CASES: Record<string, Case> = {
	'payment link with every field': {
		parameters: {
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
		method: 'POST',
		path: '/api/v3/payment-link-api/create',
		params: {
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
	},
	'payment link with the least': {
		parameters: {
			resource: 'paymentLink',
			operation: 'create',
			country: 'NG',
			amount: 0.3,
			businessName: 'Shop',
			itemName: 'Item',
		},
		method: 'POST',
		path: '/api/v3/payment-link-api/create',
		params: {
			business_name: 'Shop',
			item_name: 'Item',
			currency: 'NGN',
			amount: '0.30',
			country_id: 17,
		},
	},
	'collection with every field': {
		parameters: {
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
		method: 'POST',
		path: '/api/v3/service-unified-collections',
		params: {
			amount: 99.9,
			mobile: '260955123456',
			country_id: 12,
			currency: 'ZMW',
			payment_method_type: 'mobile operator',
			callback_url: marked('https://shop.example.com/hook', '1order-7.9990ZMW'),
			third_party_reference_1: 'order-7',
			third_party_reference_2: 'customer-1',
		},
	},
	'collection with the least': {
		parameters: {
			resource: 'collection',
			operation: 'create',
			country: 'kenya',
			amount: 5,
			mobile: 712345678,
		},
		method: 'POST',
		path: '/api/v3/service-unified-collections',
		params: { amount: 5, mobile: '254712345678', country_id: 1, currency: 'KES' },
	},
	'balance of one wallet': {
		parameters: { resource: 'balance', operation: 'get', walletAccount: '1001', currency: 'KES' },
		method: 'POST',
		path: '/api/v3/get-unified-balance',
		params: { wallet_account: 1001, currency: 'KES' },
	},
	'balance of all wallets': {
		parameters: { resource: 'balance', operation: 'get' },
		method: 'POST',
		path: '/api/v3/get-unified-balance',
		params: {},
	},
};

const service = throughout(async () => await startTapped());

beforeEach(() => {
	service.tap.received.length = 0;
	service.sandbox.reset();
});

const lastRequest = () => service.sandbox.state.requests[0]!;

describe.each(Object.entries(CASES))('%s', (_, { parameters, method, path, params }) => {
	it('sends exactly what the specification says, with a valid signature', async () => {
		const before = Math.floor(Date.now() / 1000);
		const result = await runPayments(parameters, { credential: service.credential() });

		expect(result.nodeError).toBeUndefined();
		const own = service.tap.received.filter((each) => each.path === path);
		expect(own).toHaveLength(1);
		const [received] = own;
		expect(received).toMatchObject({ method, path });
		// A link that no reply holds is looked for in the list; nothing else is asked.
		const others = service.tap.received.filter((each) => !own.includes(each));
		expect(others.map((each) => each.path)).toEqual(
			parameters.resource === 'paymentLink'
				? ['/api/integration/get-token', '/api/payment-link-api/list']
				: [],
		);
		expect(received!.headers['content-type']).toBe('application/json');
		expect(received!.json).toEqual({
			client_id: 'demo-client',
			sender: 'Demo Shop',
			timestamp: expect.any(Number),
			salt: expect.stringMatching(/^[0-9a-f]{32}$/),
			signature: expect.stringMatching(/^[0-9a-f]{64}$/),
			params,
		});
		const { timestamp } = received!.json as { timestamp: number };
		expect(Number.isInteger(timestamp)).toBe(true);
		expect(timestamp).toBeGreaterThanOrEqual(before);
		expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
		const { callback_url: url } = params;
		if (url !== undefined) {
			const { callback_url: sent } = (received!.json as { params: IDataObject }).params;
			expect(readMark(readCredential(service.credential()), String(sent))).toEqual({
				kind: 'valid',
				orderReference: parameters.resource === 'collection' ? 'order-7' : null,
				asked: { amount: Number(params.amount), currency: params.currency },
			});
		}
		const seen = service.sandbox.state.requests.find((each) => each.path === path);
		expect(seen?.verdict).toMatchObject({ ok: true });
	});
});

describe('transaction', () => {
	const collect = async (sandbox = service) => {
		await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: 10,
				mobile: '0712345678',
			},
			{ credential: sandbox.credential() },
		);
		service.tap.received.length = 0;
		return service.sandbox.state.transactions[0]!.ref;
	};

	it('asks version 3 with id and type, and turns text into numbers', async () => {
		const ref = await collect();
		service.sandbox.settle(ref, 'success');
		const result = await runPayments(
			{ resource: 'transaction', operation: 'get', reference: ` ${ref} `, simplify: false },
			{ credential: service.credential() },
		);
		expect(service.tap.received[0]).toMatchObject({
			method: 'POST',
			path: '/api/v3/get-unified-transaction-status',
			json: { params: { id: ref, type: 'payin' } },
		});
		expect(lastRequest().verdict).toMatchObject({ ok: true });
		expect(result.successJson[0]).toMatchObject({
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
		service.sandbox.settle(ref, { status: 'failed', failureCode: 'INSUFFICIENT_FUNDS' });
		const result = await runPayments(
			{ resource: 'transaction', operation: 'get', reference: ref },
			{ credential: service.credential() },
		);
		const [item] = result.successJson;
		expect(Object.keys(item!)).toHaveLength(10);
		expect(item).toMatchObject({ ref, state: 'failed', failureMessage: expect.any(String) });
	});

	it('says payout when asked for one', async () => {
		const { ref } = service.sandbox.addPayout();
		const result = await runPayments(
			{ resource: 'transaction', operation: 'get', reference: ref, type: 'payout' },
			{ credential: service.credential() },
		);
		expect(service.tap.received[0]!.json).toMatchObject({ params: { id: ref, type: 'payout' } });
		expect(result.successJson[0]).toMatchObject({ ref });
	});

	it('asks version 2 with the id alone, and the API key only there and only when set', async () => {
		const ref = await collect();
		const parameters = {
			resource: 'transaction',
			operation: 'get',
			reference: ref,
			apiVersion: 'v2',
			simplify: false,
		};
		const result = await runPayments(parameters, {
			credential: service.credential({ apiKey: 'canary-api-key', apiKeyHeader: 'X-Partner' }),
		});
		const [received] = service.tap.received;
		expect(received).toMatchObject({
			method: 'POST',
			path: '/api/v2/get-unified-transaction-status',
			headers: { 'x-partner': 'canary-api-key' },
		});
		expect((received!.json as IDataObject).params).toEqual({ id: ref });
		expect(result.successJson[0]).toMatchObject({ ref, state: 'pending', amount: 10 });
		expect(result.successJson[0]).not.toHaveProperty('status_code');

		service.tap.received.length = 0;
		await runPayments(parameters, { credential: service.credential() });
		await runPayments(
			{ ...parameters, apiVersion: 'v3' },
			{ credential: service.credential({ apiKey: 'canary-api-key' }) },
		);
		for (const { headers } of service.tap.received) expect(headers).not.toHaveProperty('x-api-key');
	});

	it("takes the user's own words for success and failure", async () => {
		const ref = await collect();
		const result = await runPayments(
			{
				resource: 'transaction',
				operation: 'get',
				reference: ref,
				simplify: false,
			},
			{ credential: service.credential({ successStatuses: 'credited, PENDING' }) },
		);
		expect(result.successJson[0]).toMatchObject({ state: 'success', status: 'pending' });
	});
});

describe('token', () => {
	it('sends client id and secret key to the auth URL, unsigned', async () => {
		const result = await runPayments(
			{ resource: 'token', operation: 'get' },
			{
				credential: service.credential({
					baseUrl: 'http://127.0.0.1:9',
					authUrl: `${service.tap.url}/`,
				}),
			},
		);
		expect(service.tap.received).toHaveLength(1);
		expect(service.tap.received[0]).toMatchObject({
			method: 'POST',
			path: '/api/integration/get-token',
			json: { client_id: 'demo-client', secret_key: 'demo-secret-key' },
		});
		expect(Object.keys(service.tap.received[0]!.json as IDataObject)).toHaveLength(2);
		expect(result.successJson).toEqual([
			{ token: expect.stringMatching(/^\d+\|\S+$/), message: expect.any(String) },
		]);
	});
});

describe('payment links, get many', () => {
	const make = async (count: number) => {
		await runPayments(
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'GH',
				amount: '={{ $json.amount }}',
				businessName: 'Shop',
				itemName: 'Item',
				callbackUrl: 'https://a.example/h',
			},
			{
				credential: service.credential(),
				items: Array.from({ length: count }, (_, index) => ({ amount: index + 1 })),
			},
		);
		service.tap.received.length = 0;
	};

	it('gets with a bearer token that is fetched once per execution', async () => {
		await make(3);
		const result = await runPayments(
			{ resource: 'paymentLink', operation: 'getAll', limit: 2 },
			{ credential: service.credential(), items: [{ a: 1 }, { a: 2 }] },
		);
		expect(result.successJson).toHaveLength(4);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 1 },
			{ item: 1 },
		]);
		const [token, ...lists] = service.tap.received;
		expect(token).toMatchObject({ method: 'POST', path: '/api/integration/get-token' });
		expect(lists).toHaveLength(2);
		for (const list of lists) {
			expect(list).toMatchObject({ method: 'GET', path: '/api/payment-link-api/list', text: '' });
			expect(list.headers.authorization).toMatch(/^Bearer \d+\|\S+$/);
		}
	});

	it('returns all when asked to', async () => {
		await make(3);
		const result = await runPayments(
			{ resource: 'paymentLink', operation: 'getAll', returnAll: true },
			{ credential: service.credential() },
		);
		expect(result.successJson.map(({ amount }) => Number(amount))).toEqual([3, 2, 1]);
	});

	it('sends no token when the credential says none', async () => {
		const result = await runPayments(
			{ resource: 'paymentLink', operation: 'getAll' },
			{ credential: service.credential({ listAuthentication: 'none' }) },
		);
		expect(service.tap.received).toHaveLength(1);
		expect(service.tap.received[0]!.headers).not.toHaveProperty('authorization');
		// The sandbox wants a token here and says so in the documented words.
		expect(result.nodeError?.message).toBe(
			'The service declined the payment links: User not found (HTTP 200) [Item 0]',
		);
	});

	it('refuses a limit below one', async () => {
		const result = await runPayments(
			{ resource: 'paymentLink', operation: 'getAll', limit: 0 },
			{ credential: service.credential() },
		);
		expect(result.nodeError?.message).toBe(
			"'Limit' in row 1 is 0, which is less than one [Item 0]",
		);
	});
});

describe('countries, get many', () => {
	it('gives both tables without sending anything and without a credential', async () => {
		const links = await runPayments(
			{ resource: 'country', operation: 'getAll' },
			{ credential: { baseUrl: 'not an address' } },
		);
		expect(links.successJson).toHaveLength(11);
		const collections = await runPayments(
			{ resource: 'country', operation: 'getAll', table: 'collections' },
			{ credential: {} },
		);
		expect(collections.successJson).toHaveLength(9);
		expect(collections.successJson.find(({ iso2 }) => iso2 === 'BJ')).toMatchObject({
			country_id: 2,
			supported: false,
			decimals: 0,
			operators: 2,
		});
		expect(service.tap.received).toHaveLength(0);
	});

	const countries = async (parameters: INodeParameters) =>
		(
			await runPayments(
				{ resource: 'country', operation: 'getAll', ...parameters },
				{ credential: {} },
			)
		).successJson;

	it('stops at the limit, unless all are wanted', async () => {
		expect(await countries({ limit: 3 })).toHaveLength(3);
		expect(await countries({ limit: 3, returnAll: true })).toHaveLength(11);
		expect(await countries({ table: 'collections', limit: 4 })).toHaveLength(4);
	});

	it('has at most ten fields unless all are wanted', async () => {
		const [simple] = await countries({ table: 'collections' });
		const [whole] = await countries({ table: 'collections', simplify: false });
		expect(Object.keys(simple!)).toHaveLength(10);
		expect(whole).toEqual({ ...simple, iso3: 'KEN' });
		const [link] = await countries({});
		expect(link).toMatchObject({ iso2: 'KE', iso3: 'KEN' });
		expect(link).not.toHaveProperty('supported');
	});

	it('names the tables there are when asked for another', async () => {
		const { nodeError } = await runPayments(
			{ resource: 'country', operation: 'getAll', table: "={{ 'payouts' }}" },
			{ credential: {} },
		);
		expect(nodeError?.message).toContain('is "payouts", which is not a table');
		expect(nodeError?.description).toContain('Choose paymentLinks or collections.');
	});
});

describe('two decimals of a collection', () => {
	const sent = async (twoDecimals: boolean, country = 'ZM', mobile = '0955123456') => {
		const result = await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country,
				amount: 80,
				mobile,
			},
			{ credential: service.credential({ twoDecimals }) },
		);
		expect(result.successJson).toMatchObject([{ outcome: 'accepted', request: { amount: 80 } }]);
		return service.tap.received[0]!.text;
	};

	it('are written when they are asked for, and what is signed is what is sent', async () => {
		expect(await sent(true)).toContain('"params":{"amount":80.00,"mobile"');
	});

	it('are not written where the service does not mark them', async () => {
		expect(await sent(true, 'KE', '0712345678')).toContain('"params":{"amount":80,"mobile"');
	});

	it('are left out otherwise', async () => {
		expect(await sent(false)).toContain('"params":{"amount":80,"mobile"');
	});
});

describe('the phone number of a link, which is only filled in', () => {
	it.each([
		['0712 345678', '254712345678'],
		['+255 712 345 678', '+255 712 345 678'],
		['020 2222222', '020 2222222'],
		[' 12 ', '12'],
	])('"%s" is sent as "%s"', async (phone, expected) => {
		const result = await runPayments(
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'KE',
				amount: 5,
				businessName: 'Shop',
				itemName: 'Item',
				additionalFields: { phone },
			},
			{ credential: service.credential() },
		);
		expect(result.nodeError).toBeUndefined();
		expect(service.tap.received[0]).toMatchObject({ json: { params: { phone: expected } } });
	});

	it.each(['7.12E+08', '712345678.0'])('"%s", which a sheet spoilt, is refused', async (phone) => {
		const result = await runPayments(
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'KE',
				amount: 5,
				businessName: 'Shop',
				itemName: 'Item',
				additionalFields: { phone },
			},
			{ credential: service.credential() },
		);
		expect(result.nodeError?.message).toMatch(/^'Customer Phone' in row 1 is /);
		expect(service.tap.received).toEqual([]);
	});
});

describe('the callback token', () => {
	it('goes with every callback URL that is sent, and never into an item', async () => {
		const credential = service.credential({ callbackToken: 'canary token&1 and more' });
		const result = await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				mobile: '0712345678',
				callbackUrl: '={{ $json.url }}',
			},
			{
				credential,
				items: [
					{ amount: 1, url: 'https://a.example/hook' },
					{ amount: 2, url: 'https://a.example/hook?x=1#part' },
				],
			},
		);
		const sent = service.tap.received.map(({ json }) => (json as { params: IDataObject }).params);
		expect(sent.map(({ callback_url }) => callback_url)).toEqual([
			marked('https://a.example/hook?token=canary%20token%261%20and%20more'),
			marked('https://a.example/hook?x=1&token=canary%20token%261%20and%20more#part'),
		]);
		expect(result.successJson.map(({ request }) => (request as IDataObject).callback_url)).toEqual([
			marked('https://a.example/hook'),
			marked('https://a.example/hook?x=1#part'),
		]);
		const ref = service.sandbox.state.transactions[0]!.ref;
		const status = await runPayments(
			{ resource: 'transaction', operation: 'get', reference: ref, simplify: false },
			{ credential },
		);
		expect(status.successJson[0]!.callback_url).toContain('token=***');
		expect(JSON.stringify(status.run)).not.toContain('canary');
	});

	const LINK = { resource: 'paymentLink', operation: 'create', country: 'KE', amount: 1 };
	const COLLECTION = { resource: 'collection', operation: 'create', country: 'KE', amount: 1 };
	const typed = 'https://a.example/hook?token=canary-typed&x=1&%74oken=canary-too';

	it.each([
		['link', { ...LINK, businessName: 'Shop', itemName: 'Tea' }],
		['collection', { ...COLLECTION, mobile: '0712345678' }],
	])('of a %s takes the place of one that was typed', async (_, fields) => {
		const run = async (callbackToken: string) => {
			const result = await runPayments(
				{ ...fields, callbackUrl: typed },
				{ credential: service.credential({ callbackToken }) },
			);
			const sent = service.tap.received.filter(({ path }) => /create$|collections$/.test(path));
			const { params } = sent.at(-1)!.json as { params: IDataObject };
			const { request } = result.successJson[0] as { request: IDataObject };
			expect(JSON.stringify(result.run.data.resultData.runData)).not.toContain('canary');
			return [params.callback_url, request.callback_url];
		};
		expect(await run('canary-token-of-mine')).toEqual([
			marked('https://a.example/hook?x=1&token=canary-token-of-mine'),
			marked('https://a.example/hook?x=1'),
		]);
		expect(await run('')).toEqual([
			marked(typed),
			marked('https://a.example/hook?token=***&x=1&%74oken=***'),
		]);
	});
});

describe('signatures from the signing endpoint', () => {
	it.each(['signature', 'data.signature', 'data'] as const)('are read from %s', async (reply) => {
		const own = await startTapped({
			integrations: [
				{
					id: 'a',
					title: 'Títle ✓',
					clientId: 'a',
					secretKey: 'canary-secret',
					signatureReply: reply,
					signature: { algorithm: 'sha512', encoding: 'base64' },
				},
			],
		});
		try {
			const result = await runPayments(
				{
					resource: 'collection',
					operation: 'create',
					country: 'KE',
					amount: 5,
					mobile: '0712345678',
				},
				{
					credential: own.credential({
						clientId: 'a',
						sender: 'Títle ✓',
						secretKey: 'canary-secret',
						signatureSource: 'endpoint',
					}),
				},
			);
			expect(result.nodeError).toBeUndefined();
			expect(result.successJson[0]).toMatchObject({ outcome: 'accepted' });
			const [asked, sent] = own.tap.received.map(({ path, json }) => ({
				path,
				json: json as IDataObject,
			}));
			expect(asked!.path).toBe('/api/service-signature');
			expect(Object.keys(asked!.json)).toEqual([
				'client_id',
				'sender',
				'timestamp',
				'salt',
				'params',
				'secret_key',
			]);
			expect(sent!.path).toBe('/api/v3/service-unified-collections');
			expect(Object.keys(sent!.json)).toEqual([
				'client_id',
				'sender',
				'timestamp',
				'salt',
				'signature',
				'params',
			]);
			expect(own.sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
			expect(JSON.stringify(result.run)).not.toContain('canary');
		} finally {
			await own.close();
		}
	});
});
