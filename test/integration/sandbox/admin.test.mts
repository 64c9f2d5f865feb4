import { DEMO_INTEGRATIONS, type PaymentLink } from '../../../sandbox/index.mts';
import { admin, createLink, COLLECTION, PATHS, signed, start } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => sandbox.reset());

describe('GET /sandbox/state', () => {
	it('shows the ready-made keys, and no key of anybody else', async () => {
		const own = await start({
			integrations: [
				...DEMO_INTEGRATIONS,
				{ id: 'own', title: 'Own', clientId: 'own', secretKey: 'canary-key' },
			],
		});
		const { json } = await admin(own, 'GET', '/state');
		await own.close();
		expect(json.integrations).toMatchObject([
			{ secretKey: 'demo-secret-key' },
			{ id: 'second' },
			{ id: 'own' },
		]);
		expect(JSON.stringify(json)).not.toContain('canary-key');
	});

	it('shows everything, newest first', async () => {
		const first = await createLink(sandbox);
		const second = await createLink(sandbox);
		await signed(sandbox, PATHS.collection, COLLECTION);
		await signed(sandbox, PATHS.collection, COLLECTION, { changed: { signature: 'no' } });
		sandbox.faults.add({ kind: 'html', nth: 99 });
		const { json } = await admin(sandbox, 'GET', '/state');
		expect(json).toMatchObject({
			switches: { mode: 'rich' },
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
				'order',
				'fault',
			].sort(),
		);
		expect(requests[0]).toMatchObject({ verdict: { ok: false, reason: 'signature_mismatch' } });
		expect(requests[1]).toMatchObject({ verdict: { ok: true }, integration: 'demo' });
	});

	it('shows a link as the pages need it', async () => {
		const reference = await createLink(sandbox, { first_name: 'Amina', phone: '254712345678' });
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
			order: null,
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
		await createLink(sandbox, { logo: 'AAAA' });
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

	it('starts over', async () => {
		await createLink(sandbox);
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
