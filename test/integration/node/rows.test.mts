import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { storeBinary } from '../../../host/engine/index.mts';
import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped());
let reference: string;

beforeEach(async () => {
	service.sandbox.reset();
	reference = service.sandbox.addPayout().ref;
	service.tap.received.length = 0;
});

/** For every operation: its fields from the row, a bad row, and what tells rows apart in the output. */
const OPERATIONS: Record<
	string,
	{ parameters: INodeParameters; good: () => IDataObject[]; bad: IDataObject; each?: number }
> = {
	'payment link, create': {
		parameters: {
			resource: 'paymentLink',
			operation: 'create',
			country: '={{ $json.country }}',
			amount: '={{ $json.value }}',
			businessName: 'Shop',
			itemName: '={{ $json.name }}',
			callbackUrl: 'https://a.example/h',
		},
		good: () => [1, 2, 3].map((value) => ({ country: 'UG', value, name: `Item ${value}` })),
		bad: { country: 'UG', value: 'much', name: 'Item 4' },
	},
	'payment link, get many': {
		parameters: { resource: 'paymentLink', operation: 'getAll', limit: '={{ $json.value }}' },
		good: () => [{ value: 1 }, { value: 2 }, { value: 3 }],
		bad: { value: 'many' },
		each: 0,
	},
	'collection, create': {
		parameters: {
			resource: 'collection',
			operation: 'create',
			country: '={{ $json.country }}',
			amount: '={{ $json.value }}',
			mobile: '={{ $json.phone }}',
		},
		good: () => [1, 2, 3].map((value) => ({ country: 'KE', value, phone: '0712345678' })),
		bad: { country: 'KE', value: 4, phone: '12' },
	},
	'transaction, get': {
		parameters: {
			resource: 'transaction',
			operation: 'get',
			reference: '={{ $json.ref }}',
			type: 'payout',
		},
		good: () => [1, 2, 3].map((row) => ({ row, ref: reference })),
		bad: { row: 4, ref: '' },
	},
	'balance, get': {
		parameters: {
			resource: 'balance',
			operation: 'get',
			walletAccount: '={{ $json.wallet }}',
		},
		good: () => [{ wallet: 1001 }, { wallet: 1002 }, { wallet: 1003 }],
		bad: { wallet: 'x' },
	},
	'token, get': {
		parameters: {
			resource: 'token',
			operation: 'get',
			options: { timeoutSeconds: '={{ $json.value }}' },
		},
		good: () => [{ value: 5 }, { value: 6 }, { value: 7 }],
		bad: { value: 0 },
	},
	'country, get many': {
		parameters: { resource: 'country', operation: 'getAll', table: '={{ $json.table }}' },
		good: () => [{ table: 'collections' }, { table: 'collections' }, { table: 'collections' }],
		bad: { table: 'planets' },
		each: 9,
	},
};

describe.each(Object.entries(OPERATIONS))('%s', (_, { parameters, good, bad, each = 1 }) => {
	it('keeps the order of several rows and pairs each item to its own', async () => {
		const items = good();
		const result = await runPayments(parameters, { credential: service.credential(), items });
		expect(result.nodeError).toBeUndefined();
		const expected = items.flatMap((__, item) => Array.from({ length: each }, () => ({ item })));
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(expected);
	});

	it('sends bad rows to the error output with their own fields, good ones to the other', async () => {
		const [first, second, third] = good();
		const items = [bad, first!, bad, second!, third!, bad];
		const result = await runPayments(parameters, {
			credential: service.credential(),
			items,
			onError: 'continueErrorOutput',
		});
		expect(result.status).toBe('success');
		expect(result.failedJson).toEqual(
			[1, 3, 6].map((row) => ({
				...bad,
				error: expect.objectContaining({
					message: expect.stringContaining(`[Item ${row - 1}]`),
					description: expect.any(String),
					row,
				}),
			})),
		);
		expect(result.success).toHaveLength(3 * each);
		expect(result.successJson.every((json) => !('error' in json))).toBe(true);
		// Three good rows were asked for, however many bad ones stood between them.
		const isOwn = ({ path }: { path: string }) => {
			if (parameters.resource === 'token') return true;
			// A create of links looks for them in the list afterwards.
			if (path.endsWith('/list')) return parameters.operation === 'getAll';
			return !path.endsWith('get-token');
		};
		expect(service.tap.received.filter(isOwn)).toHaveLength(
			parameters.resource === 'country' ? 0 : 3,
		);
	});

	it('goes on on the one output when told so', async () => {
		const result = await runPayments(parameters, {
			credential: service.credential(),
			items: [bad],
			onError: 'continueRegularOutput',
		});
		expect(result.successJson).toMatchObject([
			{ error: { message: expect.stringContaining('row 1') } },
		]);
	});

	it('gives nothing for no rows', async () => {
		const result = await runPayments(parameters, { credential: service.credential(), items: [] });
		expect(result.items).toEqual([]);
		expect(service.tap.received).toHaveLength(0);
	});
});

