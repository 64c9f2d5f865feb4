import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import type { Permission } from '../../../nodes/UnifiedPayments/rows/claimRows.ts';
import {
	lookUpRows,
	type LookUpRun,
	type SentRow,
} from '../../../nodes/UnifiedPayments/rows/lookUp.ts';
import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';

const ACCOUNT = {
	baseUrl: 'https://api.example.com',
	identity: { clientId: 'c', sender: 's', secretKey: 'k' },
};
const OTHER_ACCOUNT = { ...ACCOUNT, identity: { ...ACCOUNT.identity, clientId: 'other' } };
const HOOK = 'https://n8n.example.com/webhook/pay';
const MONEY = { amount: '100', currency: 'KES' };
const markOf = (orderReference: string) =>
	writeMark(ACCOUNT, { orderReference, ...MONEY }, `key ${orderReference}`);

const UNKNOWN: RowResult = { items: [{ outcome: 'unknown', message: 'No answer' }] };

interface Sent {
	order?: string | null;
	options?: object;
	permission?: Permission;
	result?: RowResult;
	account?: typeof ACCOUNT;
	/** What it is known by; null where it is not compared. */
	by?: string | null;
	params?: object;
}

/** A service that answers each question with this, and counts them. */
function service(answer: unknown) {
	const asked: unknown[] = [];
	const ask = async (...question: unknown[]) => {
		asked.push(question);
		if (answer instanceof Error) throw answer;
		return answer;
	};
	return {
		asked,
		client: { query: ask, list: ask, redactor: { deep: (value: unknown) => value } },
	};
}

const sentRow = (client: object, given: Sent): SentRow => {
	const order = given.order === undefined ? 'A-1' : given.order;
	return {
		ready: {
			client,
			account: given.account ?? ACCOUNT,
			options: readOptions({ ...given.options }),
			mark: order === null ? null : markOf(order),
			identity:
				given.by === null ? null : { key: `key ${order}`, by: given.by ?? 'orderReference' },
			prepared: {
				params: {
					amount: 100,
					currency: 'KES',
					mobile: '254712345678',
					third_party_reference_1: order,
					...given.params,
				},
				shown: { amount: 100 },
				payment: { orderReference: order, ...MONEY },
			},
		},
		permission: given.permission ?? 'mine',
		result: given.result ?? UNKNOWN,
	} as unknown as SentRow;
};

async function lookUp(
	lookUp: CreateOperation['lookUp'],
	answer: unknown,
	given: Sent[],
	more: Partial<LookUpRun> = {},
) {
	const { client, asked } = service(answer);
	const found: string[] = [];
	const rows = given.map((each) => sentRow(client, each));
	const results = await lookUpRows(
		{
			operation: { lookUp, noReply: { reference: null } } as unknown as CreateOperation,
			claims: { found: (key: string) => found.push(key) } as unknown as LookUpRun['claims'],
			lanes: 2,
			signal: undefined,
			yieldToHost: async () => {},
			...more,
		},
		rows,
	);
	return { results, asked, found };
}

