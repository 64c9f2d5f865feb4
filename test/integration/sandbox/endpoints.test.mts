import type { Sandbox } from '../../../sandbox/index.mts';
import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import {
	admin,
	COLLECTION,
	defaultOf,
	LINK,
	PATHS,
	seal,
	send,
	signed,
	start,
	token,
	until,
} from './client.mts';

let spec: Sandbox;
let rich: Sandbox;
beforeAll(async () => {
	[spec, rich] = await Promise.all([start(), start({ mode: 'rich' })]);
});
afterAll(() => Promise.all([spec.close(), rich.close()]));

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

describe('create payment link', () => {
	it('answers empty data in spec mode', async () => {
		const reply = await signed(spec, PATHS.link, LINK);
		expect(reply.status).toBe(200);
		expect(reply.json).toEqual({
			success: true,
			message: expect.stringMatching(/created/),
			data: {},
		});
	});

	it('answers link and reference in rich mode, and the link opens', async () => {
		const { json } = await signed(rich, PATHS.link, LINK);
		const { link, reference } = json.data as { link: string; reference: string };
		expect(link).toBe(`${rich.url}/pay/${reference}`);
		expect((await fetch(link)).headers.get('content-type')).toMatch(/^text\/html/);
	});

	it('takes every field of the specification and keeps it', async () => {
		const full = {
			...LINK,
			callback_url: 'https://shop.example/cb?x=1',
			redirection_url: 'https://shop.example/thanks',
			currency: 'XOF',
			amount: '1000',
			country_id: 9,
			currency_country_id: 3,
			logo: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64'),
			first_name: 'Zoë',
			last_name: "N'Diaye",
			email: 'zoe@example.com',
			phone: '221701234567',
		};
		const { json } = await signed(rich, PATHS.link, full);
		const { reference } = json.data as { reference: string };
		const { logo, amount, ...kept } = full;
		const stored = (await admin(rich, 'GET', `/links/${reference}`)).json;
		expect(stored).toMatchObject({ ...kept, amount: Number(amount), hasLogo: true });
		expect(stored.logo).toBe(`data:image/png;base64,${logo}`);
		expect(stored.methods).toEqual(['Mobile operator 1', 'Mobile operator 2']);
	});

	it.each(COUNTRIES.map((country) => [country.name, country] as const))(
		'takes %s',
		async (_, { id, currency }) => {
			const reply = await signed(spec, PATHS.link, {
				...LINK,
				amount: '5000',
				country_id: id,
				currency,
			});
			expect(reply.json).toMatchObject({ success: true });
		},
	);

	it('takes a logo of 2 MB and refuses one byte more', async () => {
		const logo = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
		const most = 2 * 1024 * 1024;
		const good = await signed(spec, PATHS.link, { ...LINK, logo: logo(most) });
		expect(good.json).toMatchObject({ success: true });
		const bad = await signed(spec, PATHS.link, { ...LINK, logo: logo(most + 1) });
		expect(bad.json).toEqual({ success: false, message: 'Payment link was not created.' });
	});

	it.each([
		['amount as a number', { amount: 2500 }],
		['three decimals', { amount: '1.005' }],
		['decimals of a currency without', { amount: '10.50', currency: 'XOF', country_id: 2 }],
		['nothing', { amount: '0' }],
		['a negative amount', { amount: '-5' }],
		['a grouped amount', { amount: '1,000' }],
		['country_id as text', { country_id: '1' }],
		['a broken country_id', { country_id: 1.5 }],
		['an unknown country', { country_id: 5 }],
		['an unknown currency', { currency: 'EUR' }],
		[
			'another country than the currency has',
			{ currency: 'XOF', amount: '10', currency_country_id: 1 },
		],
		['a logo that is no base64', { logo: 'data:image/png;base64,AAAA' }],
		['a callback that is no URL', { callback_url: 'shop' }],
		['a callback with another protocol', { callback_url: 'file:///etc/passwd' }],
		['null', { email: null }],
		['an unknown field', { colour: 'red' }],
		['no business name', { business_name: undefined }],
		['a blank item name', { item_name: ' ' }],
	])('refuses %s', async (_, changed) => {
		const reply = await signed(spec, PATHS.link, { ...LINK, ...changed });
		expect(reply.json).toEqual({ success: false, message: 'Payment link was not created.' });
	});
});

