import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode, storeBinary } from '../../../dev/host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import {
	COLLECT,
	demoCredential,
	LINK,
	messages,
	outcomes,
	paramsOf,
	usePayments,
} from '../../helpers/payments.mts';

const { posts, run, sandbox, tap } = usePayments({ isTapped: true });

/** For every operation: its fields from the row, good rows, a bad row, and how many items a row gives. */
const OPERATIONS: Array<
	[
		name: string,
		parameters: INodeParameters,
		good: () => IDataObject[],
		bad: IDataObject,
		each?: number,
	]
> = [
	[
		'payment link, create',
		LINK,
		() => [1, 2, 3].map((amount) => ({ amount })),
		{ amount: 'much', item: 'Item 4' },
	],
	[
		'payment link, get many',
		{ resource: 'paymentLink', operation: 'getAll', limit: '={{ $json.value }}' },
		() => [{ value: 1 }, { value: 2 }, { value: 3 }],
		{ value: 'many' },
		0,
	],
	[
		'collection, create',
		COLLECT,
		() => [1, 2, 3].map((amount) => ({ amount })),
		{ amount: 4, phone: '12' },
	],
	[
		'transaction, get',
		{
			resource: 'transaction',
			operation: 'get',
			reference: '={{ $json.ref }}',
			type: 'payout',
		},
		() => {
			const { ref } = sandbox.addPayout();
			return [1, 2, 3].map((row) => ({ row, ref }));
		},
		{ row: 4, ref: '' },
	],
	[
		'balance, get',
		{ resource: 'balance', operation: 'get', walletAccount: '={{ $json.wallet }}' },
		() => [{ wallet: 1001 }, { wallet: 1002 }, { wallet: 1003 }],
		{ wallet: 'x' },
	],
	[
		'token, get',
		{ resource: 'token', operation: 'get', options: { timeoutSeconds: '={{ $json.value }}' } },
		() => [{ value: 5 }, { value: 6 }, { value: 7 }],
		{ value: 0 },
	],
	[
		'country, get many',
		{ resource: 'country', operation: 'getAll', table: '={{ $json.table }}' },
		() => Array<IDataObject>(3).fill({ table: 'collections' }),
		{ table: 'planets' },
		9,
	],
];

