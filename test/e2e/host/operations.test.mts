import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
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

test.each(['v3', 'v2'])(
	'transaction get asks status %s for a collection that was made',
	async (apiVersion) => {
		const made = await runNode(demo(), {
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: '990200',
			mobile: '0712 345679',
			options: { onDuplicate: 'sendAnyway' },
		});
		const [reference] = made.json('Success').map((item) => item.reference);
		let items: IDataObject[] = [];
		const seen = await seenDuring(demo(), async () => {
			const parameters = { resource: 'transaction', operation: 'get', reference, apiVersion };
			items = (await runNode(demo(), parameters as INodeParameters)).json('Success');
		});

		expect(items).toMatchObject([{ state: 'success' }]);
		expect(seen.map(({ path }) => path)).toEqual([
			`/api/${apiVersion}/get-unified-transaction-status`,
		]);
		expect(seen.every(({ verdict }) => verdict?.ok)).toBe(true);
	},
);
