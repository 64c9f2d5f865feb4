import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COLLECT, LINK, usePayments, type More } from '../../helpers/payments.mts';

const { run, sandbox } = usePayments();

const HOOK = 'https://a.example/h';
const row = (changes: IDataObject = {}): IDataObject => ({ order: 'A-1', hook: HOOK, ...changes });

const warnings = async (parameters: INodeParameters, rows: IDataObject[], more: More = {}) => {
	const anew = { workflowId: undefined, ...more };
	const { nodeHints, nodeError } = await run(parameters, rows, anew);
	expect(nodeError).toBeUndefined();
	const shown = nodeHints.filter(({ type }) => type === 'warning');
	for (const { location } of shown) expect(location).toBe('outputPane');
	return shown.map(({ message }) => message);
};

const TOO_LONG =
	'a callback URL of more than 255 characters, which a service may cut or refuse. For later rows, give a shorter address.';
const NOT_CARRIED =
	'an order reference that a callback URL cannot carry, so payments cannot be matched with it. For later orders, give references of at most 128 ordinary characters.';
const NO_URL =
	"an order reference but no callback URL, so payments cannot be matched with it. For later rows, give the address of a 'Unified Payments Trigger' as callback URL.";
const dryRun = { options: { dryRun: true } };

describe.each([
	['links', LINK],
	['collections', COLLECT],
])('%s', (_, parameters) => {
	it('nothing is said when all is well', async () => {
		expect(await warnings(parameters, [row(), row({ order: '', amount: 20 })])).toEqual([]);
	});

	const mark = '&upo=1A-2001.1000KESnode.0123456789abcdef'.length;
	it.each([
		['the mark', mark, {}],
		['nothing', 0, { orderInCallbackUrl: false }],
	])('a callback URL of more than 255 characters, with %s added', async (__, added, account) => {
		const rows = [255, 256, 0, 400, 300].map((length, at) => ({
			order: `A-200${at}`,
			hook: `${HOOK}?p=`.padEnd(length - added, 'x'),
		}));
		expect(await warnings(parameters, rows, { account })).toContain(`Rows 2, 4-5 have ${TOO_LONG}`);
		const sent = sandbox.state.ledger.entries.map(
			({ params }) => String(params.callback_url).length,
		);
		expect(sent).toEqual(expect.arrayContaining([255, 256, 300, 400]));
	});

	it('an order reference that cannot be carried, unless nothing is to be carried', async () => {
		// The last two have characters of three bytes.
		const orders = ['x'.repeat(128), 'x'.repeat(129), '€'.repeat(43), '€'.repeat(42)];
		const rows = orders.map((order) => row({ order }));
		expect(await warnings(parameters, rows)).toEqual([`Rows 2-3 have ${NOT_CARRIED}`]);
		const account = { orderInCallbackUrl: false };
		expect(await warnings(parameters, rows, { account })).not.toContainEqual(
			expect.stringContaining('order reference'),
		);
	});
});

it('a link with an order reference, but no callback URL', async () => {
	const rows = [row({ hook: '' }), row({ order: 'A-2' }), row({ hook: '', order: '' })];
	expect(await warnings(LINK, rows, dryRun)).toEqual([`Row 1 has ${NO_URL}`]);
	// The order reference of a collection is sent as well.
	expect(await warnings(COLLECT, [row({ hook: '' })])).toEqual([]);
});

it('rows without a link are named, and the message of each says why', async () => {
	// This list shows what was sent under other names, so a link without a callback URL is not known in it.
	sandbox.change({ listEntries: 'otherNames' });
	const { nodeHints, successJson } = await run(LINK, [row({ hook: '', order: '' }), row()]);
	expect(nodeHints.map(({ message }) => message)).toEqual([
		'2 rows for the payment link: 1 accepted, 1 accepted without a link',
		'Row 1 has no link, so nobody can pay yet. The message says what to do.',
	]);
	expect(successJson.map(({ linkFrom }) => linkFrom)).toEqual([null, 'list']);
	expect(successJson[0]!.message).toContain('No link was found:');
	sandbox.change({ mode: 'rich' });
	expect(await warnings(LINK, [row({ hook: '', order: '' })])).toEqual([]);
});
