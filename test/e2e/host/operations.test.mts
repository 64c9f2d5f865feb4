import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import { DEMO_INTEGRATIONS } from '../../../sandbox/index.mts';
import { runNode, seenDuring, useDemo } from './support.mts';

const demo = useDemo({ mode: 'rich' });

interface Case {
	parameters: INodeParameters;
	/** Method and path of the last request, or none. */
	request?: string;
	signed?: boolean;
	items: number;
	/** Part of the first item. */
	json: IDataObject;
}

const cases: Record<string, Case> = {
	'paymentLink create': {
		parameters: { country: 'KE', amount: '150.5', businessName: 'Demo Shop', itemName: 'Tea' },
		request: 'POST /api/v3/payment-link-api/create',
		signed: true,
		items: 1,
		json: { outcome: 'accepted', success: true, link: expect.stringContaining('http') as string },
	},
	'paymentLink getAll': {
		parameters: { returnAll: true },
		request: 'GET /api/payment-link-api/list',
		items: 1,
		json: {},
	},
	'collection create': {
		parameters: { country: 'KE', amount: '990200', mobile: '0712 345678' },
		request: 'POST /api/v3/service-unified-collections',
		signed: true,
		items: 1,
		json: { outcome: 'accepted', success: true },
	},
	'balance get': {
		parameters: { currency: 'KES' },
		request: 'POST /api/v3/get-unified-balance',
		signed: true,
		items: 1,
		json: { currency: 'KES' },
	},
	'token get': {
		parameters: {},
		request: 'POST /api/integration/get-token',
		items: 1,
		json: { token: expect.any(String) as string },
	},
	'country getAll': {
		parameters: { table: 'paymentLinks' },
		items: COUNTRIES.filter(({ paymentLinks }) => paymentLinks !== undefined).length,
		json: {},
	},
};

test.each(Object.entries(cases))('%s runs on the server', async (name, expected) => {
	const [resource, operation] = name.split(' ');
	let items: IDataObject[] = [];
	const seen = await seenDuring(demo(), async () => {
		const run = await runNode(demo(), {
			resource,
			operation,
			...expected.parameters,
		} as INodeParameters);
		expect(run.failure?.message).toBeUndefined();
		expect(run.status).toBe('success');
		items = run.json('Success');
	});

	expect(items).toHaveLength(expected.items);
	expect(items[0]).toMatchObject(expected.json);
	const last = seen.at(-1);
	expect(last && `${last.method} ${last.path}`).toBe(expected.request);
	expect(last?.verdict?.ok).toBe(expected.signed);
});

test('transaction get asks status v3 or v2 for a collection that was made', async () => {
	const collection = { resource: 'collection', operation: 'create', country: 'KE' };
	const made = await runNode(demo(), { ...collection, amount: '990200', mobile: '0712 345679' });
	const reference = String(made.json('Success')[0]!.reference);
	for (const apiVersion of ['v3', 'v2']) {
		const seen = await seenDuring(demo(), async () => {
			const parameters = { resource: 'transaction', operation: 'get', reference, apiVersion };
			const run = await runNode(demo(), parameters);
			expect(run.json('Success')).toMatchObject([{ state: 'success' }]);
		});
		expect(seen.map(({ path, verdict }) => [path, verdict?.ok])).toEqual([
			[`/api/${apiVersion}/get-unified-transaction-status`, true],
		]);
	}
});

test('a sheet is read by its headings; what is ignored is a hint, and the log says how far it is', async () => {
	const rows = Array.from({ length: 60 }, (_, index) => ({
		Country: 'Kenya',
		'Phone Number': `07${String(10_000_000 + index)}`,
		'Amount (KES)': 100 + index,
		'Order No': `ORDER-${index}`,
		Notes: '',
	}));
	const parameters = {
		resource: 'collection',
		operation: 'create',
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null },
		options: { requestsPerSecond: 10 },
	};
	const run = await runNode(demo(), parameters, { rows });

	expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(Array(60).fill('accepted'));
	expect(run.hints('Node').join()).toContain('Ignored: "Notes"');
	expect(demo().host.log()).toMatch(
		/Node: \d+ of 60 rows done \(\d+ %\), about \d+ s left: \d+ accepted/,
	);
});

test('each row is sent from the account that it names', async () => {
	const rows = DEMO_INTEGRATIONS.map(({ clientId, title, secretKey, signature }, nth) => ({
		clientId,
		sender: title,
		secretKey,
		algorithm: signature?.algorithm ?? 'sha256',
		encoding: signature?.encoding ?? 'hex',
		amount: nth + 1,
	}));
	const { host, sandbox, credential } = demo();
	const byRow = await host.client.createCredential('By row', credential.type, {
		baseUrl: sandbox.url,
		clientId: '={{ $json.clientId }}',
		sender: '={{ $json.sender }}',
		secretKey: '={{ $json.secretKey }}',
		signatureAlgorithm: '={{ $json.algorithm }}',
		signatureEncoding: '={{ $json.encoding }}',
	});
	const seen = await seenDuring(demo(), async () => {
		const run = await runNode(
			demo(),
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				mobile: '0712 345678',
			},
			{ rows, credential: byRow },
		);
		expect(run.failure?.message).toBeUndefined();
		expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	});

	expect(seen.map(({ integration }) => integration).sort()).toEqual(['demo', 'second']);
	expect(seen.every(({ verdict }) => verdict?.ok)).toBe(true);
});
