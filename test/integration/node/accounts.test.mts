import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { EngineCredentials } from '../../../host/engine/credentials.mts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { DEMO_INTEGRATIONS } from '../../../sandbox/index.mts';
import { runPayments, startTapped, type TappedSandbox } from '../../helpers/payments.mts';

const [demo, second] = DEMO_INTEGRATIONS as [
	(typeof DEMO_INTEGRATIONS)[number],
	(typeof DEMO_INTEGRATIONS)[number],
];

/** What a row says of its account. */
const accountOf = (
	{ clientId, title, secretKey, signature }: typeof demo,
	more: IDataObject = {},
) => ({
	account: {
		clientId,
		sender: title,
		secretKey,
		algorithm: signature?.algorithm ?? 'sha256',
		encoding: signature?.encoding ?? 'hex',
		...more,
	},
});

const ONE = accountOf(demo);
const TWO = accountOf(second);

const COLLECT = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '0712345678',
};

let service: TappedSandbox;

beforeEach(async () => {
	service = await startTapped();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

/** A credential whose account is that of the row. */
const byRow = (changes: ICredentialDataDecryptedObject = {}) =>
	service.credential({
		clientId: '={{ $json.account.clientId }}',
		sender: '={{ $json.account.sender }}',
		secretKey: '={{ $json.account.secretKey }}',
		signatureAlgorithm: '={{ $json.account.algorithm }}',
		signatureEncoding: '={{ $json.account.encoding }}',
		...changes,
	});

/** Client and amount of every request that arrived, by amount. */
const arrived = () =>
	service.tap.received
		.map(({ json }) => json as { client_id: string; params: { amount: number } })
		.map(({ client_id, params }) => [client_id, params.amount])
		.sort(([, a], [, b]) => Number(a) - Number(b));

const allVerified = () =>
	service.sandbox.state.requests.every(({ verdict }) => verdict?.ok === true);

/** How often the host was asked for the credential: as it is used, and as it was saved. */
function countReads() {
	const spy = jest.spyOn(EngineCredentials.prototype, 'getDecrypted');
	const isRaw = (call: unknown[]) => call[5] === true;
	return {
		used: () => spy.mock.calls.filter((call) => !isRaw(call)).length,
		raw: () => spy.mock.calls.filter(isRaw).length,
	};
}

describe('a credential with expressions', () => {
	it('signs each create with the account of its row', async () => {
		const items = [ONE, TWO, TWO, ONE].map((account, nth) => ({ ...account, amount: nth + 1 }));
		const result = await runPayments(COLLECT, { credential: byRow(), items });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(Array(4).fill('accepted'));
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 2],
			[second.clientId, 3],
			[demo.clientId, 4],
		]);
		expect(allVerified()).toBe(true);
	});

	it('takes the same row of two accounts for two payments', async () => {
		const items = [ONE, TWO].map((account) => ({ ...account, amount: 5 }));
		const result = await runPayments(COLLECT, { credential: byRow(), items });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(
			arrived()
				.map(([client]) => client)
				.sort(),
		).toEqual([demo.clientId, second.clientId]);
	});

	it('asks each read with the account of its row', async () => {
		const result = await runPayments(
			{ resource: 'balance', operation: 'get', currency: 'KES' },
			{ credential: byRow(), items: [ONE, TWO, ONE] },
		);
		expect(result.success.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => expect.objectContaining({ item }) as object),
		);
		const clients = service.tap.received.map(({ json }) => (json as IDataObject).client_id);
		expect(clients.sort()).toEqual([demo.clientId, demo.clientId, second.clientId]);
		expect(allVerified()).toBe(true);
	});

	it('fetches one token for the lists of each account', async () => {
		await runPayments(
			{ resource: 'paymentLink', operation: 'getAll', returnAll: true },
			{ credential: byRow(), items: [ONE, TWO, ONE, TWO] },
		);
		const asked = service.tap.received.filter(({ path }) => path.endsWith('get-token'));
		expect(asked.map(({ json }) => (json as IDataObject).client_id).sort()).toEqual([
			demo.clientId,
			second.clientId,
		]);
		const lists = service.tap.received.filter(({ method }) => method === 'GET');
		const tokens = lists.map(({ headers }) => headers.authorization);
		expect(tokens).toHaveLength(4);
		expect(new Set(tokens).size).toBe(2);
	});

	it('adds the callback token of the row, and shows none', async () => {
		const items = [ONE, TWO].map(({ account }, nth) => ({
			account: { ...account, token: `canary-token-no-${nth + 1}` },
			amount: nth + 1,
		}));
		const result = await runPayments(
			{ ...COLLECT, callbackUrl: 'https://a.example/h' },
			{ credential: byRow({ callbackToken: '={{ $json.account.token }}' }), items },
		);
		const urls = service.tap.received.map(
			({ json }) => (json as { params: IDataObject }).params.callback_url,
		);
		expect(urls.sort()).toEqual([
			expect.stringMatching(/^https:\/\/a\.example\/h\?token=canary-token-no-1&upo=[\w.-]+$/),
			expect.stringMatching(/^https:\/\/a\.example\/h\?token=canary-token-no-2&upo=[\w.-]+$/),
		]);
		// Each was made with the key of its own account.
		const accounts = [ONE, TWO].map(({ account }) =>
			readCredential({ ...account, baseUrl: service.tap.url }),
		);
		const kinds = accounts.map((account) => urls.map((url) => readMark(account, String(url)).kind));
		expect(kinds).toEqual([
			['valid', 'invalid'],
			['invalid', 'valid'],
		]);
		expect(JSON.stringify(result.successJson)).not.toContain('canary');
	});

	const broken = [
		['has no account', {}, "The credential's 'Client ID' is empty"],
		[
			'has an account without a key',
			accountOf(second, { secretKey: null }),
			"The credential's 'Secret Key' is empty",
		],
		[
			'has an account that is no text',
			accountOf(second, { clientId: 7 }),
			"The credential's 'Client ID' is not text",
		],
	] as const;

	it.each(broken)('refuses a row that %s, and sends nothing of it', async (_, account, message) => {
		const items = [ONE, account, TWO].map((each, nth) => ({ ...each, amount: nth + 1 }));
		const options = { credential: byRow(), items, onError: 'continueErrorOutput' } as const;
		const result = await runPayments(COLLECT, options);
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 3],
		]);
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(result.failedJson).toMatchObject([
			{ error: { message: `${message} [Item 1]`, outcome: 'not_sent', row: 2 } },
		]);
	});

	it('sends nothing at all when such a row ends the run', async () => {
		const items = [ONE, {}].map((each, nth) => ({ ...each, amount: nth + 1 }));
		const result = await runPayments(COLLECT, { credential: byRow(), items });
		expect(result.nodeError?.message).toBe("The credential's 'Client ID' is empty [Item 1]");
		expect(service.tap.received).toEqual([]);
	});

	describe('with a wrong key in one account', () => {
		const wrong = accountOf(second, { secretKey: 'not-the-key-of-this-account' });
		const items = Array.from({ length: 30 }, (_, nth) => ({
			...(nth % 3 === 0 ? wrong : ONE),
			amount: nth + 1,
		}));
		const good = items.filter(({ account }) => account === ONE.account);
		const options = { concurrency: 1 };

		beforeEach(async () => {
			await service.close();
			service = await startTapped({ errorStatus: 'http' });
		});

		it('stops the rows of that account, and sends all others', async () => {
			const result = await runPayments(
				{ ...COLLECT, options },
				{ credential: byRow(), items, onError: 'continueErrorOutput' },
			);
			expect(result.successJson.map(({ outcome }) => outcome)).toEqual(
				Array(good.length).fill('accepted'),
			);
			const errors = result.failedJson.map(({ error }) => error as IDataObject);
			expect(errors.map(({ outcome }) => outcome)).toEqual([
				'rejected',
				...Array<string>(9).fill('not_sent'),
			]);
			expect(errors[1]?.message).toContain('every other row of this account');
			expect(arrived().filter(([client]) => client === second.clientId)).toHaveLength(1);
		});

		it('does not hold the others up: rows that are not sent wait for no turn', async () => {
			const started = Date.now();
			const late = [...items.filter(({ account }) => account === wrong.account), good[0]!];
			const result = await runPayments(
				{ ...COLLECT, options: { concurrency: 1, requestsPerSecond: 1 } },
				{ credential: byRow(), items: late, onError: 'continueErrorOutput' },
			);
			expect(result.successJson).toHaveLength(1);
			expect(Date.now() - started).toBeLessThan(8000);
		});

		it('sends nothing more at all when the first error ends the run', async () => {
			const result = await runPayments({ ...COLLECT, options }, { credential: byRow(), items });
			expect(result.nodeError?.message).toContain('did not authorize');
			expect(service.tap.received).toHaveLength(1);
		});
	});

	it('is read once for each row', async () => {
		const reads = countReads();
		const items = Array.from({ length: 20 }, (_, nth) => ({ ...ONE, amount: nth + 1 }));
		await runPayments(COLLECT, { credential: byRow(), items });
		expect([reads.used(), reads.raw()]).toEqual([20, 1]);
		expect(arrived()).toHaveLength(20);
	});
});