describe('list payment links', () => {
	it('lists the caller’s links only, newest first', async () => {
		const sandbox = await start();
		const [, second] = sandbox.integrations;
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'one' });
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'two' });
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'other' }, { integration: second });
		const names = async (integration = defaultOf(sandbox)) => {
			const authorization = `Bearer ${await token(sandbox, integration)}`;
			const reply = await send(sandbox, PATHS.list, null, { authorization });
			expect(reply.json.success).toBe(true);
			return (reply.json.data as { item_name: string }[]).map(({ item_name }) => item_name);
		};
		expect(await names()).toEqual(['two', 'one']);
		expect(await names(second)).toEqual(['other']);
		await sandbox.close();
	});

	it('needs no token when authentication is off, and lists the first integration’s', async () => {
		const sandbox = await start({ listAuthentication: 'none' });
		await signed(sandbox, PATHS.link, LINK);
		await signed(sandbox, PATHS.link, LINK, { integration: sandbox.integrations[1] });
		const reply = await send(sandbox, PATHS.list, null);
		expect(reply.json).toMatchObject({ success: true, data: [{ amount: '2500.50' }] });
		await sandbox.close();
	});
});

describe('submit collection', () => {
	it('answers empty data in spec mode and a reference in rich mode', async () => {
		const message = expect.stringMatching(/verification token was sent/);
		const plain = await signed(spec, PATHS.collection, COLLECTION);
		expect(plain).toMatchObject({ status: 200, json: { success: true, message } });
		expect(plain.json.data).toEqual({});
		expect(await collect(rich)).toMatch(/^CO-/);
	});

	it('takes every field of the specification and keeps it', async () => {
		const full = {
			amount: 12.5,
			mobile: '+260 97 123-4567',
			country_id: 12,
			currency: 'ZMW',
			payment_method_type: 'some operator',
			third_party_reference_1: 'A-1',
			third_party_reference_2: 'B-2',
		};
		const reference = await collect(rich, full);
		const [entry] = rich.state.ledger.of('A-1');
		expect(entry).toMatchObject({ reference, kind: 'collection', params: full });
		expect(rich.state.transactions.find(({ ref }) => ref === reference)).toMatchObject({
			amount: 12.5,
			currency: 'ZMW',
			country: 'Zambia',
			mobile: full.mobile,
			payment_channel: 'some operator',
			third_party_reference_1: 'A-1',
			third_party_reference_2: 'B-2',
		});
	});

	const rows = COUNTRIES.map((country) => [country.name, country] as const);
	it.each(rows)('%s, lenient and strict', async (_, { id, currency, collections }) => {
		const strict = await start({ strict: true });
		const params = { ...COLLECTION, country_id: id, currency };
		const no = { success: false, message: 'Country was not found' };
		const lenient = await signed(spec, PATHS.collection, params);
		expect(lenient.json).toMatchObject(collections === null ? no : { success: true });
		const refused = collections === null || !collections.supported;
		const reply = await signed(strict, PATHS.collection, params);
		expect(reply.json).toMatchObject(refused ? no : { success: true });
		await strict.close();
	});

	it.each([
		['amount as text', { amount: '500' }],
		['the classic float', { amount: 0.1 + 0.2 }],
		['a fraction of a currency without', { amount: 1.5, currency: 'XOF', country_id: 2 }],
		['zero', { amount: 0 }],
		['a negative amount', { amount: -1 }],
		['more than there is', { amount: 1e15 }],
		['a number as mobile', { mobile: 254712345678 }],
		['a word as mobile', { mobile: 'Amina' }],
		['no mobile', { mobile: undefined }],
		['no currency', { currency: undefined }],
		['another currency', { currency: 'UGX' }],
		['an unknown field', { note: 'x' }],
		['an empty callback', { callback_url: '' }],
		['null', { third_party_reference_1: null }],
	])('refuses %s', async (_, changed) => {
		const before = spec.state.ledger.accepted;
		const reply = await signed(spec, PATHS.collection, { ...COLLECTION, ...changed });
		expect(reply.json).toEqual({ success: false, message: 'Transaction was not created!' });
		expect(spec.state.ledger.accepted).toBe(before);
	});
});

