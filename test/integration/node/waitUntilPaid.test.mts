import type { IDataObject } from 'n8n-workflow';

import { demoCredential, LINK, runPayments } from '../../helpers/payments.mts';
import { useSleepers } from '../../helpers/waiting.mts';

const { answered, links, linkOf: of, pay, sandbox } = useSleepers();

const ROWS = [10, 20, 30].map((amount, at) => ({ amount, order: `A-${at + 1}` }));
const ONE = ROWS.slice(0, 1);
const failed = { outcome: 'failed' };
/** Which row n8n takes an item for, and what became of its payment. */
const ends = (items: IDataObject[]) =>
	items.map(({ row, orderReference, state }) => [row, orderReference, state]);

describe('an execution sleeps until its links are paid', () => {
	it.each([
		['as in the specification', {}],
		['with references', { mode: 'rich' }],
		['with other names in the list', { listEntries: 'otherNames' }],
		['without callback URLs in the list', { mode: 'rich', listEntries: 'fields' }],
		['without callback URLs in records', { records: 'noCallbackUrl' }],
	] as const)('%s', async (_, switches) => {
		sandbox.change(switches);
		const sleeper = await links(ROWS);
		expect(sleeper.result().status).toBe('waiting');
		await pay('A-3');
		await pay('A-1', failed);
		await answered(sleeper, 2);
		expect(sleeper.result().status).toBe('waiting');
		await pay('A-2');
		// A try that failed is not the end of a link.
		await answered(sleeper, 3);
		expect(sleeper.result().status).toBe('waiting');
		await pay('A-1');
		expect((await sleeper.awake()).json('Success')).toMatchObject(
			ROWS.map(({ order, amount }) => ({
				orderReference: order,
				state: 'success',
				reference: of(order).reference,
				asked: { amount, currency: 'KES' },
				paidInFull: true,
				transaction: { ref: of(order).reference },
			})),
		);
	});

	it('also when only the callback can tell the names, as long as n8n is up', async () => {
		sandbox.change({ listEntries: 'fields' });
		const sleeper = await links(ROWS);
		for (const { order } of ROWS) await pay(order);
		const items = (await sleeper.awake()).json('Success');
		expect(items.map(({ state }) => state)).toEqual(Array(3).fill('success'));
		expect(sleeper.answers[0]!.status).toBe(503);
	});

	it('one paid in part says so', async () => {
		const sleeper = await links(ONE);
		await pay('A-1', { amount: 4 });
		expect((await sleeper.awake()).json('Success')).toMatchObject([
			{ state: 'success', paidInFull: false },
		]);
	});

	it('when time is up they go on with their links', async () => {
		const sleeper = await links(ROWS, { wait: { waitLimitMinutes: 5 } });
		const left = sleeper.result().waitTill!.getTime() - Date.now();
		expect(left).toBeLessThanOrEqual(5 * 60_000);
		expect((await sleeper.timeOut()).json('Success')).toMatchObject(
			ROWS.map(({ order }) => ({
				orderReference: order,
				state: 'timedOut',
				link: of(order).link,
				transaction: null,
			})),
		);
	});
});

