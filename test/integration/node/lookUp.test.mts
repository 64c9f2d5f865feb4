import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { localClaimsOf } from '../../../nodes/UnifiedPayments/rows/claims/claimRecords.ts';
import type { Switches } from '../../../dev/sandbox/index.mts';
import {
	COLLECT,
	demoCredential,
	HOOK,
	LINK,
	messages,
	outcomes,
	paramsOf,
	PATHS,
	usePayments,
} from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { asked, posts, run, sandbox, workflowId } = usePayments({ onError: 'continueErrorOutput' });
const opened = closing();

// One after the other, so that the service's ledger is in the order of the rows.
const LINKS = { ...LINK, options: { concurrency: 1 } };
const COLLECTIONS = { ...COLLECT, options: { concurrency: 1 } };
const unanswered = { options: { onDuplicate: 'sendUnanswered' } };

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	order,
	hook: HOOK,
	...changes,
});
const lose = (route: string, nth = 1) => sandbox.faults.add({ kind: 'reset-after', route, nth });
/** As if it had never arrived. */
const drop = (route: string, nth = 1) =>
	sandbox.faults.add({ kind: 'truncate', route, processed: false, nth });

/** While the service can be asked nothing. */
const runWithoutAnswers = async (parameters: INodeParameters, items: IDataObject[]) => {
	sandbox.faults.add({ kind: 'server-error', route: PATHS.list });
	sandbox.faults.add({ kind: 'server-error', route: PATHS.status });
	await run(parameters, items);
	sandbox.faults.clear();
};

/** A service of its own, by what it says to each create and to each question; null: it hangs up. */
async function serve(
	create: (sent: IDataObject, nth: number) => object | null,
	know: () => object,
) {
	let creates = 0;
	const wire = opened(
		await startWire((received, response) => {
			const isCreate = received.path === PATHS.link || received.path === PATHS.collect;
			const reply = isCreate ? create(paramsOf(received) as IDataObject, ++creates) : know();
			if (reply === null) return void response.destroy();
			json(response, 200, { success: true, ...reply });
		}),
	);
	const credential = demoCredential(wire.url, { listAuthentication: 'none' });
	return { credential, creates: () => creates };
}

const pick = (items: IDataObject[], ...names: string[]) =>
	items.map((item) => names.map((name) => item[name]));
const addresses = () =>
	[...sandbox.state.links]
		.sort((a, b) => a.reference.localeCompare(b.reference))
		.map(({ link }) => link);

/** Orders with the same values, an order that its item names, and rows without an order. */
const SHEET = [
	row('INV-2026-10'),
	row('INV-2026-11'),
	row('A-1', { item: 'Order A-1' }),
	row('A 2/3 é', { item: 'Chair' }),
	row('', { item: 'Table', email: 'amina@example.com' }),
	row('', { item: 'Table', email: 'baraka@example.com' }),
];

/** Which rows of the sheet get a link, by what the service keeps and lists. */
const FOUND: Array<[Partial<Switches>, rows: number[]]> = [
	[{ listEntries: 'callbackUrl' }, [1, 2, 3, 4, 5, 6]],
	[{ listEntries: 'otherNames' }, [1, 2, 3, 4, 5, 6]],
	[{ listEntries: 'fields' }, []],
	[{ listEntries: 'callbackUrl', callbackUrls: 'noQuery' }, []],
	[{ listEntries: 'otherNames', callbackUrls: 'noQuery' }, []],
	[{ listEntries: 'callbackUrl', callbackUrls: 'cut255' }, [1, 2, 3, 4, 5, 6]],
];

describe.each(FOUND)('a service with %o', (switches, found) => {
	it.each(['spec', 'rich'] as const)('%s replies: each link is its own row’s', async (mode) => {
		sandbox.change({ ...switches, mode });
		const first = (await run(LINKS, SHEET)).successJson;
		const all = addresses();
		expect(all).toHaveLength(SHEET.length);
		const from = (at: number) =>
			mode === 'rich' ? 'reply' : found.includes(at + 1) ? 'list' : null;
		expect(pick(first, 'outcome', 'link', 'linkFrom')).toEqual(
			SHEET.map((_, at) => ['accepted', from(at) && all[at], from(at)]),
		);
		for (const { link, message } of first) {
			if (link === null) expect(message).toMatch(/^Payment link was created\. No link was found: /);
		}
		// Run again, the sheet comes back with the same links, and nothing is sent.
		const again = (await run(LINKS, SHEET)).successJson;
		expect(pick(again, 'outcome', 'link')).toEqual(
			SHEET.map((_, at) => ['duplicate', found.includes(at + 1) ? all[at] : null]),
		);
		expect(posts()).toBe(SHEET.length);
	});
});

