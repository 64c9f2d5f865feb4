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
	'A callback URL of more than 255 characters, which a service may cut or refuse. For later rows, give a shorter address: ';
const NOT_CARRIED =
	'An order reference that a callback URL cannot carry, so payments cannot be matched with it. For later orders, give references of at most 128 ordinary characters: ';

describe.each([
	['links', LINK],
	['collections', COLLECT],
])('%s', (_, parameters) => {
	it('nothing is said when all is well', async () => {
		expect(await warnings(parameters, [row(), row({ order: '', amount: 20 })])).toEqual([]);
	});

	const lengths = () =>
		sandbox.state.ledger.entries.map(({ params }) => String(params.callback_url).length);

	it.each([
		['the mark', {}],
		['nothing', { orderInCallbackUrl: false }],
	])('a callback URL of more than 255 characters, with %s added', async (__, account) => {
		await warnings(parameters, [row({ order: 'A-2009' })], { account });
		const added = lengths().at(-1)! - HOOK.length;
		const rows = [255, 256, 0, 400].map((length, at) => ({
			order: `A-200${at}`,
			hook: `${HOOK}?p=`.padEnd(length - added, 'x'),
		}));
		const [said] = await warnings(parameters, rows, { account });
		expect(said).toMatch(new RegExp(`^${TOO_LONG}order A-2001[^;]*; order A-2003[^;]*\\.$`));
		expect(lengths()).toEqual(expect.arrayContaining([255, 256, 400]));
	});

	it('an order reference that cannot be carried, unless nothing is to be carried', async () => {
		// The last two have characters of three bytes.
		const orders = ['x'.repeat(128), 'x'.repeat(129), '€'.repeat(43), '€'.repeat(42)];
		const rows = orders.map((order) => row({ order }));
		const [said, ...others] = await warnings(parameters, rows);
		expect(said).toMatch(new RegExp(`^${NOT_CARRIED}order x*…[^;]*; order €*[^;]*\\.$`));
		expect(others).toEqual([]);
		const account = { orderInCallbackUrl: false };
		expect(await warnings(parameters, rows, { account })).not.toContainEqual(
			expect.stringContaining('order reference'),
		);
	});
});

it('rows without a link are named, and the message of each says why', async () => {
	// Without a mark a link is not known in the list.
	const account = { orderInCallbackUrl: false };
	const { nodeHints, successJson } = await run(LINK, [row(), row({ order: 'A-2' })], { account });
	expect(nodeHints.map(({ message }) => message)).toEqual([
		'2 rows for the payment link: 2 accepted without a link',
		expect.stringMatching(/^No link, .*: order A-1, .*; order A-2, .* The message says/) as string,
	]);
	expect(successJson[0]!.message).toContain('No link was found:');
	sandbox.change({ mode: 'rich' });
	expect(await warnings(LINK, [row({ order: 'A-3' })], { account })).toEqual([]);
});