describe.each(OPERATIONS)('%s', (_, parameters, good, bad, each = 1) => {
	it('keeps the order of several rows and pairs each item to its own', async () => {
		const items = good();
		const result = await run(parameters, items);
		expect(result.nodeError).toBeUndefined();
		const expected = items.flatMap((__, item) => Array.from({ length: each }, () => ({ item })));
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(expected);
	});

	it('sends bad rows to the error output with their own fields, good ones to the other', async () => {
		const [first, second, third] = good();
		const items = [bad, first!, bad, second!, third!, bad];
		const result = await run(parameters, items, { onError: 'continueErrorOutput' });
		expect(result.status).toBe('success');
		expect(result.failedJson).toEqual(
			[0, 2, 5].map((item) => ({
				...bad,
				error: expect.objectContaining({
					message: expect.stringContaining(`[Item ${item}]`),
					description: expect.any(String),
					row: null,
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
		const expected = parameters.resource === 'country' ? 0 : 3;
		expect(tap.received.filter(isOwn)).toHaveLength(expected);
	});

	it('goes on on the one output when told so, and gives nothing for no rows', async () => {
		const result = await run(parameters, [bad], { onError: 'continueRegularOutput' });
		expect(result.successJson).toMatchObject([
			{ error: { message: expect.stringContaining('[Item 0]') } },
		]);
		expect((await run(parameters, [])).items).toEqual([]);
		expect(tap.received).toHaveLength(0);
	});
});

it('only several rows of a create are summed up, in a hint or with the error', async () => {
	const bad = { amount: 'ten' };
	for (const [parameters, items, words] of [
		[COLLECT, [{}], []],
		[COLLECT, [{}, {}], ['2 rows for the collection: 2 skipped as duplicates']],
		[{ resource: 'token', operation: 'get' }, [{}, {}], []],
	] as const) {
		const hints = (await run(parameters, [...items])).nodeHints.map(({ message }) => message);
		expect(hints.filter((each) => / rows? for /.test(each))).toEqual(words);
	}
	const onError = 'stopWorkflow';
	expect((await run(COLLECT, [bad], { onError })).nodeError?.description).not.toMatch(/In all/);
	expect((await run(COLLECT, [bad, {}], { onError })).nodeError?.description).toMatch(/In all/);
});

describe('rows that are the same', () => {
	it('are found before the first is sent, and skipped', async () => {
		const result = await run(COLLECT, [{}, { amount: 6 }, {}]);
		expect(outcomes(result)).toEqual(['accepted', 'accepted', 'duplicate']);
		expect(result.successJson[2]).toMatchObject({
			message: 'Not sent: the same as 0712345678, item 1 of the input',
			success: null,
		});
		expect(posts()).toBe(2);
		expect(result.nodeHints).toMatchObject([
			{
				message: '3 rows for the collection: 2 accepted, 1 skipped as a duplicate',
				type: 'warning',
			},
			{
				message: expect.stringMatching(/^Not sent: 0712345678, item 3 of the input/) as string,
				type: 'warning',
			},
		]);
	});

	it.each([
		['told apart by the key of the user', { duplicateKey: '={{ $json.key }}' }, 'duplicate', 2],
		["sent with 'Send Anyway'", { onDuplicate: 'sendAnyway' }, 'accepted', 3],
	])('are %s', async (_, options, last, sent) => {
		const result = await run(COLLECT, [{ key: 'a' }, { key: 'b' }, { key: 'a' }], { options });
		expect(outcomes(result)).toEqual(['accepted', 'accepted', last]);
		expect(posts()).toBe(sent);
	});

	it('are bad rows when the user wants that, and then stop a run before anything is sent', async () => {
		const options = { onDuplicate: 'error' };
		const stopped = await run(COLLECT, [{}, { amount: 6 }, {}], { options });
		const words =
			'This row is the same as 0712345678, item 1 of the input, so it was not sent [Item 2]';
		expect(stopped.nodeError?.message).toBe(words);
		expect(posts()).toBe(0);
		const onError = 'continueErrorOutput';
		const result = await run(COLLECT, [{}, { amount: 6 }, {}], { options, onError });
		expect(outcomes(result)).toEqual(['accepted', 'accepted', 'duplicate']);
		expect(messages(result)).toEqual([words]);
	});

	it.each([
		[
			'the same order with other values',
			{ order: 'A-1' },
			{ order: 'A-1', amount: 6 },
			'have the same order reference "A-1", but differ in "amount"',
			'None of them was sent, because it is not clear whether they are one payment.',
		],
		[
			'the same values with something else beside them',
			{ amount: 5, note: 'May' },
			{ amount: 5, note: 'June' },
			'have the same payer, item and amount, but differ in "note"',
			'If they are several, give all but the oldest an order reference of its own.',
		],
	])('but are %s: neither is sent', async (_, one, other, why, advice) => {
		const rows = [{ amount: 5, ...one }, { amount: 7, order: 'B' }, other];
		const result = await run(COLLECT, rows, { onError: 'continueErrorOutput' });
		expect(outcomes(result)).toEqual(['not_sent', 'accepted', 'not_sent']);
		const order = 'order' in one ? `order ${one.order}, ` : '';
		expect(messages(result)).toEqual([
			`This row and ${order}0712345678, item 3 of the input ${why} [Item 0]`,
			`This row and ${order}0712345678, item 1 of the input ${why} [Item 2]`,
		]);
		expect(JSON.stringify(result.failedJson)).toContain(advice);
		expect(posts()).toBe(1);
	});
});

it('sends a collection to an unsupported country when allowed, with what the payer must do', async () => {
	const account = { allowUnsupportedCountry: true, mobileFormat: 'e164' };
	const rows = [{ amount: 500, phone: '77 123 45 67' }];
	const result = await run({ ...COLLECT, country: 'SN' }, rows, { account });
	expect(result.successJson[0]).toMatchObject({
		outcome: 'accepted',
		nextStep: expect.stringMatching(
			/verification token.*shortcode.*USSD.*PIN|verification token.*shortcode.*PIN.*USSD/,
		),
		request: { mobile: '+221771234567', country_id: 9 },
	});
});

describe('a logo from a file', () => {
	const WITH_LOGO = { ...LINK, additionalFields: { logoBinaryProperty: 'photo' } };
	const png = (size: number) =>
		Buffer.concat([
			Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
			Buffer.alloc(size - 8),
		]);
	const row = async (amount: number, file: Buffer) => {
		const photo = await storeBinary(file, { mimeType: 'image/png', fileName: 'logo.png' });
		return { json: { amount }, binary: { photo } };
	};

	it('is sent as base64 and stays out of the item', async () => {
		const file = png(2 * 1024 * 1024);
		const result = await run(WITH_LOGO, [await row(1, file), await row(2, file)]);
		expect(result.nodeError).toBeUndefined();
		const creates = tap.received.filter(({ path }) => path.endsWith('/create'));
		expect(creates.map((each) => paramsOf(each).logo)).toEqual(
			Array(2).fill(file.toString('base64')),
		);
		expect(result.successJson[0]!.request).not.toHaveProperty('logo');
	});
});

it.each([
	['paymentLink', '__proto__'],
	['__proto__', 'toString'],
	['nothing', 'get'],
	['', ''],
])('says so when a workflow names what does not exist: %j %j', async (resource, operation) => {
	const result = await run({ resource, operation }, [{ a: 1 }], { onError: 'continueErrorOutput' });
	expect(result.success).toHaveLength(0);
	expect(result.failedJson).toMatchObject([
		{ a: 1, error: { message: expect.stringMatching(/There is no operation/) } },
	]);
});

it.each([
	['collection', 'createAndWait'],
	['paymentLink', 'waitUntilPaid'],
	['transaction', 'waitUntilFinal'],
])('%s %s is not offered to AI agents', async (resource, operation) => {
	const type = new UnifiedPayments();
	const pickers = type.description.properties.filter(({ name }) => name === 'operation');
	const picker = pickers.find(({ displayOptions: when }) => when?.show?.resource?.[0] === resource);
	const choice = picker!.options!.find((each) => 'value' in each && each.value === operation);
	expect(choice).toMatchObject({ displayOptions: { hide: { '@tool': [true] } } });
	// A workflow that was edited by hand.
	type.description = { ...type.description, name: 'unifiedPaymentsTool' };
	const parameters = { resource, operation, reference: 'TX-1', amount: 10, mobile: '0712345678' };
	const { failure } = await runNode(type, parameters, {
		credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
		credentialTypes: [new UnifiedPaymentsApi()],
	});
	expect(failure?.message).toContain('cannot be used by an AI agent');
});