/** As the mark of an address says it. */
const orderIn = (url: string) => Buffer.from(/upo=l([^.]+)/.exec(url)![1]!, 'base64url').toString();

describe('a link whose answer was lost', () => {
	it('is found in the list, and never sent again', async () => {
		sandbox.change({ mode: 'rich' });
		lose(PATHS.link, 2);
		const items = [row('A-1'), row('A-2'), row('A-3')];
		const { successJson } = await run(LINKS, items);
		expect(pick(successJson, 'linkFrom').join()).toBe('reply,list,reply');
		expect(successJson[1]).toMatchObject({
			outcome: 'accepted',
			success: true,
			link: addresses()[1],
			linkFrom: 'list',
			orderReference: 'A-2',
			message: 'No answer came, but the service has it in its list of payment links.',
		});
		expect(outcomes(await run(LINKS, items, unanswered))).toEqual(Array(3).fill('duplicate'));
		expect(posts()).toBe(3);
	});

	it.each([
		['as before', 'A-1', 'A-1'],
		['composed or not', 'Réf 3', 'Re\u0301f 3'],
		['with an invisible character', 'A-1', 'A-1\u200b'],
	])('is found by the next run, with its order written %s', async (_, was, is) => {
		lose(PATHS.link);
		await runWithoutAnswers(LINKS, [row(was)]);
		for (const outcome of ['accepted', 'duplicate']) {
			const { successJson } = await run(LINKS, [row(is)], is === was ? {} : unanswered);
			expect(successJson).toMatchObject([{ outcome, link: addresses()[0] }]);
		}
		expect(posts()).toBe(1);
	});

	it('is looked for before Send Unanswered sends it again', async () => {
		lose(PATHS.link);
		drop(PATHS.link);
		const items = [row('A-1'), row('A-2'), row('A-3')];
		await runWithoutAnswers(LINKS, items);
		const before = asked(PATHS.list);
		const { successJson } = await run(LINKS, items, unanswered);
		expect(asked(PATHS.list)).toBe(before + 2);
		const [first, third, second] = addresses();
		expect(pick(successJson, 'outcome', 'link')).toEqual([
			['accepted', first],
			['accepted', second],
			['duplicate', third],
		]);
		const orders = sandbox.state.links.map(({ callback_url: url }) => orderIn(url!));
		expect(orders).toEqual(['A-2', 'A-3', 'A-1']);
	});

	it.each([
		['link', LINKS, PATHS.link],
		['collection', COLLECTIONS, PATHS.collect],
	] as const)(
		'and found before it is sent again is on record for good: %s',
		async (_, of, path) => {
			sandbox.change({ statusBy: 'ownReference' });
			lose(path);
			await runWithoutAnswers(of, [row('A-1')]);
			expect(outcomes(await run(of, [row('A-1')], unanswered))).toEqual(['accepted']);
			// Another process knows only what is in n8n's database.
			localClaimsOf({ name: `${workflowId()} Node` }).payments.clear();
			sandbox.reset();
			expect(outcomes(await run(of, [row('A-1')], unanswered))).toEqual(['duplicate']);
		},
	);

	it.each([
		['not listed', { total: 9 }, null, 'nothing in the list .* is certainly this one.'],
		['without an address', {}, { link: null }, 'its entry in the list has no address under a name'],
		[
			'in what is no list',
			{ data: { no: 'list' } },
			null,
			'the list .* could not be read in time.',
		],
	])('or its link gets a reason where it is %s', async (_, reply, entry, why) => {
		const list: IDataObject[] = [];
		const link = 'https://pay.example.com/1';
		const { credential } = await serve(
			({ callback_url }, nth) => {
				if (nth === 1 || entry !== null) list.push({ callback_url, link, ...entry });
				return nth === 3 && entry !== null ? null : { message: '' };
			},
			() => ({ data: list, ...reply }),
		);
		const rows = [row('A-1'), row('A-2'), row('A-3')];
		const [first, ...rest] = (await run(LINKS, rows, { credential })).successJson;
		const isFound = 'total' in reply;
		expect(first).toMatchObject({ link: isFound ? link : null, linkFrom: isFound ? 'list' : null });
		const reason = new RegExp(`^(No answer .* links\\. )?No link was found: .*${why}`);
		for (const { message } of rest) expect(message).toMatch(reason);
	});

	it('stays unknown when it is not there: absence proves nothing', async () => {
		drop(PATHS.link);
		expect(outcomes(await run(LINKS, [row('A-1')]))).toEqual(['unknown']);
		const again = await run(LINKS, [row('A-1')]);
		const request = { callback_url: expect.stringContaining(HOOK) as string };
		expect(again.successJson).toMatchObject([{ outcome: 'unknown', link: null, request }]);
		expect(posts()).toBe(1);
	});

	it('is not taken for one that was sent on purpose once more', async () => {
		await run(LINKS, [row('A-1')]);
		drop(PATHS.link);
		const again = await run(LINKS, [row('A-1')], { options: { onDuplicate: 'sendAnyway' } });
		expect(outcomes(again)).toEqual(['unknown']);
	});

	it.each([
		['found', true],
		['not found yet', false],
	])('refuses its order with another payer, when it is %s', async (_, isFound) => {
		lose(PATHS.link);
		const [amina, baraka] = ['amina', 'baraka'].map((name) => [
			row('A-1', { email: `${name}@example.com` }),
		]);
		await runWithoutAnswers(LINKS, amina!);
		if (isFound) await run(LINKS, amina!, unanswered);
		const result = await run(LINKS, baraka);
		expect(outcomes(result)).toEqual(['not_sent']);
		expect(messages(result)[0]).toContain('with another payer');
		expect(posts()).toBe(1);
	});

	it('does not stop a run that stops at errors from saying what is true', async () => {
		lose(PATHS.link);
		const result = await run(LINKS, [row('A-1')], { onError: 'stopWorkflow' });
		expect(result.successJson).toMatchObject([{ outcome: 'accepted', link: addresses()[0] }]);
	});
});

