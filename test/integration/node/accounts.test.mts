import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { EngineCredentials } from '../../../dev/host/engine/credentials.mts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { DEMO_INTEGRATIONS } from '../../../dev/sandbox/index.mts';
import {
	BALANCE,
	COLLECT,
	messages,
	outcomes,
	paramsOf,
	usePayments,
} from '../../helpers/payments.mts';

// A wrong key is answered with 401 or 403.
const { run, sandbox, tap } = usePayments({ isTapped: true, errorStatus: 'http' });
afterEach(() => jest.restoreAllMocks());

type Integration = (typeof DEMO_INTEGRATIONS)[number];
const [demo, second] = DEMO_INTEGRATIONS as [Integration, Integration];

/** What a row says of its account. */
const accountOf = (integration: Integration, more: IDataObject = {}) => ({
	account: {
		clientId: integration.clientId,
		sender: integration.title,
		secretKey: integration.secretKey,
		algorithm: integration.signature?.algorithm ?? 'sha256',
		encoding: integration.signature?.encoding ?? 'hex',
		...more,
	},
});
const ONE = accountOf(demo);
const TWO = accountOf(second);

/** A credential whose account is that of the row. */
const BY_ROW: ICredentialDataDecryptedObject = {
	clientId: '={{ $json.account.clientId }}',
	sender: '={{ $json.account.sender }}',
	secretKey: '={{ $json.account.secretKey }}',
	signatureAlgorithm: '={{ $json.account.algorithm }}',
	signatureEncoding: '={{ $json.account.encoding }}',
};
const byRow = { account: BY_ROW };

/** Rows of these accounts, each with an amount of its own. */
const rowsOf = (...accounts: IDataObject[]) =>
	accounts.map((account, nth) => ({ ...account, amount: nth + 1 }));
const clientOf = ({ json }: { json: unknown }) => (json as IDataObject).client_id;

/** Client and amount of every request that arrived, by amount. */
const arrived = () =>
	tap.received
		.map((each) => [clientOf(each), paramsOf(each).amount])
		.sort(([, a], [, b]) => Number(a) - Number(b));

/** How often the host was asked for the credential: as it is used, and as it was saved. */
function countReads() {
	const spy = jest.spyOn(EngineCredentials.prototype, 'getDecrypted');
	return () => {
		const raw = spy.mock.calls.filter((call: unknown[]) => call[5] === true).length;
		return { used: spy.mock.calls.length - raw, raw };
	};
}

