import type { INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { listSearch } from '../../../host/engine/index.mts';
import { demoCredential, runPayments, startTapped } from '../../helpers/payments.mts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped({ mode: 'rich' }));

beforeEach(() => {
	service.sandbox.reset();
	service.tap.received.length = 0;
});

const settingsOf = (name: string, credential = service.credential()) => ({
	// Without a resource, the node has no credential.
	parameters: { resource: name === 'searchWallets' ? 'balance' : 'paymentLink' },
	credentials: { unifiedPaymentsApi: credential },
	credentialTypes: [new UnifiedPaymentsApi()],
});

const search = async (name: string, typed?: string, credential = service.credential()) =>
	await listSearch(new UnifiedPayments(), name, { ...settingsOf(name, credential), typed });

/** A service that answers every question with the same data. */
async function withService(
	data: unknown,
	work: (credential: ReturnType<typeof demoCredential>) => Promise<void>,
) {
	const wire: Wire = await startWire(({ path }, response) =>
		json(response, 200, {
			success: true,
			message: 'ok',
			data: path.endsWith('get-token') ? { token: '1|canary' } : data,
		}),
	);
	try {
		await work(demoCredential(wire.url));
	} finally {
		await wire.close();
	}
}

describe('a wallet', () => {
	const paramsFor = async (walletAccount?: INodeParameters[string]) => {
		await runPayments(
			{
				resource: 'balance',
				operation: 'get',
				...(walletAccount !== undefined && { walletAccount }),
			},
			{ credential: service.credential(), items: [{ wallet: 1002 }] },
		);
		return service.tap.received.map((each) => (each.json as { params: unknown }).params);
	};

	it.each<[string, INodeParameters[string] | undefined, object]>([
		['picked from the list', { __rl: true, mode: 'list', value: 1001 }, { wallet_account: 1001 }],
		['by its ID', { __rl: true, mode: 'id', value: '1001' }, { wallet_account: 1001 }],
		[
			'by an expression in the locator',
			{ __rl: true, mode: 'id', value: '={{ $json.wallet }}' },
			{ wallet_account: 1002 },
		],
		['as an older workflow saved it', '1001', { wallet_account: 1001 }],
		['as an expression saved it', '={{ $json.wallet }}', { wallet_account: 1002 }],
		['left empty in an older workflow', '', {}],
		['left empty', { __rl: true, mode: 'list', value: '' }, {}],
		['not given at all', undefined, {}],
	])('%s', async (_, walletAccount, params) => {
		expect(await paramsFor(walletAccount)).toEqual([params]);
	});

	it('that is no number is called by what was given', async () => {
		const result = await runPayments(
			{
				resource: 'balance',
				operation: 'get',
				walletAccount: { __rl: true, mode: 'id', value: 'main' },
			},
			{ credential: service.credential() },
		);
		expect(result.nodeError?.message).toBe(
			`'Wallet Account' in row 1 is "main", which is not a whole number [Item 0]`,
		);
	});

	it('is offered with its currency, and found by either', async () => {
		const { results } = await search('searchWallets');
		expect(results[0]).toEqual({ name: '1001 (KES)', value: 1001 });
		const found = await search('searchWallets', 'ugx');
		expect(found.results.map(({ name }) => name)).toEqual([expect.stringContaining('(UGX)')]);
		expect(service.tap.received[0]).toMatchObject({
			path: '/api/v3/get-unified-balance',
			json: { params: {} },
		});
	});

	it.each([
		[
			[{ balance: 5 }],
			'The service lists its wallets without numbers',
			"Choose 'By ID' and give the number of the wallet, or leave it empty for every wallet.",
		],
		['none', 'The reply to the balance could not be read: ok', expect.stringMatching(/\w/)],
	])('is not guessed from %j', async (data, message, description: unknown) => {
		await withService(data, async (credential) => {
			await expect(search('searchWallets', '', credential)).rejects.toMatchObject({
				message,
				description,
			});
		});
	});

	it('of an account without any is no list at all', async () => {
		await withService([], async (credential) => {
			expect(await search('searchWallets', '', credential)).toEqual({ results: [] });
		});
	});

	it('cannot be offered with a credential that does not work, and the list says why', async () => {
		const wrong = service.credential({ secretKey: 'another key' });
		await expect(search('searchWallets', '', wrong)).rejects.toThrow(
			/^The service (?:declined|did not authorize) the balance: /,
		);
		const nowhere = search('searchWallets', '', { ...wrong, baseUrl: 'nowhere' });
		await expect(nowhere).rejects.toMatchObject({
			message: expect.stringMatching(/^The credential.*Base URL/),
			description: 'The list needs a credential that works.',
		});
	});

	it('cannot be offered without a credential, and the list says so', async () => {
		const without = { ...settingsOf('searchWallets'), credentials: {} };
		await expect(listSearch(new UnifiedPayments(), 'searchWallets', without)).rejects.toThrow(
			/^The list could not be loaded: /,
		);
	});
});

describe('balances of any currency', () => {
	it.each([
		['kes', 'KES'],
		['USD', 'USD'],
		[' Points ', 'Points'],
	])('"%s" is asked for as "%s", and not refused', async (currency, sent) => {
		const result = await runPayments(
			{ resource: 'balance', operation: 'get', currency: `={{ '${currency}' }}` },
			{ credential: service.credential() },
		);
		expect(result.nodeError).toBeUndefined();
		expect(service.tap.received[0]).toMatchObject({ json: { params: { currency: sent } } });
	});
});

describe('a single payment link', () => {
	const create = async (itemName: string) =>
		(
			await runPayments(
				{
					resource: 'paymentLink',
					operation: 'create',
					country: 'KE',
					amount: 5,
					businessName: 'Shop',
					itemName,
				},
				{ credential: service.credential() },
			)
		).successJson[0]!;

	const get = async (paymentLink: INodeParameters[string], credential = service.credential()) =>
		await runPayments({ resource: 'paymentLink', operation: 'get', paymentLink }, { credential });

	it('is found by its reference, its address, or the plain value of either', async () => {
		await create('Other');
		const { reference, link } = await create('Tea');
		for (const paymentLink of [
			{ __rl: true, mode: 'list', value: String(reference) },
			{ __rl: true, mode: 'id', value: ` ${String(reference)} ` },
			{ __rl: true, mode: 'url', value: String(link) },
			String(reference),
			String(link),
		]) {
			const { successJson } = await get(paymentLink as INodeParameters[string]);
			expect(successJson).toEqual([expect.objectContaining({ reference, link, item_name: 'Tea' })]);
		}
		expect(service.tap.received.at(-1)).toMatchObject({
			method: 'GET',
			path: '/api/payment-link-api/list',
		});
	});

	it('that is not there is an error that says so', async () => {
		const { nodeError } = await get('PL-nowhere');
		expect(nodeError?.message).toBe('No payment link in the list is called "PL-nowhere" [Item 0]');
		expect(nodeError?.description).toContain("'From List'");
	});

	it('is never one of several with the same name', async () => {
		await withService([{ id: 7 }, { reference: '7' }, { id: 8 }], async (credential) => {
			expect((await get('7', credential)).nodeError?.message).toBe(
				'Several payment links in the list are called "7" [Item 0]',
			);
			expect((await get('8', credential)).successJson).toEqual([{ id: 8 }]);
		});
	});

	it('needs a name, and a list', async () => {
		expect((await get({ __rl: true, mode: 'id', value: "={{ ' ' }}" })).nodeError?.message).toBe(
			`'Payment Link' is missing in row 1 [Item 0]`,
		);
		await withService({}, async (credential) => {
			expect((await get('7', credential)).nodeError?.message).toContain('could not be read');
		});
	});

	it('is offered with what it is for, and with its address', async () => {
		const { reference, link } = await create('Tea');
		await create('Coffee');
		expect((await search('searchPaymentLinks', 'tea')).results).toEqual([
			{ name: 'Tea – 5.00 KES', value: reference, url: link },
		]);
	});

	it.each<[unknown, unknown]>([
		[[{ id: 7, amount: '5.00' }], [{ name: '7 – 5.00', value: '7' }]],
		[
			[{ url: 'https://a.example/p' }, { other: 1 }],
			[{ name: 'https://a.example/p', value: 'https://a.example/p', url: 'https://a.example/p' }],
		],
		[[], []],
	])('of a list with %j is offered as %j', async (data, results) => {
		await withService(data, async (credential) => {
			expect((await search('searchPaymentLinks', '', credential)).results).toEqual(results);
		});
	});

	it('that the list does not name is not offered', async () => {
		await withService([{ other: 1 }], async (credential) => {
			await expect(search('searchPaymentLinks', '', credential)).rejects.toThrow(
				'The service lists its links without references',
			);
		});
	});
});