describe('the list', () => {
	it('is asked for once per run and account, however many rows there are', async () => {
		const items = Array.from({ length: 120 }, (_, index) => row(`A-${index}`));
		const { successJson } = await run(LINKS, items, { options: { concurrency: 10 } });
		expect(asked(PATHS.list)).toBe(1);
		const links = sandbox.state.links.map((each) => [orderIn(each.callback_url!), each.link]);
		expect(pick(successJson, 'orderReference', 'link').sort()).toEqual(links.sort());
	});

	it('is not asked for when every reply has its link, or nothing is sent', async () => {
		sandbox.change({ mode: 'rich' });
		await run(LINKS, [row('A-1')]);
		sandbox.change({ mode: 'spec' });
		await run(LINKS, [row('A-3')], { options: { dryRun: true } });
		expect(asked(PATHS.list)).toBe(0);
	});

	it.each([
		['fails', { kind: 'server-error' }, /could not be read/],
		['is no list', { kind: 'html', status: 200 }, /could not be read/],
		['refuses', { kind: 'redirect', location: 'https://x.example' }, /could not be read/],
		['never ends', { kind: 'endless', delayMs: 20 }, /could not be read in time/],
		['is slow', { kind: 'latency', delayMs: 10_000 }, /took too long|could not be read/],
	] as const)('costs no result when it %s', async (_, fault, why) => {
		sandbox.faults.add({ ...fault, route: PATHS.list });
		const began = Date.now();
		const items = [row('A-1'), row('A-2')];
		const { successJson } = await run(LINKS, items, { options: { timeoutSeconds: 1 } });
		expect(Date.now() - began).toBeLessThan(9000);
		// A look-up is tried once more at the most.
		if (fault.kind === 'server-error') expect(asked(PATHS.list)).toBe(2);
		expect(successJson).toMatchObject(
			items.map(() => ({
				outcome: 'accepted',
				link: null,
				linkFrom: null,
				message: expect.stringMatching(why) as string,
			})),
		);
		sandbox.faults.clear();
		expect(pick((await run(LINKS, items)).successJson, 'link').flat()).toEqual(addresses());
	});
});