describe('a credential with expressions', () => {
	it('signs each create with the account of its row', async () => {
		const result = await run(COLLECT, rowsOf(ONE, TWO, TWO, ONE), byRow);
		expect(outcomes(result)).toEqual(Array(4).fill('accepted'));
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 2],
			[second.clientId, 3],
			[demo.clientId, 4],
		]);
		expect(sandbox.state.requests.every(({ verdict }) => verdict?.ok)).toBe(true);
	});

	it('takes the same row of two accounts for two payments', async () => {
		expect(outcomes(await run(COLLECT, [ONE, TWO], byRow))).toEqual(['accepted', 'accepted']);
		expect(tap.received.map(clientOf).sort()).toEqual([demo.clientId, second.clientId]);
	});

	it('asks each read with the account of its row', async () => {
		const result = await run({ ...BALANCE, currency: 'KES' }, [ONE, TWO, ONE], byRow);
		expect(result.success.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => expect.objectContaining({ item }) as object),
		);
		const clients = tap.received.map(clientOf).sort();
		expect(clients).toEqual([demo.clientId, demo.clientId, second.clientId]);
		expect(sandbox.state.requests.every(({ verdict }) => verdict?.ok)).toBe(true);
	});

	it('fetches one token for the lists of each account', async () => {
		const list = { resource: 'paymentLink', operation: 'getAll', returnAll: true };
		await run(list, [ONE, TWO, ONE, TWO], byRow);
		const asked = tap.received.filter(({ path }) => path.endsWith('get-token'));
		expect(asked.map(clientOf).sort()).toEqual([demo.clientId, second.clientId]);
		const lists = tap.received.filter(({ method }) => method === 'GET');
		expect(lists).toHaveLength(4);
		expect(new Set(lists.map(({ headers }) => headers.authorization)).size).toBe(2);
	});

	it('makes the mark with the key of the row', async () => {
		const rows = [ONE, TWO].map(({ account }, nth) => ({
			account,
			amount: nth + 1,
			hook: 'https://a.example/h',
		}));
		await run(COLLECT, rows, { account: BY_ROW });
		const urls = tap.received.map((each) => String(paramsOf(each).callback_url)).sort();
		// Each was made with the key of its own account.
		const kinds = [ONE, TWO].map(({ account: own }) => {
			const credential = readCredential({ ...own, baseUrl: tap.url });
			return urls.map((url) => readMark(credential, url).is);
		});
		expect(kinds.map((each) => each.sort())).toEqual([
			['invalid', 'valid'],
			['invalid', 'valid'],
		]);
	});

	it.each([
		['has no account', {}, "'Client ID' is empty"],
		['has no key', accountOf(second, { secretKey: null }), "'Secret Key' is empty"],
		[
			'has an account that is no text',
			accountOf(second, { clientId: 7 }),
			"'Client ID' is not text",
		],
	])('refuses a row that %s, and sends nothing of it', async (_, account, message) => {
		const rows = rowsOf(ONE, account, TWO);
		const result = await run(COLLECT, rows, { ...byRow, onError: 'continueErrorOutput' });
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 3],
		]);
		expect(outcomes(result)).toEqual(['accepted', 'not_sent', 'accepted']);
		expect(messages(result)).toEqual([`The credential's ${message} [Item 1]`]);
	});

	it('sends nothing at all when such a row ends the run', async () => {
		const { nodeError } = await run(COLLECT, rowsOf(ONE, {}), byRow);
		expect(nodeError?.message).toBe("The credential's 'Client ID' is empty [Item 1]");
		expect(tap.received).toEqual([]);
	});

	describe('with a wrong key in one account', () => {
		const wrong = accountOf(second, { secretKey: 'not-the-key-of-this-account' });
		const rows = rowsOf(...Array.from({ length: 30 }, (_, nth) => (nth % 3 === 0 ? wrong : ONE)));
		const oneLane = { ...byRow, options: { concurrency: 1 } };

		it('stops the rows of that account, and sends all others', async () => {
			const result = await run(COLLECT, rows, { ...oneLane, onError: 'continueErrorOutput' });
			expect(outcomes(result)).toEqual(
				rows.map((_, nth) => (nth === 0 ? 'rejected' : nth % 3 === 0 ? 'not_sent' : 'accepted')),
			);
			expect(messages(result)[1]).toContain('every other row of this account');
			expect(arrived().filter(([client]) => client === second.clientId)).toHaveLength(1);
		});
	});
});

describe('a credential without expressions', () => {
	it('is read once for 1,000 rows', async () => {
		const reads = countReads();
		const rows = rowsOf(...Array<IDataObject>(1000).fill({}));
		const result = await run(COLLECT, rows, { options: { concurrency: 20 } });
		expect(result.successJson).toHaveLength(1000);
		expect(tap.received).toHaveLength(1000);
		expect(reads()).toEqual({ used: 1, raw: 1 });
	});

	it('is not looked at beforehand for a single row', async () => {
		const reads = countReads();
		await run(COLLECT);
		expect(reads()).toEqual({ used: 1, raw: 0 });
	});

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
		await run(COLLECT, rowsOf(ONE, TWO), byRow);
		expect(used).toBe(2);
		expect(arrived()).toEqual([
			[demo.clientId, 1],
			[second.clientId, 2],
		]);
	});
});