describe('rows that are the same', () => {
	const COLLECT = OPERATIONS['collection, create']!.parameters;
	const row = { country: 'KE', value: 5, phone: '0712345678' };

	it('are found before the first is sent, and skipped', async () => {
		const result = await runPayments(COLLECT, {
			credential: service.credential(),
			items: [row, { ...row, value: 6 }, { ...row }],
		});
		expect(result.successJson).toMatchObject([
			{ outcome: 'accepted' },
			{ outcome: 'accepted' },
			{ outcome: 'duplicate', message: 'Not sent: the same as row 1', success: null },
		]);
		expect(service.tap.received).toHaveLength(2);
		expect(result.nodeHints).toMatchObject([
			{
				message: '3 rows for the collection: 2 accepted, 1 skipped as a duplicate',
				type: 'warning',
			},
			{ message: expect.stringMatching(/^Row 3 was not sent/) as string, type: 'warning' },
		]);
	});

	it('are told apart by the key of the user, also from the same row once more', async () => {
		const parameters = { ...COLLECT, options: { duplicateKey: '={{ $json.order }}' } };
		const result = await runPayments(parameters, {
			credential: service.credential(),
			items: [
				{ ...row, order: 'a' },
				{ ...row, order: 'b' },
				{ ...row, order: 'a' },
			],
		});
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'accepted',
			'duplicate',
		]);
	});

	it("are sent with 'Send Anyway'", async () => {
		const result = await runPayments(
			{ ...COLLECT, options: { onDuplicate: 'sendAnyway' } },
			{ credential: service.credential(), items: [row, row] },
		);
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(service.tap.received).toHaveLength(2);
	});

	it('are bad rows when the user wants that', async () => {
		const result = await runPayments(
			{ ...COLLECT, options: { onDuplicate: 'error' } },
			{ credential: service.credential(), items: [row, row], onError: 'continueErrorOutput' },
		);
		expect(result.successJson).toHaveLength(1);
		expect(result.failedJson).toMatchObject([
			{
				error: {
					message: 'This row is the same as row 1, so it was not sent [Item 1]',
					description: expect.stringContaining(
						"Remove one of them, or set 'On Duplicate' to 'Skip'. If these are two payments, give one of them an order reference of its own.",
					) as string,
					outcome: 'duplicate',
				},
			},
		]);
	});
});

it.each([
	[
		'the same order with other values',
		{ orderReference: '={{ $json.order }}' },
		{ order: 'A-1' },
		{ order: 'A-1', value: 6 },
		'have the same order reference "A-1", but differ in "value"',
		'None of them was sent, because it is not clear whether they are one payment. If they are, remove all but one. If they are several, give all but the oldest an order reference of its own.',
	],
	[
		'the same values with something else beside them',
		{},
		{ note: 'May' },
		{ note: 'June' },
		'have the same payer, item and amount, but differ in "note"',
		'If they are several, give all but the oldest an order reference of its own.',
	],
])('sends neither of two rows that are %s', async (_, fields, one, other, why, advice) => {
	const row = { country: 'KE', value: 5, phone: '0712345678' };
	const { successJson, failedJson } = await runPayments(
		{ ...OPERATIONS['collection, create']!.parameters, ...fields },
		{
			credential: service.credential(),
			items: [
				{ ...row, ...one },
				{ ...row, value: 7, order: 'B', note: 'May' },
				{ ...row, ...other },
			],
			onError: 'continueErrorOutput',
		},
	);
	expect(successJson).toMatchObject([{ outcome: 'accepted' }]);
	const description = expect.stringContaining(advice) as string;
	const order = 'order' in one ? `order ${one.order}, ` : '';
	expect(failedJson).toMatchObject([
		{ error: { message: `This row and ${order}row 3 ${why} [Item 0]`, description } },
		{ error: { message: `This row and ${order}row 1 ${why} [Item 2]`, description } },
	]);
	expect(service.tap.received).toHaveLength(1);
});