it('what the replies to two rows name is the link of neither', async () => {
	const list: IDataObject[] = [];
	const link = (order: string) => `https://pay.example.com/${order}`;
	const { credential, creates } = await serve(
		({ callback_url, item_name }) => {
			list.push({ callback_url, link: link(String(item_name)) });
			return { data: { reference: 'PL-1', link: link('cached') } };
		},
		() => ({ data: list }),
	);
	const rows = ['A-1', 'B-2'].map((order) => row(order, { item: order }));
	const found = await run(LINKS, rows, { credential, workflowId: 'found' });
	expect(found.successJson).toMatchObject(rows.map(({ order }) => ({ link: link(String(order)) })));
	list.push = () => 0;
	list.length = 0;
	const lost = await run(LINKS, rows, { credential, workflowId: 'lost' });
	const message = expect.stringMatching(
		/^The reply to the payment link names the same link/,
	) as string;
	const description = expect.stringContaining('. Look it up in the service first:') as string;
	expect(lost.failedJson).toMatchObject(rows.map(() => ({ error: { message, description } })));
	const again = await run(LINKS, rows, { credential, workflowId: 'lost' });
	expect(outcomes(again)).toEqual(['unknown', 'unknown']);
	expect(creates()).toBe(4);
});

it.each([
	['only the list speaks against it', { reference: 'PL-2' }],
	['it is no link, but the callback URL', { url: HOOK }],
])('a reply with another row’s link is not believed: %s', async (_, data) => {
	const list: IDataObject[] = [];
	const { credential } = await serve(
		({ callback_url }, nth) => {
			list.push({ callback_url, reference: `PL-${nth}`, link: `https://pay.example.com/${nth}` });
			return { data: nth === 1 ? data : {} };
		},
		() => ({ data: list }),
	);
	const { successJson } = await run(LINKS, [row('A-1'), row('B-2')], { credential });
	const links = list.map(({ link }) => ['accepted', link]);
	expect(pick(successJson, 'outcome', 'link')).toEqual(links);
});

it('rows of one input that are the same come out with the same link', async () => {
	const { successJson } = await run(LINKS, [row('A-1'), row('A-1')]);
	expect(pick(successJson, 'outcome', 'link', 'linkFrom')).toEqual([
		['accepted', addresses()[0], 'list'],
		['duplicate', addresses()[0], 'list'],
	]);
});