describe('a collection is asked about by its order reference', () => {
	const RECORD = {
		...MONEY,
		ref: 'PL-1',
		mobile: '+254 712 345-678',
		third_party_reference_1: 'A-1',
	};
	const ask = async (data: unknown, ...given: Sent[]) =>
		await lookUp('orderReference', { data }, given.length > 0 ? given : [{}]);

	it('and was accepted when the service has it: no later run may send it', async () => {
		const { results, asked, found } = await ask(RECORD);
		expect(results).toEqual([
			{
				items: [
					{
						outcome: 'accepted',
						success: true,
						message: 'No answer came, but the service knows it by its order reference.',
						data: RECORD,
						reference: 'PL-1',
						orderReference: 'A-1',
						request: { amount: 100 },
					},
				],
			},
		]);
		expect(found).toEqual(['key A-1']);
		expect(asked).toMatchObject([
			[{}, { id: 'A-1', type: 'payin' }, { maxRetries: 1 }, 'the transaction status'],
		]);
	});

	it.each([
		['no mobile number', { mobile: undefined }],
		['an empty mobile number', { mobile: '' }],
		['no order reference', { third_party_reference_1: null }],
		['an amount in other writing', { amount: '100.00' }],
		['a callback URL without a mark', { callback_url: HOOK }],
		['its own mark', { callback_url: withMark(HOOK, markOf('A-1')) }],
	])('and may be stated with %s', async (_, change) => {
		const { results, found } = await ask({ ...RECORD, ...change });
		expect(results).toMatchObject([{ items: [{ outcome: 'accepted' }] }]);
		expect(found).toHaveLength(1);
	});

	it.each([
		['another amount', { amount: '100.01' }],
		['no amount', { amount: undefined }],
		['a null amount', { amount: null }],
		['an empty amount', { amount: '' }],
		['another currency', { currency: 'UGX' }],
		['no currency', { currency: undefined }],
		['another mobile number', { mobile: '254712345679' }],
		['another order reference', { third_party_reference_1: 'A-9' }],
		['the mark of another order', { callback_url: withMark(HOOK, markOf('A-9')) }],
		['a forged mark', { callback_url: `${HOOK}?upo=1A-1.10000KES.AAAAAAAAAAAAAAAA` }],
	])('and is not believed with %s', async (_, change) => {
		const { results, found } = await ask({ ...RECORD, ...change });
		expect(results).toEqual([UNKNOWN]);
		expect(found).toEqual([]);
	});

	it.each([[null], ['PL-1'], [[RECORD]], [{}]])('and is not believed by %j', async (data) => {
		expect((await ask(data)).results).toEqual([UNKNOWN]);
	});

	it.each([
		[7, '7'],
		[undefined, null],
		[{ id: 1 }, null],
		[true, null],
	])('with the reference %j it is shown with %j', async (ref, reference) => {
		const { results } = await ask({ ...RECORD, ref });
		expect(results).toMatchObject([{ items: [{ outcome: 'accepted', reference }] }]);
	});

	it('and what goes wrong costs no result', async () => {
		const { results } = await lookUp('orderReference', new Error('down'), [{}]);
		expect(results).toEqual([UNKNOWN]);
	});

	it.each<[string, Sent]>([
		['that has its answer', { result: { items: [{ outcome: 'accepted', link: null }] } }],
		['that is only to be reported', { options: { onUnknown: 'report' } }],
		['that is sent several times on purpose', { by: null }],
		['that another run is sending', { permission: 'underWay' }],
		['that has no order reference', { order: null }],
	])('unlike one %s', async (_, given) => {
		const { results, asked, found } = await ask(RECORD, given, {});
		expect(asked).toHaveLength(1);
		expect(found).toEqual(['key A-1']);
		expect(results[0]).toEqual(given.result ?? UNKNOWN);
	});

	it('an earlier run’s is a duplicate where duplicates are errors', async () => {
		const options = { onDuplicate: 'error' };
		const { results } = await ask(RECORD, { options, permission: 'unanswered' }, { options });
		expect(results).toMatchObject([
			{
				error: {
					message:
						'Not sent: an earlier run of this node sent the same payment, and the service has it',
					description:
						'What was sent then still holds. If this is another payment, give it an order reference of its own.',
					outcome: 'duplicate',
				},
			},
			{ items: [{ outcome: 'accepted' }] },
		]);
		expect((await ask(RECORD, { permission: 'unanswered' })).results).toMatchObject([
			{ items: [{ outcome: 'accepted' }] },
		]);
	});
});

