import type { INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { listSearch } from '../../../dev/host/engine/index.mts';
import { BALANCE, demoCredential, LINK, paramsOf, usePayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { credential, run, tap } = usePayments({ isTapped: true, mode: 'rich' });
const opened = closing();

type Locator = INodeParameters[string];
const locator = (mode: string, value: string | number): Locator => ({ __rl: true, mode, value });

const settingsOf = (name: string, own = credential()) => ({
	// Without a resource, the node has no credential.
	parameters: { resource: name === 'searchWallets' ? 'balance' : 'paymentLink' },
	credentials: { unifiedPaymentsApi: own },
	credentialTypes: [new UnifiedPaymentsApi()],
});
const search = async (name: string, typed?: string, own = credential()) =>
	await listSearch(new UnifiedPayments(), name, { ...settingsOf(name, own), typed });

/** A credential of a service that answers every question with the same data. */
const answering = async (data: unknown) => {
	const wire = opened(
		await startWire(({ path }, response) =>
			json(response, 200, {
				success: true,
				message: 'ok',
				data: path.endsWith('get-token') ? { token: '1|canary' } : data,
			}),
		),
	);
	return demoCredential(wire.url);
};

describe('a wallet', () => {
	it.each<[string, INodeParameters, object]>([
		['picked from the list', { walletAccount: locator('list', 1001) }, { wallet_account: 1001 }],
		['by its ID', { walletAccount: locator('id', '1001') }, { wallet_account: 1001 }],
		[
			'by an expression in the locator',
			{ walletAccount: locator('id', '={{ $json.wallet }}') },
			{ wallet_account: 1002 },
		],
		['as an older workflow saved it', { walletAccount: '1001' }, { wallet_account: 1001 }],
		[
			'as an expression saved it',
			{ walletAccount: '={{ $json.wallet }}' },
			{ wallet_account: 1002 },
		],
		['left empty in an older workflow', { walletAccount: '' }, {}],
		['left empty', { walletAccount: locator('list', '') }, {}],
		['not given at all', {}, {}],
	])('%s', async (_, parameters, params) => {
		await run({ ...BALANCE, ...parameters }, [{ wallet: 1002 }]);
		expect(tap.received.map(paramsOf)).toEqual([params]);
	});

	it('that is no number is called by what was given', async () => {
		const { nodeError } = await run({ ...BALANCE, walletAccount: locator('id', 'main') });
		expect(nodeError?.message).toBe(
			`'Wallet Account' in this item is "main", which is not a whole number [Item 0]`,
		);
	});

	it('is offered with its currency, and found by either', async () => {
		const { results } = await search('searchWallets');
		expect(results[0]).toEqual({ name: '1001 (KES)', value: 1001 });
		const found = await search('searchWallets', 'ugx');
		expect(found.results.map(({ name }) => name)).toEqual([expect.stringContaining('(UGX)')]);
		expect(tap.received[0]).toMatchObject({ path: '/api/v3/get-unified-balance' });
	});

	it.each([
		[[{ balance: 5 }], 'The service lists its wallets without numbers', /^Choose 'By ID'/],
		['none', 'The reply to the balance could not be read: ok', /\w/],
	])('is not guessed from %j', async (data, message, advice) => {
		await expect(search('searchWallets', '', await answering(data))).rejects.toMatchObject({
			message,
			description: expect.stringMatching(advice) as string,
		});
	});

	it('of an account without any is no list at all', async () => {
		expect(await search('searchWallets', '', await answering([]))).toEqual({ results: [] });
	});

	it('cannot be offered with a credential that does not work, or none, and the list says why', async () => {
		const wrong = credential({ secretKey: 'another key' });
		await expect(search('searchWallets', '', wrong)).rejects.toThrow(
			/^The service (?:declined|did not authorize) the balance: /,
		);
		const nowhere = search('searchWallets', '', { ...wrong, baseUrl: 'nowhere' });
		await expect(nowhere).rejects.toMatchObject({
			message: expect.stringMatching(/^The credential.*Base URL/),
			description: 'The list needs a credential that works.',
		});
		const without = { ...settingsOf('searchWallets'), credentials: {} };
		await expect(listSearch(new UnifiedPayments(), 'searchWallets', without)).rejects.toThrow(
			/^The list could not be loaded: /,
		);
	});
});

it.each([
	['kes', 'KES'],
	['USD', 'USD'],
	[' Points ', 'Points'],
])('balances of "%s" are asked for as "%s", and not refused', async (currency, sent) => {
	await run({ ...BALANCE, currency: `={{ '${currency}' }}` });
	expect(tap.received.map(paramsOf)).toEqual([{ currency: sent }]);
});

describe('a single payment link', () => {
	const create = async (item: string) => (await run(LINK, [{ amount: 5, item }])).successJson[0]!;
	const get = async (paymentLink: Locator, own = credential()) =>
		await run({ resource: 'paymentLink', operation: 'get', paymentLink }, [{}], {
			credential: own,
		});

	it('is found by its reference, its address, or the plain value of either', async () => {
		await create('Other');
		const { reference, link } = await create('Tea');
		for (const paymentLink of [
			locator('list', String(reference)),
			locator('id', ` ${String(reference)} `),
			locator('url', String(link)),
			String(reference),
			String(link),
		]) {
			const { successJson } = await get(paymentLink);
			expect(successJson).toEqual([expect.objectContaining({ reference, link, item_name: 'Tea' })]);
		}
		expect(tap.received.at(-1)).toMatchObject({
			method: 'GET',
			path: '/api/payment-link-api/list',
		});
	});

	it('that is not there is an error that says so', async () => {
		const { nodeError } = await get('PL-nowhere');
		expect(nodeError?.message).toBe('No payment link in the list is called "PL-nowhere" [Item 0]');
		expect(nodeError?.description).toContain("'Get Many'");
	});

	it('is never one of several with the same name', async () => {
		const own = await answering([{ ref: '7' }, { reference: '7' }, { ref: '8' }]);
		expect((await get('7', own)).nodeError?.message).toBe(
			'Several payment links in the list are called "7" [Item 0]',
		);
		expect((await get('8', own)).successJson).toEqual([{ ref: '8' }]);
	});

	it('needs a name, and a list', async () => {
		expect((await get(locator('id', "={{ ' ' }}"))).nodeError?.message).toBe(
			`'Payment Link' is missing in this item [Item 0]`,
		);
		const { nodeError } = await get('7', await answering({}));
		expect(nodeError?.message).toContain('could not be read');
	});

	it('is offered with what it is for, and with its address', async () => {
		const { reference, link } = await create('Tea');
		await create('Coffee');
		expect((await search('searchPaymentLinks', 'tea')).results).toEqual([
			{ name: 'Tea – 5.00 KES', value: reference, url: link },
		]);
	});

	const url = 'https://a.example/p';
	it.each<[unknown, unknown]>([
		[[{ ref: '7', amount: '5.00' }], [{ name: '7 – 5.00', value: '7' }]],
		[[{ url }, { other: 1 }], [{ name: url, value: url, url }]],
		[[], []],
	])('of a list with %j is offered as %j', async (data, results) => {
		expect(await search('searchPaymentLinks', '', await answering(data))).toMatchObject({
			results,
		});
	});

	it('that the list does not name is not offered', async () => {
		const own = await answering([{ other: 1 }]);
		await expect(search('searchPaymentLinks', '', own)).rejects.toThrow(
			'The service lists its links without a reference or an address',
		);
	});
});
