import type { IDataObject } from 'n8n-workflow';

import { HOOK, LINK, messages, outcomes, PATHS, usePayments } from '../../helpers/payments.mts';

const { posts, run, sandbox } = usePayments({ onError: 'continueErrorOutput' });

const rows = (count: number, hook = ''): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ order: `N-${index + 1}`, hook }));

it('one link is sent, and the others wait for a callback URL', async () => {
	const result = await run(LINK, rows(30));
	const { successJson, failedJson, nodeHints } = result;
	expect(posts()).toBe(1);
	expect(outcomes(result)).toEqual(['accepted', ...Array<string>(29).fill('not_sent')]);
	expect(successJson).toMatchObject([{ orderReference: 'N-1', link: null }]);
	expect(successJson[0]!.message).toMatch(
		/Add a 'Callback URL': any https address of yours.*an order reference of its own/,
	);
	for (const message of messages(result))
		expect(message).toMatch(/^Not sent: the reply to .* held no link/);
	expect(JSON.stringify(failedJson[28])).toMatch(
		/Add a 'Callback URL'.*an order reference of its own/,
	);
	const summary = '30 rows for the payment link: 1 accepted without a link, 29 not sent';
	expect(nodeHints).toContainEqual(expect.objectContaining({ message: summary, type: 'warning' }));
});

it('rows with a callback URL are sent meanwhile', async () => {
	const mixed = rows(6).map((row, index) => ({ ...row, hook: index % 2 ? HOOK : '' }));
	expect(outcomes(await run(LINK, mixed))).toEqual([
		...['accepted', 'accepted', 'not_sent'],
		...['accepted', 'not_sent', 'accepted'],
	]);
});

it('a row without an answer says nothing about links, so the next is sent alone', async () => {
	sandbox.faults.add({ kind: 'reset-before', route: PATHS.link, nth: 1 });
	await run(LINK, rows(4));
	expect(posts()).toBe(2);
});

it('a run that stops tells what was sent, and what to do; its retry sends nothing more', async () => {
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const { nodeError } = await run(LINK, rows(4), { onError: 'stopWorkflow', ...retries });
	expect(nodeError?.message).toMatch(/held no link, and without a callback URL/);
	expect(nodeError?.description).toContain("Add a 'Callback URL'");
	expect(posts()).toBe(1);
});

it('a check says so before anything is sent', async () => {
	const check = { ...LINK, operation: 'check' };
	const { successJson, nodeHints } = await run(check, rows(3));
	const note = expect.stringMatching(
		/^3 rows have no callback URL.*Add a 'Callback URL'/,
	) as string;
	expect(successJson).toMatchObject([{ valid: 3, notes: [note] }]);
	expect(nodeHints).toContainEqual(expect.objectContaining({ message: note, type: 'warning' }));
	expect((await run(check, rows(3, HOOK))).successJson).toMatchObject([{ notes: [] }]);
	expect(posts()).toBe(0);
});