describe('the links of the input', () => {
	const gather = { send: (items: IDataObject[]) => [{ all: items.length }] };

	it('must stay linked to the items: one that belongs to several is an error', async () => {
		const { failure } = (await links(ROWS, gather)).result();
		expect(failure?.message).toContain('Item 1 of the input cannot be traced');
		expect(failure?.description).toContain('Aggregate');
	});

	it.each(['resumed', 'timed out', 'final at once'])(
		'keep their place behind a bad row: %s',
		async (how) => {
			const sleeper = await links([{ amount: 'nothing', order: 'A-0' }, ...ROWS.slice(0, 2)], {
				createSettings: { onError: 'continueRegularOutput' },
				send: (items) => {
					// Without waiting for what comes of it.
					if (how === 'final at once') for (const order of ['A-1', 'A-2']) void pay(order);
					return items.map(() => ({ sent: true }));
				},
			});
			if (how === 'resumed') for (const order of ['A-2', 'A-1']) await pay(order);
			const isOver = how === 'timed out';
			const items = (isOver ? await sleeper.timeOut() : await sleeper.awake()).json('Success');
			const state = isOver ? 'timedOut' : 'success';
			expect(ends(items)).toEqual([
				['A-0', undefined, undefined],
				['A-1', 'A-1', state],
				['A-2', 'A-2', state],
			]);
			expect(items[0]).toMatchObject({ error: { outcome: 'not_sent' } });
		},
	);

	it('come out twice when two items are about one, which is waited for once', async () => {
		const sleeper = await links(ROWS.slice(0, 2), {
			send: (items) => items.flatMap(() => [{ to: 'payer' }, { to: 'shop' }]),
		});
		for (const order of ['A-2', 'A-1']) await pay(order);
		expect(ends((await sleeper.awake()).json('Success'))).toEqual(
			['A-1', 'A-1', 'A-2', 'A-2'].map((order) => [order, order, 'success']),
		);
	});

	it('a row that repeats another one comes out with the state of what was sent', async () => {
		const sleeper = await links([...ONE, ...ONE]);
		await pay('A-1');
		expect((await sleeper.awake()).json('Success')).toMatchObject([
			{ outcome: 'accepted', state: 'success' },
			{ outcome: 'duplicate', state: 'success' },
		]);
	});

	it.each([
		['one item for each', {}],
		['items that keep the link', { send: (items: IDataObject[]) => items }],
	])('of all rounds of a loop are waited for: %s', async (_, send) => {
		const sleeper = await links(ROWS, { loops: true, ...send });
		expect(sleeper.result().status).toBe('waiting');
		for (const order of ['A-3', 'A-1', 'A-2']) await pay(order);
		expect(ends((await sleeper.awake()).json('Success'))).toEqual([
			['A-1', 'A-1', 'success'],
			['A-2', 'A-2', 'success'],
			['A-3', 'A-3', 'success'],
		]);
	});

	it('must be there, and be made for this execution', async () => {
		const create = { options: {}, callbackUrl: 'https://shop.example.com/hook' };
		const stopped = (await links(ONE, { create })).result();
		expect(stopped.failure?.message).toContain('There is no payment link to wait for');
		const settings = { onError: 'continueErrorOutput' } as const;
		const went = (await links(ONE, { create, settings })).result();
		expect(went.json('Success')).toEqual([]);
		const description = expect.stringContaining("'Wait in This Execution'") as string;
		expect(went.json('Failed')).toMatchObject([{ sent: true, error: { description } }]);
	});

	it.each([
		['that were sent by an earlier run', 'amina@example.com', true],
		['of an earlier run with another payer', 'baraka@example.com', false],
	])('%s are not waited for', async (name, email, isSame) => {
		const create = { additionalFields: { email: '={{ $json.email }}' } };
		const createSettings = { onError: 'continueRegularOutput' } as const;
		const shared = { workflowId: name, create, createSettings };
		const first = await links([{ ...ONE[0], email: 'amina@example.com' }], shared);
		const again = (await links([{ ...ONE[0], email }], shared)).result();
		expect(again.status).toBe('success');
		expect(again.json('Success')).toMatchObject([
			isSame
				? { outcome: 'duplicate', state: null, link: of('A-1').link }
				: { error: { outcome: 'not_sent' } },
		]);
		await pay('A-1');
		await first.awake();
	});

	it.each(['spec', 'rich'] as const)(
		'that were sent and paid earlier are no payment of this run: %s',
		async (mode) => {
			sandbox.change({ mode });
			const shared = { workflowId: `delivered twice, ${mode}` };
			const first = await links(ONE, shared);
			await pay('A-1');
			expect((await first.awake()).json('Success')).toMatchObject([{ state: 'success' }]);
			const again = (await links(ONE, shared)).result();
			expect([again.status, again.json('Success')]).toMatchObject([
				'success',
				[{ outcome: 'duplicate', state: null, paidInFull: null, transaction: null }],
			]);
		},
	);

	it('are not waited for with a limit that is none, and the error names it', async () => {
		const { failure } = (await links(ROWS, { wait: { waitLimitMinutes: 0.5 } })).result();
		expect(failure?.message).toContain(
			"'Wait Limit (Minutes)' in this item is 0.5, which is not a whole number",
		);
		expect(failure?.description).toContain('links that were created stay');
	});
});

describe('create with the option', () => {
	it('gives each link an address of this execution, in place of one that is given', async () => {
		await links(ROWS, { create: { callbackUrl: 'https://elsewhere.example.com/hook' } });
		const urls = sandbox.state.links.map((link) => link.callback_url!);
		expect(new Set(urls).size).toBe(3);
		for (const url of urls) {
			expect(url).toMatch(
				/\/webhook-waiting\/\d+\/unified-payments\?signature=[0-9a-f]{64}&upo=l[\w-]+\.\d000KES\.[\w-]{6}\.[\w-]{12}\.[\w-]{16}$/,
			);
			expect(url.length).toBeLessThan(255);
		}
	});

	it('says so when nobody waits for the links later on, and callbacks come again meanwhile', async () => {
		const alone = await links(ONE, { waits: false });
		const hintsOf = (sleeper: typeof alone) => JSON.stringify(sleeper.result().hints('Create'));
		expect(hintsOf(alone)).toContain('no later node waits for them');
		await pay('A-1');
		await answered(alone);
		expect(alone.answers[0]!.status).toBe(409);
		expect(hintsOf(await links(ROWS.slice(1)))).not.toContain('no later node');
	});

	it('sends nothing in a dry run, which has no links to sleep for', async () => {
		const create = { options: { waitInThisExecution: true, dryRun: true } };
		expect((await links(ROWS, { create })).result().status).toBe('error');
		expect(sandbox.state.links).toEqual([]);
	});

	it.each([
		['holds, although the callback URL is another one in each execution', ROWS, 3],
		['does not hold for other rows', ROWS.slice(1), 0],
	])('an approval of links that are waited for %s', async (_, approved, made) => {
		const { successJson } = await runPayments(
			{ ...LINK, operation: 'check', businessName: 'Demo Shop', itemName: 'Tea' },
			{ credential: demoCredential(sandbox.url), items: approved },
		);
		const approvedFingerprint = String(successJson[0]!.fingerprint);
		const create = { options: { waitInThisExecution: true, approvedFingerprint } };
		const result = (await links(ROWS, { create })).result();
		expect(sandbox.state.links).toHaveLength(made);
		if (made > 0) expect(result.status).toBe('waiting');
		else expect(result.error('Create')?.message).toContain('not the rows that were approved');
	});
});
