import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const HOOK = 'https://n8n.example.com/webhook/pay';
const CREATE = '/api/v3/payment-link-api/create';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let workflowId: string;
let run = 0;

beforeEach(() => {
	sandbox.reset();
	sandbox.faults.clear();
	workflowId = `first-alone-${++run}`;
});

const LINKS: INodeParameters = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: 100,
	businessName: 'Amina Shop',
	itemName: 'Rent',
	orderReference: '={{ $json.order }}',
	callbackUrl: '={{ $json.hook }}',
};

const rows = (count: number, hook = ''): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ order: `N-${index + 1}`, hook }));

const send = async (
	items: IDataObject[],
	more: Partial<Parameters<typeof runPayments>[1]> = {},
	parameters: INodeParameters = LINKS,
) =>
	await runPayments(parameters, {
		credential: demoCredential(sandbox.url),
		items,
		workflowId,
		onError: 'continueErrorOutput',
		...more,
	});

const sent = () => sandbox.state.requests.filter(({ path }) => path === CREATE).length;

it('one link is sent, and the others wait for a callback URL', async () => {
	const { successJson, failedJson, nodeHints } = await send(rows(30));
	expect(sent()).toBe(1);
	expect(successJson).toMatchObject([{ outcome: 'accepted', orderReference: 'N-1', link: null }]);
	expect(successJson[0]!.message).toContain("Add a 'Callback URL': any https address of yours");
	expect(successJson[0]!.message).toContain('an order reference of its own');
	expect(failedJson).toHaveLength(29);
	for (const { error } of failedJson as Array<{ error: IDataObject }>) {
		expect(error).toMatchObject({ outcome: 'not_sent' });
		expect(error.message).toMatch(/^Not sent: the reply to .* held no link/);
		expect(error.description).toContain("Add a 'Callback URL'");
		expect(error.description).toContain('a new order reference');
	}
	const summary = '30 rows for the payment link: 1 accepted without a link, 29 not sent';
	expect(nodeHints).toContainEqual(expect.objectContaining({ message: summary, type: 'warning' }));
});

it('once they have one, all of them are sent', async () => {
	await send(rows(5));
	const { successJson } = await send(rows(5, HOOK));
	expect(successJson.map(({ outcome }) => outcome)).toEqual([
		'duplicate',
		...Array.from({ length: 4 }, () => 'accepted'),
	]);
	expect(successJson.slice(1).every(({ link }) => typeof link === 'string')).toBe(true);
});

it('a service that answers with links gets all rows', async () => {
	sandbox.change({ mode: 'rich' });
	const { successJson } = await send(rows(12));
	expect(successJson.map(({ linkFrom }) => linkFrom)).toEqual(Array(12).fill('reply'));
	expect(sent()).toBe(12);
});

it('rows with a callback URL are sent meanwhile', async () => {
	const mixed = rows(6).map((row, index) => ({ ...row, hook: index % 2 ? HOOK : '' }));
	const { successJson, failedJson } = await send(mixed);
	expect(successJson.map(({ orderReference }) => orderReference)).toEqual([
		'N-1',
		'N-2',
		'N-4',
		'N-6',
	]);
	expect(failedJson.map(({ order }) => order)).toEqual(['N-3', 'N-5']);
});

it('a row without an answer says nothing about links, so the next is sent alone', async () => {
	sandbox.faults.add({ kind: 'reset-before', route: CREATE, nth: 1 });
	await send(rows(4));
	expect(sent()).toBe(2);
});

it('a run that stops tells what was sent, and what to do; its retry sends nothing more', async () => {
	const { nodeError } = await send(rows(4), {
		onError: 'stopWorkflow',
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 0,
	});
	expect(nodeError?.message).toMatch(/held no link, and without a callback URL/);
	expect(nodeError?.description).toContain("Add a 'Callback URL'");
	expect(sent()).toBe(1);
});

it('a check says so before anything is sent', async () => {
	const check = { ...LINKS, operation: 'check' };
	const { successJson, nodeHints } = await send(rows(3), {}, check);
	const note = expect.stringMatching(
		/^3 rows have no callback URL.*Add a 'Callback URL'/,
	) as string;
	expect(successJson).toMatchObject([{ valid: 3, notes: [note] }]);
	expect(nodeHints).toContainEqual(expect.objectContaining({ message: note, type: 'warning' }));
	expect((await send(rows(3, HOOK), {}, check)).successJson).toMatchObject([{ notes: [] }]);
	expect(sent()).toBe(0);
});
