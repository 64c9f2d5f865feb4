import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentLink, Sandbox } from '../../../sandbox/index.mts';
import { admin, COLLECTION, LINK, PATHS, send, signed, start, until } from './client.mts';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const webRoot = join(folder, 'web');
	mkdirSync(webRoot);
	mkdirSync(join(folder, 'web-not'));
	writeFileSync(join(folder, 'secret.json'), '{}');
	writeFileSync(join(folder, 'web-not', 'secret.json'), '{}');
	writeFileSync(join(webRoot, 'index.html'), '<title>Dashboard</title>');
	writeFileSync(join(webRoot, 'pay.html'), '<title>Pay</title>');
	writeFileSync(join(webRoot, 'app.js'), 'export {};');
	writeFileSync(join(webRoot, 'app.css'), 'a{}');
	writeFileSync(join(webRoot, 'icon.svg'), '<svg/>');
	sandbox = await start({ mode: 'rich', webRoot });
});
afterEach(() => sandbox.reset());
afterAll(async () => {
	await sandbox.close();
	rmSync(folder, { recursive: true });
});

const createLink = async (params: object = {}): Promise<string> => {
	const { json } = await signed(sandbox, PATHS.link, { ...LINK, ...params });
	return (json.data as { reference: string }).reference;
};

describe('GET /sandbox/state', () => {
	it('shows everything, newest first', async () => {
		const first = await createLink();
		const second = await createLink();
		await signed(sandbox, PATHS.collection, COLLECTION);
		await signed(sandbox, PATHS.collection, COLLECTION, { changed: { signature: 'no' } });
		sandbox.faults.add({ kind: 'html', nth: 99 });
		const { json } = await admin(sandbox, 'GET', '/state');
		expect(json).toMatchObject({
			mode: 'rich',
			strict: false,
			integrations: [
				{
					id: 'demo',
					title: 'Demo Shop',
					clientId: 'demo-client',
					signature: { algorithm: 'sha256', encoding: 'hex' },
				},
				{ id: 'second' },
			],
			transactions: [{ kind: 'collection', integration: 'demo', country: 'Kenya' }],
			callbacks: [],
			faults: [{ kind: 'html', nth: 99, hits: 0 }],
			ledger: { accepted: 3 },
		});
		expect((json.links as PaymentLink[]).map(({ reference }) => reference)).toEqual([
			second,
			first,
		]);
		expect(json.wallets).toContainEqual({
			integration: 'second',
			wallet_account: 1002,
			currency: 'XOF',
			balance: 10_000,
		});
		const requests = json.requests as Record<string, unknown>[];
		expect(requests).toHaveLength(4);
		expect(Object.keys(requests[0] ?? {}).sort()).toEqual(
			[
				'id',
				'at',
				'method',
				'path',
				'status',
				'durationMs',
				'integration',
				'verdict',
				'message',
				'fault',
			].sort(),
		);
		expect(requests[0]).toMatchObject({ verdict: { ok: false, reason: 'signature_mismatch' } });
		expect(requests[1]).toMatchObject({ verdict: { ok: true }, integration: 'demo' });
	});

	it('shows a link as the pages need it', async () => {
		const reference = await createLink({ first_name: 'Amina', phone: '254712345678' });
		const { json } = await admin(sandbox, 'GET', '/state');
		expect((json.links as PaymentLink[])[0]).toEqual({
			reference,
			integration: 'demo',
			link: `${sandbox.url}/pay/${reference}`,
			createdAt: expect.stringMatching(/Z$/),
			state: 'open',
			amount: 2500.5,
			currency: 'KES',
			country: 'Kenya',
			country_id: 1,
			currency_country_id: null,
			business_name: 'Savanna Coffee',
			item_name: 'Beans',
			first_name: 'Amina',
			last_name: null,
			email: null,
			phone: '254712345678',
			callback_url: null,
			redirection_url: null,
			hasLogo: false,
			transaction: null,
		});
	});

	it('keeps the log bounded and the snapshot short', async () => {
		const small = await start({ logLimit: 3 });
		for (let index = 0; index < 5; index++) await signed(small, PATHS.collection, COLLECTION);
		expect(small.state.requests.map(({ id }) => id)).toEqual([5, 4, 3]);
		const { json } = await admin(small, 'GET', '/state?limit=2');
		expect(json.transactions).toHaveLength(2);
		expect(json).toMatchObject({
			totals: { transactions: 5, requests: 5 },
			ledger: { accepted: 5 },
		});
		await small.close();
	});
});