describe('a credential without expressions', () => {
	const ROWS = Array.from({ length: 1000 }, (_, nth) => ({ amount: nth + 1 }));

	it('is read once for 1,000 rows', async () => {
		const reads = countReads();
		const result = await runPayments(
			{ ...COLLECT, options: { concurrency: 20 } },
			{ credential: service.credential(), items: ROWS },
		);
		expect(result.successJson).toHaveLength(1000);
		expect(service.tap.received).toHaveLength(1000);
		expect([reads.used(), reads.raw()]).toEqual([1, 1]);
	});

	it('is not looked at beforehand for a single row', async () => {
		const reads = countReads();
		await runPayments(COLLECT, { credential: service.credential(), items: [{ amount: 1 }] });
		expect([reads.used(), reads.raw()]).toEqual([1, 0]);
	});

	it.each(['={{ $vars.client }}', "=demo-{{ $env['X'] }}", '={{$secrets.vault["a b"]}}', '=plain'])(
		'nor with one that is the same for all rows: %s',
		async (sender) => {
			const reads = countReads();
			const items = ROWS.slice(0, 10);
			const options = { dryRun: true };
			await runPayments(
				{ ...COLLECT, options },
				{ credential: service.credential({ sender }), items, onError: 'continueRegularOutput' },
			);
			expect([reads.used(), reads.raw()]).toEqual([1, 1]);
		},
	);

	it('is read for each row on a host that does not say whether it has any', async () => {
		const { getDecrypted } = EngineCredentials.prototype;
		let used = 0;
		jest.spyOn(EngineCredentials.prototype, 'getDecrypted').mockImplementation(async function (
			this: EngineCredentials,
			...given
		) {
			if (given[5] === true) throw new Error('Not for nodes');
			used++;
			return await getDecrypted.apply(this, given);
		});
		const items = [ONE, TWO].map((account, nth) => ({ ...account, amount: nth + 1 }));
		await runPayments(COLLECT, { credential: byRow(), items });
		expect(used).toBe(2);
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 2],
		]);
	});
});