describe('a link is looked for in the list', () => {
	const PAGE = 'https://pay.example.com/p/1';
	const entry = (order: string, more: object = { link: PAGE }) => ({
		callback_url: withMark(HOOK, markOf(order)),
		...more,
	});
	const linkless = (message: unknown = 'Created'): RowResult => ({
		items: [{ outcome: 'accepted', link: null, linkFrom: null, message }],
	});
	const find = async (entries: unknown, given: Sent[], more?: Partial<LookUpRun>) =>
		await lookUp('list', { data: entries }, given, more);

	it('when the reply had none', async () => {
		const { results, asked } = await find(
			[entry('A-2', { link: `${PAGE}2` }), entry('A-1')],
			[{ result: linkless() }, { order: 'A-2', result: linkless() }],
		);
		expect(results).toEqual([
			{ items: [{ outcome: 'accepted', link: PAGE, linkFrom: 'list', message: 'Created' }] },
			{ items: [{ outcome: 'accepted', link: `${PAGE}2`, linkFrom: 'list', message: 'Created' }] },
		]);
		expect(asked).toMatchObject([[{}, { maxRetries: 1 }, 'the payment links']]);
	});

	it.each<[string, Sent, Partial<LookUpRun>]>([
		['it is there', { result: { items: [{ outcome: 'accepted', link: PAGE }] } }, {}],
		['nobody wants it', { options: { findLink: false }, result: linkless() }, {}],
		['only answers are asked for', { result: linkless() }, { findsLinks: false }],
		['it was refused', { result: { items: [{ outcome: 'rejected', link: null }] } }, {}],
		['it went wrong', { result: { error: new Error('no') } }, {}],
		[
			'an earlier run sent something else',
			{
				permission: 'answeredOtherwise',
				result: { items: [{ outcome: 'duplicate', link: null }] },
			},
			{},
		],
	])('not when %s', async (_, given, more) => {
		const { results, asked } = await find([entry('A-1')], [given], more);
		expect(asked).toEqual([]);
		expect(results).toEqual([given.result]);
	});

	it('by one question for each account that lacks something, and the others stay as they are', async () => {
		const there: RowResult = { items: [{ outcome: 'accepted', link: 'https://x.example' }] };
		const { results, asked } = await find(
			[entry('A-1')],
			[
				{ order: 'A-3', account: OTHER_ACCOUNT, result: there },
				{ order: 'A-4', result: there },
				{ result: linkless() },
			],
		);
		expect(asked).toHaveLength(1);
		expect(results).toMatchObject([there, there, { items: [{ link: PAGE }] }]);
	});

	it.each([
		['absent', [], 'the list of payment links has no entry that is certainly this one.'],
		[
			'there twice',
			[entry('A-1'), entry('A-1')],
			'more than one entry of the list of payment links could be this one.',
		],
		['in no list', 'nothing', 'the list of payment links could not be read.'],
		[
			'without an address',
			[entry('A-1', {})],
			'its entry in the list of payment links holds no address that is certainly the link.',
		],
	])('says why there is none when it is %s', async (_, entries, why) => {
		const { results } = await find(entries, [{ result: linkless() }]);
		expect(results).toEqual([
			{
				items: [
					{
						outcome: 'accepted',
						link: null,
						linkFrom: null,
						message: `Created. No link was found: ${why}`,
					},
				],
			},
		]);
	});

	it.each([
		['Created.. ', 'Created. No link'],
		['', 'No link'],
		[null, 'No link'],
	])('after %j goes on with its reason', async (message, beginning) => {
		const { results } = await find([], [{ result: linkless(message) }]);
		const [{ items }] = results as [{ items: Array<{ message: string }> }];
		expect(items[0]!.message.startsWith(beginning)).toBe(true);
	});

	it('and proves that a row without an answer was taken', async () => {
		const { results, found } = await find([entry('A-1')], [{}]);
		expect(results).toMatchObject([
			{
				items: [
					{
						outcome: 'accepted',
						message: 'No answer came, but the service has it in its list of payment links.',
						link: PAGE,
						linkFrom: 'list',
					},
				],
			},
		]);
		expect(found).toEqual(['key A-1']);
	});

	it('also where its entry has no address', async () => {
		const { results } = await find([entry('A-1', {})], [{}]);
		const [{ items }] = results as [{ items: object[] }];
		expect(items[0]).toMatchObject({
			outcome: 'accepted',
			message:
				'No answer came, but the service has it in its list of payment links. No link was found: its entry in the list of payment links holds no address that is certainly the link.',
		});
		expect(items[0]).not.toHaveProperty('linkFrom');
	});

	it('but not that it was not', async () => {
		expect(await find([], [{}])).toMatchObject({ results: [UNKNOWN], found: [] });
	});

	it.each([
		['values', true],
		['duplicateKey', false],
	])(
		'of a row that is known by %s, an entry without marks is believed: %s',
		async (by, believed) => {
			const params = { item_name: 'Rent', business_name: 'Shop', mobile: undefined };
			const listed = { item_name: 'Rent', amount: '100', currency: 'KES', link: PAGE };
			const { found } = await find([listed], [{ order: null, by, params }]);
			expect(found.length > 0).toBe(believed);
		},
	);
});