describe('payment links', () => {
	it.each([
		['success', 'paid', 'success', null],
		['failed', 'failed', 'failed', 'DECLINED'],
		['cancelled', 'cancelled', 'failed', 'USER_CANCELLED'],
	])('%s', async (outcome, state, status, failureCode) => {
		const redirection_url = 'https://shop.example/back?order=1#top';
		const reference = await createLink({ redirection_url });
		const pay = () =>
			admin(sandbox, 'POST', `/links/${reference}/pay`, {
				outcome,
				method: 'Pay bill',
				mobile: '254700000001',
			});
		const reply = await pay();
		expect(reply.json).toMatchObject({
			state,
			redirect: `https://shop.example/back?order=1&reference=${reference}&status=${state}#top`,
			transaction: {
				kind: 'link',
				ref: reference,
				status,
				amount: 2500.5,
				mobile: '254700000001',
				payment_channel: 'Pay bill',
				failureReason: { failureCode },
			},
		});
		expect(sandbox.state.links[0]).toMatchObject({ state, transaction: reference });
		expect(await pay()).toMatchObject({ status: 409, json: { success: false } });
		expect(sandbox.state.transactions).toHaveLength(1);
		const known = await signed(sandbox, PATHS.statusV3, { id: reference, type: 'payin' });
		expect(known.json.data).toMatchObject({ status });
		const moved = status === 'success' ? 2500.5 - 37.51 : 0;
		expect(sandbox.state.wallets[0]?.balance).toBe(10_000 + moved);
	});

	it('have no transaction before they are paid', async () => {
		const id = await createLink();
		const reply = await signed(sandbox, PATHS.statusV3, { id, type: 'payin' });
		expect(reply.json).toMatchObject({ success: false, message: 'Transaction was not created!' });
	});

	it('call back when paid, and redirect nowhere without an address', async () => {
		const reference = await createLink({ callback_url: 'http://127.0.0.1:9/cb' });
		const { json } = await admin(sandbox, 'POST', `/links/${reference}/pay`, {
			outcome: 'success',
		});
		expect(json.redirect).toBeNull();
		await until(() => sandbox.state.callbacks[0]?.reference === reference);
	});

	it('offer the methods of the payer’s country', async () => {
		const methods = async (params: object) => {
			const reference = await createLink({ amount: '100', ...params });
			return (await admin(sandbox, 'GET', `/links/${reference}`)).json.methods;
		};
		expect(await methods({})).toEqual(['Till number', 'Pay bill', 'Bank transfer', 'Send money']);
		expect(await methods({ country_id: 17, currency: 'NGN' })).toEqual(['Bank']);
		expect(await methods({ currency: 'TZS' })).toHaveLength(3);
		expect(await methods({ currency: 'XOF', currency_country_id: 2 })).toHaveLength(1);
	});

	it.each([
		['POST', '/links/none/pay', { outcome: 'success' }, 404],
		['GET', '/links/none', undefined, 404],
		['POST', '/transactions/none/settle', { status: 'success' }, 404],
		['POST', '/callbacks/none/redeliver', {}, 404],
		['DELETE', '/faults/none', undefined, 404],
		['POST', '/payouts', { integration: 'none' }, 404],
		['POST', '/payouts', { amount: -1 }, 400],
		['POST', '/faults', { kind: 'earthquake' }, 400],
		['POST', '/faults', { kind: 'html', wrong: 1 }, 400],
		['POST', '/faults/plan', { seed: 1 }, 400],
		['GET', '/nothing', undefined, 404],
	])('%s %s %j is answered with %i', async (method, path, body, status) => {
		const reply = await admin(sandbox, method, path, body);
		expect(reply).toMatchObject({
			status,
			json: { success: false, message: expect.any(String) },
		});
	});

	it('refuses outcomes it does not know', async () => {
		const reference = await createLink();
		for (const body of [{}, { outcome: 'won' }, { outcome: 'success', tip: 1 }])
			expect((await admin(sandbox, 'POST', `/links/${reference}/pay`, body)).status).toBe(400);
		expect(sandbox.state.links[0]?.state).toBe('open');
	});
});