const STRING_FIELDS = [
	'currency',
	'status',
	'payee',
	'invoice_no',
	'mobile',
	'account_number',
	'ref',
	'transaction_detail',
	'payment_channel',
	'transaction_date',
	'created_at',
	'updated_at',
	'callback_url',
];
const NUMBER_FIELDS = ['amount', 'fee', 'balance'];
const V3_FIELDS = ['status_code', 'failureReason'];

describe('transaction status', () => {
	const status = async (path: string, params: object) =>
		(await signed(rich, path, params)).json.data as Record<string, unknown>;

	it('v3: every field is a string, but the reason of a failure', async () => {
		const id = await collect(rich, { amount: 990200 });
		const record = await status(PATHS.statusV3, { id, type: 'payin' });
		const { failureReason, ...rest } = record;
		expect(failureReason).toEqual({ failureCode: null, failureMessage: null });
		expect(Object.keys(record).sort()).toEqual(
			[...STRING_FIELDS, ...NUMBER_FIELDS, ...V3_FIELDS].sort(),
		);
		for (const value of Object.values(rest)) expect(typeof value).toBe('string');
		expect(record).toMatchObject({ ref: id, amount: '990200.00', fee: '14853.00' });
	});

	it('v2: numbers are numbers and the v3 fields are missing', async () => {
		const id = await collect(rich, { amount: 990200 });
		const record = await status(PATHS.statusV2, { id });
		expect(Object.keys(record).sort()).toEqual([...STRING_FIELDS, ...NUMBER_FIELDS].sort());
		for (const field of STRING_FIELDS) expect(typeof record[field]).toBe('string');
		for (const field of NUMBER_FIELDS) expect(typeof record[field]).toBe('number');
		expect(record).toMatchObject({ ref: id, amount: 990200, fee: 14853, status: 'success' });
	});

	it('writes dates as specified', async () => {
		const id = await collect(rich);
		const record = await status(PATHS.statusV3, { id, type: 'payin' });
		expect(record.transaction_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
		for (const field of ['created_at', 'updated_at'])
			expect(record[field]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
	});

	it('answers payouts as payouts only, and payins as payins', async () => {
		const { ref } = rich.addPayout({ payee: 'Jane', invoice_no: 'INV-7' });
		const id = await collect(rich);
		expect(await status(PATHS.statusV3, { id: ref, type: 'payout' })).toMatchObject({
			payee: 'Jane',
			invoice_no: 'INV-7',
		});
		for (const params of [
			{ id: ref, type: 'payin' },
			{ id, type: 'payout' },
			{ id, type: 'other' },
			{ id },
			{ id: 7, type: 'payin' },
		]) {
			const { json } = await signed(rich, PATHS.statusV3, params);
			expect(json).toEqual({ success: false, message: 'Transaction was not created!' });
		}
	});

	it('hides the transactions of other integrations', async () => {
		const id = await collect(rich);
		const [, second] = rich.integrations;
		const { json } = await signed(
			rich,
			PATHS.statusV3,
			{ id, type: 'payin' },
			{ integration: second },
		);
		expect(json).toEqual({ success: false, message: 'Transaction was not created!' });
	});

	it('v2 demands the API key of an integration that has one', async () => {
		const [, second] = rich.integrations;
		const reply = await signed(rich, PATHS.collection, COLLECTION, { integration: second });
		const { reference: id } = reply.json.data as { reference: string };
		const ask = (headers: Record<string, string>) =>
			signed(rich, PATHS.statusV2, { id }, { integration: second, headers });
		for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
			const refused = await ask(headers);
			expect(refused).toMatchObject({
				status: 403,
				json: { success: false, message: 'Request was not verified.' },
			});
			expect(rich.state.requests[0]?.verdict).toMatchObject({
				ok: false,
				reason: 'api_key_mismatch',
			});
		}
		expect((await ask({ 'X-API-Key': 'second-api-key' })).json).toMatchObject({ success: true });
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
