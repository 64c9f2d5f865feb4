import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped());

beforeEach(() => {
	service.sandbox.reset();
});

const HOOK = 'https://a.example/h';

const LINK: INodeParameters = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: 10,
	businessName: 'Shop',
	itemName: '={{ $json.item }}',
	callbackUrl: '={{ $json.url }}',
	orderReference: '={{ $json.order }}',
};

const COLLECTION: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: 10,
	mobile: '0712345678',
	callbackUrl: '={{ $json.url }}',
	orderReference: '={{ $json.order }}',
};

let items = 0;
const row = (changes: IDataObject = {}): IDataObject => ({
	item: `Item ${++items}`,
	order: `A-${items + 1000}`,
	url: HOOK,
	...changes,
});

const warnings = async (
	parameters: INodeParameters,
	rows: IDataObject[],
	{
		options = {},
		...settings
	}: { options?: IDataObject; callbackToken?: string; orderInCallbackUrl?: boolean } = {},
) => {
	const { nodeHints, nodeError } = await runPayments(
		{ ...parameters, options } as INodeParameters,
		{
			credential: service.credential(settings),
			items: rows,
		},
	);
	expect(nodeError).toBeUndefined();
	return nodeHints
		.filter(({ type }) => type === 'warning')
		.map(({ message, location }) => {
			expect(location).toBe('outputPane');
			return message;
		});
};

const TOO_LONG =
	'a callback URL of more than 255 characters, which a service may cut or refuse. For later rows, give a shorter address.';
const NOT_CARRIED =
	'an order reference that a callback URL cannot carry, so payments cannot be matched with it. For later orders, give references of at most 128 ordinary characters.';
const NO_URL =
	"an order reference but no callback URL, so payments cannot be matched with it. For later rows, give the address of a 'Unified Payments Trigger' as callback URL.";

describe.each([
	['links', LINK],
	['collections', COLLECTION],
])('%s', (_, parameters) => {
	it('nothing is said when all is well', async () => {
		expect(await warnings(parameters, [row(), row({ order: '' }), row()])).toEqual([]);
	});

	it('a callback URL of more than 255 characters, with all that is added to it', async () => {
		/** The typed address with which so many characters are sent. */
		const ofLength = (length: number, added: number) =>
			`${HOOK}?p=${'x'.repeat(length - added - `${HOOK}?p=`.length)}`;
		const mark = '&upo=1A-2001.1000KESnode.0123456789abcdef'.length;
		const token = '&token=a-secret-of-the-shop'.length;
		const rows = (added: number) => [
			row({ order: 'A-2001', url: ofLength(255, added) }),
			row({ order: 'A-2002', url: ofLength(256, added) }),
			row({ order: 'A-2003' }),
			row({ order: 'A-2004', url: ofLength(400, added) }),
			row({ order: 'A-2005', url: ofLength(300, added) }),
		];
		const expected = [`Rows 2, 4-5 have ${TOO_LONG}`];
		expect(await warnings(parameters, rows(mark))).toEqual(expected);
		const sent = service.sandbox.state.ledger.entries.map(
			({ params }) => String(params.callback_url).length,
		);
		expect(sent).toEqual(expect.arrayContaining([255, 256, 300, 400]));
		service.sandbox.reset();
		const withToken = { callbackToken: 'a-secret-of-the-shop' };
		expect(await warnings(parameters, rows(mark + token), withToken)).toEqual(expected);
		service.sandbox.reset();
		const withoutMark = { orderInCallbackUrl: false };
		expect(await warnings(parameters, rows(0), withoutMark)).toEqual(
			expect.arrayContaining(expected),
		);
	});

	it('an order reference that cannot be carried', async () => {
		const long = (length: number) => 'x'.repeat(length);
		expect(
			await warnings(parameters, [
				row({ order: long(128) }),
				row({ order: long(129) }),
				// 43 characters of three bytes.
				row({ order: '€'.repeat(43) }),
				row({ order: '€'.repeat(42) }),
			]),
		).toEqual([`Rows 2-3 have ${NOT_CARRIED}`]);
	});

	it('which is not said when nothing is to be carried', async () => {
		const rows = [row({ order: 'x'.repeat(129) })];
		const said = await warnings(parameters, rows, { orderInCallbackUrl: false });
		expect(said.filter((each) => each.includes('order reference'))).toEqual([]);
	});

	it('a dry run says the same', async () => {
		const rows = [row({ order: 'x'.repeat(130) }), row({ url: `${HOOK}?p=${'x'.repeat(255)}` })];
		expect(await warnings(parameters, rows, { options: { dryRun: true } })).toEqual([
			`Row 2 has ${TOO_LONG}`,
			`Row 1 has ${NOT_CARRIED}`,
		]);
	});
});

it('a link with an order reference, but no callback URL', async () => {
	const rows = [row({ url: '' }), row(), row({ url: '', order: '' })];
	expect(await warnings(LINK, rows, { options: { dryRun: true } })).toEqual([
		`Row 1 has ${NO_URL}`,
	]);
});

it('is no matter for a collection, whose order reference is sent', async () => {
	expect(await warnings(COLLECTION, [row({ url: '' })])).toEqual([]);
});

it('rows that are wrong are not spoken of', async () => {
	const parameters = { ...LINK, amount: '={{ $json.amount }}' };
	const { nodeHints } = await runPayments(parameters, {
		credential: service.credential(),
		items: [row({ amount: 'ten', url: '' }), row({ amount: 10 })],
		onError: 'continueErrorOutput',
	});
	expect(nodeHints.map(({ message }) => message)).toEqual([
		'2 rows for the payment link: 1 accepted, 1 not sent',
	]);
});

describe('rows without a link', () => {
	it('are named, and the message of each says why', async () => {
		// This list shows what was sent under other names, so a link without a callback URL is not known in it.
		service.sandbox.change({ listEntries: 'otherNames' });
		const rows = [row({ url: '', order: '' }), row()];
		const result = await runPayments(LINK, { credential: service.credential(), items: rows });
		expect(result.nodeHints.map(({ message }) => message)).toEqual([
			'2 rows for the payment link: 1 accepted, 1 accepted without a link',
			'Row 1 has no link, so nobody can pay yet. The message says what to do.',
		]);
		expect(result.successJson.map(({ linkFrom }) => linkFrom)).toEqual([null, 'list']);
		expect(result.successJson[0]!.message).toContain('No link was found:');
	});

	it('and not when each has one', async () => {
		expect(await warnings(LINK, [row(), row()])).toEqual([]);
		service.sandbox.change({ mode: 'rich' });
		expect(await warnings(LINK, [row({ url: '', order: '' })])).toEqual([]);
	});

	it('nor of collections, which have none', async () => {
		expect(await warnings(COLLECTION, [row()])).toEqual([]);
	});
});