describe('the rest', () => {
	it('settles a transaction', async () => {
		await signed(sandbox, PATHS.collection, { ...COLLECTION, amount: 990100 });
		const ref = sandbox.state.transactions[0]?.ref ?? '';
		const settle = () =>
			admin(sandbox, 'POST', `/transactions/${ref}/settle`, {
				status: 'failed',
				failureCode: 'WRONG_PIN',
			});
		expect((await settle()).json).toMatchObject({
			ref,
			state: 'failed',
			failureReason: { failureCode: 'WRONG_PIN' },
		});
		expect((await settle()).status).toBe(409);
	});

	it('makes payouts', async () => {
		const { json } = await admin(sandbox, 'POST', '/payouts', { amount: 10, status: 'failed' });
		expect(json).toMatchObject({ kind: 'payout', integration: 'demo', state: 'failed' });
	});

	it('adds, lists and clears faults', async () => {
		const added = await admin(sandbox, 'POST', '/faults', { kind: 'html', route: 'balance' });
		expect(added).toMatchObject({ status: 201, json: { kind: 'html', seen: 0, hits: 0 } });
		await admin(sandbox, 'POST', '/faults', { kind: 'empty' });
		const list = async () => JSON.parse((await admin(sandbox, 'GET', '/faults')).text) as unknown[];
		expect(await list()).toHaveLength(2);
		await admin(sandbox, 'DELETE', `/faults/${String(added.json.id)}`);
		expect(await list()).toMatchObject([{ kind: 'empty' }]);
		await admin(sandbox, 'DELETE', '/faults');
		expect(await list()).toEqual([]);
	});

	it('counts in the ledger what was accepted, by reference', async () => {
		for (const third_party_reference_1 of ['A', 'B', 'A', '__proto__'])
			await signed(sandbox, PATHS.collection, { ...COLLECTION, third_party_reference_1 });
		await createLink({ logo: 'AAAA' });
		const { json, text } = await admin(sandbox, 'GET', '/ledger?by=third_party_reference_1');
		expect(json.accepted).toBe(5);
		expect(text).toContain('"countBy":{"A":2,"B":1,"__proto__":1}');
		expect((json.entries as object[])[0]).toEqual({
			integration: 'demo',
			kind: 'collection',
			reference: expect.stringMatching(/^CO-/),
			third_party_reference_1: 'A',
			amount: 500,
			currency: 'KES',
			at: expect.stringMatching(/Z$/),
			params: { ...COLLECTION, third_party_reference_1: 'A' },
		});
		expect((json.entries as object[])[4]).toMatchObject({
			kind: 'link',
			params: { item_name: 'Beans', logo: '4 characters' },
		});
		expect((await admin(sandbox, 'GET', '/ledger/A')).json).toMatchObject({ accepted: 2 });
		expect(sandbox.state.ledger.countBy('item_name')).toEqual({ Beans: 1 });
	});

	it('keeps integrations apart', async () => {
		const [, second] = sandbox.integrations;
		await signed(
			sandbox,
			PATHS.collection,
			{ ...COLLECTION, amount: 990200 },
			{ integration: second },
		);
		const balances = sandbox.state.wallets.filter(({ currency }) => currency === 'KES');
		expect(balances.map(({ balance }) => balance)).toEqual([10_000, 10_000 + 990_200 - 14_853]);
		expect(sandbox.state.ledger.countBy('integration')).toEqual({ second: 1 });
	});

	it('explains itself', async () => {
		const magic = JSON.parse((await admin(sandbox, 'GET', '/magic')).text) as object[];
		expect(magic).toContainEqual({
			amount: 990401,
			mobileEnding: '990401',
			meaning: expect.any(String),
			outcome: 'failed',
			failureCode: 'INSUFFICIENT_FUNDS',
			callbacks: 'once',
		});
		const help = await admin(sandbox, 'GET', '/help');
		expect(help.headers.get('content-type')).toMatch(/^text\/plain/);
		expect(help.text).toContain(sandbox.url);
	});

	it('starts anew', async () => {
		await createLink();
		await signed(sandbox, PATHS.collection, { ...COLLECTION, amount: 990200 });
		sandbox.faults.add({ kind: 'html' });
		await admin(sandbox, 'POST', '/reset');
		expect((await admin(sandbox, 'GET', '/state')).json).toMatchObject({
			links: [],
			transactions: [],
			callbacks: [],
			requests: [],
			faults: [],
			ledger: { accepted: 0 },
		});
		expect(sandbox.state.wallets[0]?.balance).toBe(10_000);
	});
});