it('sends nothing at all when the run stops on rows that are the same', async () => {
	const row = { country: 'KE', value: 5, phone: '0712345678' };
	const { nodeError } = await runPayments(
		{ ...OPERATIONS['collection, create']!.parameters, options: { onDuplicate: 'error' } },
		{ credential: service.credential(), items: [row, { ...row, value: 6 }, row] },
	);
	expect(nodeError?.message).toBe('This row is the same as row 1, so it was not sent [Item 2]');
	expect(service.tap.received).toHaveLength(0);
});

it('checks and sends nothing in a dry run', async () => {
	const result = await runPayments(
		{ ...OPERATIONS['payment link, create']!.parameters, options: { dryRun: true } },
		{
			credential: service.credential(),
			items: [
				...OPERATIONS['payment link, create']!.good(),
				OPERATIONS['payment link, create']!.bad,
			],
			onError: 'continueErrorOutput',
		},
	);
	expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['valid', 'valid', 'valid']);
	expect(result.successJson[0]).toEqual({
		outcome: 'valid',
		message: 'Dry run: would be sent',
		request: expect.objectContaining({ amount: '1', currency: 'UGX', country_id: 11 }),
	});
	expect(result.failedJson).toHaveLength(1);
	expect(service.tap.received).toHaveLength(0);
});

it('sends a collection to an unsupported country when allowed, with what the payer must do', async () => {
	const result = await runPayments(
		{
			resource: 'collection',
			operation: 'create',
			country: 'SN',
			amount: 500,
			mobile: '77 123 45 67',
		},
		{ credential: service.credential({ allowUnsupportedCountry: true, mobileFormat: 'e164' }) },
	);
	expect(result.successJson[0]).toMatchObject({
		outcome: 'accepted',
		nextStep: expect.stringMatching(
			/verification token.*shortcode.*USSD.*PIN|verification token.*shortcode.*PIN.*USSD/,
		),
		request: { mobile: '+221771234567', country_id: 9 },
	});
});

describe('a logo from a file', () => {
	const LINK = {
		resource: 'paymentLink',
		operation: 'create',
		country: 'KE',
		amount: '={{ $json.value }}',
		businessName: 'Shop',
		itemName: 'Item',
		callbackUrl: 'https://a.example/h',
		additionalFields: { logoBinaryProperty: 'photo' },
	};
	const png = (size: number) =>
		Buffer.concat([
			Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
			Buffer.alloc(size - 8),
		]);

	it('is sent as base64 and stays out of the item', async () => {
		const file = png(2 * 1024 * 1024);
		const photo = await storeBinary(file, { mimeType: 'image/png', fileName: 'logo.png' });
		const result = await runPayments(LINK, {
			credential: service.credential(),
			items: [1, 2].map((value) => ({ json: { value }, binary: { photo } })),
		});
		expect(result.nodeError).toBeUndefined();
		const logos = service.tap.received
			.filter(({ path }) => path.endsWith('/create'))
			.map(({ json }) => (json as { params: { logo: string } }).params.logo);
		expect(logos).toEqual([file.toString('base64'), file.toString('base64')]);
		expect(result.successJson[0]!.request).not.toHaveProperty('logo');
	});

	it('is refused when it is too large or no picture', async () => {
		const large = await storeBinary(png(2 * 1024 * 1024 + 1), {
			mimeType: 'image/png',
			fileName: 'large.png',
		});
		const text = await storeBinary(Buffer.from('hello'), {
			mimeType: 'image/png',
			fileName: 'fake.png',
		});
		const result = await runPayments(LINK, {
			credential: service.credential(),
			items: [
				{ json: { value: 1 }, binary: { photo: large } },
				{ json: { value: 2 }, binary: { photo: text } },
			],
			onError: 'continueErrorOutput',
		});
		expect(result.failedJson.map(({ error }) => (error as IDataObject).message)).toEqual([
			`'Logo Binary Field' in row 1 is "photo", which is 2.0 MB [Item 0]`,
			`'Logo Binary Field' in row 2 is "photo", which is not a picture of a known type [Item 1]`,
		]);
		expect(service.tap.received).toHaveLength(0);
	});
});

it.each([
	['paymentLink', '__proto__'],
	['balance', 'constructor'],
	['__proto__', 'toString'],
	['nothing', 'get'],
	['', ''],
])('says so when a workflow names what does not exist: %j %j', async (resource, operation) => {
	const result = await runPayments(
		{ resource, operation },
		{ credential: service.credential(), items: [{ a: 1 }], onError: 'continueErrorOutput' },
	);
	expect(result.success).toHaveLength(0);
	expect(result.failedJson).toMatchObject([
		{ a: 1, error: { message: expect.stringMatching(/There is no operation/) } },
	]);
});