describe('a collection whose answer was lost', () => {
	it('is looked up by its order reference', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		lose(PATHS.collect);
		const { successJson } = await run(COLLECTIONS, [row('A-1')]);
		const { ref: reference } = sandbox.state.transactions[0]!;
		const message = 'No answer came, but the service knows it by its order reference.';
		expect(successJson).toMatchObject([
			{ outcome: 'accepted', success: true, message, reference, orderReference: 'A-1' },
		]);
		expect(outcomes(await run(COLLECTIONS, [row('A-1')]))).toEqual(['duplicate']);
		expect(posts()).toBe(1);
	});

	it.each([
		['A-1', 1, 'where the service knows only its own references'],
		['', 0, 'and nobody is asked, where it has no order reference'],
	])('with the order "%s" stays unknown after %i questions, %s', async (order, questions) => {
		lose(PATHS.collect);
		expect(outcomes(await run(COLLECTIONS, [row(order)]))).toEqual(['unknown']);
		expect(asked(PATHS.status)).toBe(questions);
		if (order !== '') return;
		const { successJson } = await run(COLLECTIONS, [row(order)], unanswered);
		const message = expect.stringContaining('Look it up in the service');
		expect(successJson).toMatchObject([{ outcome: 'unknown', message: message as string }]);
		expect(posts()).toBe(1);
	});

	it('is nobody’s where the service has one record for two', async () => {
		const data = { ref: 'TX-1', amount: '10', currency: 'KES', mobile: '254712345678' };
		const { credential } = await serve(
			() => null,
			() => ({ message: 'Found.', data }),
		);
		expect(outcomes(await run(COLLECTIONS, [row('A-1')], { credential }))).toEqual(['accepted']);
		const byChance = await run(COLLECTIONS, [row('TX-1')], { credential });
		expect(outcomes(byChance)).toEqual(['unknown']);
		const two = [row('A-2'), row('A-3')];
		for (const more of [{}, unanswered, {}]) {
			const again = await run(COLLECTIONS, two, { credential, ...more });
			expect(outcomes(again)).toEqual(['unknown', 'unknown']);
			localClaimsOf({ name: `${workflowId()} Node` }).leftovers.clear();
		}
	});

	it.each([
		['composed or not', 'Réf 3', 'Re\u0301f 3'],
		['with an invisible character', 'A-1', 'A-1\u200b'],
		['with a space behind it', 'A-1', 'A-1 '],
	])('is not sent again when its order is then written in another way: %s', async (_, was, is) => {
		sandbox.change({ statusBy: 'ownReference' });
		lose(PATHS.collect);
		await runWithoutAnswers(COLLECTIONS, [row(was)]);
		// The service knows it as it was written then, and nobody can ask by that any more.
		expect(outcomes(await run(COLLECTIONS, [row(is)], unanswered))).toEqual(['not_sent']);
		expect(outcomes(await run(COLLECTIONS, [row(was)], unanswered))).toEqual(['accepted']);
		expect(posts()).toBe(1);
	});

	it.each([['amount', { amount: 200 }]])(
		'is not taken for a record with another %s',
		async (_, change) => {
			sandbox.change({ statusBy: 'ownReference' });
			// The same reference, given to the service by somebody else of the account.
			await run(COLLECTIONS, [row('A-1', change)], {
				options: { onDuplicate: 'sendAnyway' },
				account: { orderInCallbackUrl: false },
			});
			drop(PATHS.collect);
			const result = await run(COLLECTIONS, [row('A-1')]);
			expect(result.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
		},
	);

	it.each([
		['onDuplicate', 'of this run', [['sendAnyway', 'skip']], 'accepted,unknown'],
		['duplicateKey', 'of an earlier run', [['half'], ['']], 'unknown'],
	])('is, by %s, not another payment of its order %s', async (option, _, runs, expected) => {
		const known: IDataObject[] = [];
		const { credential } = await serve(
			(sent) => (known.push(sent) === 2 ? null : { data: {} }),
			() => ({ data: { ...known[0], callback_url: '', ref: 'TX-1' } }),
		);
		const options = { [option]: '={{ $json.how }}' };
		for (const hows of runs) {
			const rows = hows.map((how) => row('A-1', { how }));
			const found = outcomes(await run(COLLECTIONS, rows, { credential, options })).join();
			expect(found).toBe(known.length === 2 ? expected : 'accepted');
		}
	});

	it('is released by a failed record in a later run only: it may be that of an earlier try', async () => {
		const record = { ref: 'TX-1', amount: '10', currency: 'KES', mobile: '254712345678' };
		let status = 'failed';
		const { credential, creates } = await serve(
			() => null,
			() => ({ data: { ...record, status } }),
		);
		const runs: unknown[] = [];
		for (const next of ['failed', 'failed', 'failed', 'pending']) {
			status = next;
			runs.push(...outcomes(await run(COLLECTIONS, [row('A-1')], { credential })));
		}
		// The third run sends it again, and no answer comes: the failed record is still that of the first try.
		expect(runs).toEqual(['unknown', 'rejected', 'unknown', 'accepted']);
		expect(creates()).toBe(2);
	});

	it('is not named by what all replies have in common, unless the credential says so', async () => {
		const { credential } = await serve(
			() => ({ data: { id: 7, transaction_id: 7, amount: 11, item_name: 'x' } }),
			() => ({ data: {} }),
		);
		const two = [row('A-1'), row('B-2')];
		const found = await run(COLLECTIONS, two, { credential });
		expect(pick(found.successJson, 'outcome', 'reference')).toEqual([
			...[
				['accepted', null],
				['accepted', null],
			],
		]);
		const named = await run(COLLECTIONS, [row('C-3'), row('D-4')], {
			credential: { ...credential, referenceFields: 'id' },
		});
		expect(outcomes(named)).toEqual(['unknown', 'unknown']);
	});

	it('is found although the question about another one takes too long', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({ kind: 'reset-after', route: PATHS.collect });
		// The third question, and the second try of it.
		for (const nth of [3, 3])
			sandbox.faults.add({ kind: 'latency', route: PATHS.status, delayMs: 10_000, nth });
		const items = [row('A-1'), row('A-2', { amount: 101 }), row('A-3', { amount: 102 })];
		const result = await run(COLLECTIONS, items, { options: { timeoutSeconds: 1 } });
		expect(outcomes(result).sort()).toEqual(['accepted', 'accepted', 'unknown']);
	});
});

it.each([
	['collections', COLLECTIONS, PATHS.collect],
	['links', LINKS, PATHS.link],
] as const)(
	'of one order with several payments, each is found by its own key and none by that of last month: %s',
	async (_, parameters, path) => {
		const month = async (duplicateKey: string) =>
			outcomes(await run(parameters, [row('rent-7')], { options: { duplicateKey } }));
		sandbox.change({ statusBy: 'ownReference' });
		lose(path);
		expect(await month('oct')).toEqual(['accepted']);
		drop(path);
		expect(await month('nov')).toEqual(['unknown']);
		sandbox.faults.clear();
		expect(await month('nov')).toEqual(['unknown']);
		expect(sandbox.state.ledger.accepted).toBe(1);
	},
);