describe('events', () => {
	it('tell every change as it happens', async () => {
		const controller = new AbortController();
		const stream = await fetch(`${sandbox.url}/sandbox/events`, { signal: controller.signal });
		expect(stream.headers.get('content-type')).toBe('text/event-stream');
		let text = '';
		const reading = (async () => {
			const decoder = new TextDecoder();
			for await (const chunk of stream.body ?? []) text += decoder.decode(chunk as Uint8Array);
		})().catch(() => undefined);
		const events = () =>
			[...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
				name,
				data: JSON.parse(data ?? '') as Record<string, unknown>,
			}));

		sandbox.faults.add({ kind: 'html', nth: 99 });
		const reference = await createLink({ callback_url: 'http://127.0.0.1:9/' });
		await admin(sandbox, 'POST', `/links/${reference}/pay`, { outcome: 'success' });
		await signed(sandbox, PATHS.collection, COLLECTION, { changed: { signature: 'x' } });
		sandbox.reset();
		await until(() => events().some(({ name }) => name === 'reset'));
		controller.abort();
		await reading;

		const data = (wanted: string) =>
			events().flatMap(({ name, data: one }) => (name === wanted ? [one] : []));
		expect(data('fault')[0]).toMatchObject({ kind: 'html' });
		expect(data('link').map(({ state }) => state)).toEqual(['open', 'paid']);
		expect(data('transaction').map(({ status }) => status)).toEqual(['pending', 'success']);
		expect(data('wallet')[0]).toMatchObject({ currency: 'KES', balance: 12_462.99 });
		expect(data('callback')[0]).toMatchObject({ reference, status: 'pending' });
		expect(data('request').at(-1)).toMatchObject({ verdict: { ok: false } });
	});
});

describe('pages', () => {
	it.each([
		['/', 'text/html; charset=utf-8', 'Dashboard'],
		['/pay/PL-1', 'text/html; charset=utf-8', 'Pay'],
		['/sandbox/web/app.js', 'text/javascript; charset=utf-8', 'export'],
		['/sandbox/web/app.css', 'text/css; charset=utf-8', 'a{}'],
		['/sandbox/web/icon.svg', 'image/svg+xml', '<svg/>'],
	])('%s', async (path, type, content) => {
		const reply = await send(sandbox, path, null);
		expect(reply.status).toBe(200);
		expect(reply.headers.get('content-type')).toBe(type);
		expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'");
		expect(reply.text).toContain(content);
	});

	it.each([
		'/sandbox/web/none.js',
		'/sandbox/web/..%2fsecret.json',
		'/sandbox/web/..%2fweb-not%2fsecret.json',
		'/sandbox/web/%2e%2e%2fsecret.json',
		'/sandbox/web/%2fetc%2fpasswd',
		'/sandbox/web/app.js%00.html',
		'/sandbox/web/',
		'/sandbox/web/%',
	])('serves nothing else: %s', async (path) => {
		const reply = await send(sandbox, path, null);
		expect([400, 404]).toContain(reply.status);
		expect(reply.json).toMatchObject({ success: false });
	});
});
