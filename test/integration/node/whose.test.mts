// Payments that were taken for another one, or sent when they must not be. Each was seen on an earlier version.
import type { IDataObject } from 'n8n-workflow';

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
	type More,
} from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { accepted, posts, run, sandbox } = usePayments({ onError: 'continueErrorOutput' });
const opened = closing();

const A1 = { amount: 50, order: 'A-1' };
const link = async (rows: IDataObject[], options: IDataObject = {}, more: More = {}) =>
	await run(LINK, rows, { options: { concurrency: 1, ...options }, ...more });
const collect = async (rows: IDataObject[], options: IDataObject = {}) =>
	await run(COLLECT, rows, { options: { concurrency: 1, ...options } });
const lose = (route: string, processed: boolean) =>
	sandbox.faults.add({ kind: 'truncate', route, processed, nth: 1 });

describe('rows of one input with the same key', () => {
	it.each([
		['Duplicate Key', { duplicateKey: 'may' }, { order: 'B-2', amount: 70 }],
		['order, another item', {}, { item: 'Deposit' }],
		['order, another column', {}, { note: 'x' }],
		['order, another address', {}, { hook: `${HOOK}/2` }],
	])('%s: none is sent, and no link is copied', async (_, options, other) => {
		const result = await link([A1, { ...A1, ...other }, A1], options);
		expect(result.successJson).toEqual([]);
		const clashes = (row: number) =>
			expect.stringMatching(
				new RegExp(`^This row and (?:order \\S+, )?item ${row} of the input .* but differ in `),
			) as string;
		expect(messages(result)).toEqual([clashes(2), clashes(1), clashes(2)]);
		expect(posts()).toBe(0);
	});

	it('the same in everything but the number of the row: sent once', async () => {
		const result = await link([2, 3].map((row_number) => ({ row_number, ...A1 })));
		expect(outcomes(result)).toEqual(['accepted', 'duplicate']);
		const [first, second] = result.successJson;
		expect(second!.link).toBe(first!.link);
		expect(posts()).toBe(1);
	});

	it('two sheets in one, with the same numbers: rows are called by their place', async () => {
		const rows = [A1, { amount: 'x', order: 'B-2' }].map((row) => ({ row_number: 5, ...row }));
		expect(messages(await link(rows))).toEqual([expect.stringContaining('in order B-2')]);
	});
});

describe('Send Unanswered sends nothing that is found, or could not be asked about', () => {
	const again = { onDuplicate: 'sendUnanswered', timeoutSeconds: 1 };

	it.each(['server-error', 'html', 'endless'] as const)(
		'a link when the list answers with %s: once, however often it is run',
		async (kind) => {
			lose(PATHS.link, true);
			sandbox.faults.add({ kind, route: PATHS.list });
			for (let times = 0; times < 3; times++) await link([A1], again);
			expect([posts(), accepted()]).toEqual([1, 1]);
		},
	);

	it('a link that was waited for, whose key is empty: once', async () => {
		lose(PATHS.link, true);
		sandbox.faults.add({ kind: 'server-error', route: PATHS.list });
		await link([A1], { waitInThisExecution: true, duplicateKey: '' });
		sandbox.faults.clear();
		await link([A1], { ...again, duplicateKey: '' });
		expect(posts()).toBe(1);
	});

	it.each([
		['link', LINK, PATHS.link],
		['collection', COLLECT, PATHS.collect],
	])('not a %s that another run sends in vain meanwhile', async (_, operation, route) => {
		let orders = 0;
		let first: unknown[] = [];
		const wire = opened(
			await startWire(async ({ path }, response) => {
				if (path !== route) return json(response, 500, {});
				// The other run begins and ends while this one waits for the answer to its first row.
				if (++orders === 1) first = outcomes(await run(operation, [A1], { credential }));
				else if (orders === 2) return void response.destroy();
				json(response, 200, { success: true, message: '', data: {} });
			}),
		);
		const credential = demoCredential(wire.url);
		const rows = ['B-1', 'B-2', 'B-3'].map((order) => ({ amount: 10, order }));
		const options = { ...again, concurrency: 1 };
		const second = await run(operation, [...rows, A1], { credential, options });
		expect([first, outcomes(second)[3], orders]).toEqual([['unknown'], 'unknown', 4]);
	});

	it('a collection when the status errs: once', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		lose(PATHS.collect, true);
		sandbox.faults.add({ kind: 'server-error', route: PATHS.status });
		await collect([A1], again);
		const { successJson } = await collect([A1], again);
		expect(successJson).toMatchObject([
			{ outcome: 'unknown', message: expect.stringContaining('Look it up') as string },
		]);
		expect(posts()).toBe(1);
	});

	it('an order with another amount is not sent while it is open whether the first was taken', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		lose(PATHS.collect, true);
		sandbox.faults.add({ kind: 'server-error', route: PATHS.status });
		await collect([A1]);
		sandbox.faults.clear();
		expect(outcomes(await collect([{ ...A1, amount: 60 }], again))).toEqual(['not_sent']);
		expect(posts()).toBe(1);
	});

	it('and sends again what it is told is not there', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		lose(PATHS.collect, false);
		await collect([A1], again);
		expect(outcomes(await collect([A1], again))).toEqual(['accepted']);
		expect(posts()).toBe(2);
	});
});

describe('equal values are no proof', () => {
	it.each([
		['no order', { amount: 50 }, 'callbackUrl'],
		['no order, and no addresses in the list', { amount: 50 }, 'fields'],
		['the same order', A1, 'callbackUrl'],
	] as const)(
		'a lost link is not the one that another workflow made: %s',
		async (name, row, listEntries) => {
			sandbox.change({ listEntries });
			await link([row], {}, { workflowId: `January: ${name}` });
			lose(PATHS.link, false);
			const { failedJson, successJson } = await link([row]);
			expect(successJson).toEqual([]);
			expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
		},
	);

	it.each([
		['the same order of another workflow, with one trigger for both', { workflowId: 'other' }, {}],
		['what is sent several times on purpose', {}, { onDuplicate: 'sendAnyway' }],
	])('%s: each has its own link', async (_, more, options) => {
		const [first] = (await link([A1], options, more)).successJson;
		const [second] = (await link([A1], options)).successJson;
		for (const item of [first, second])
			expect(item).toMatchObject({ outcome: 'accepted', linkFrom: 'list' });
		expect(second!.link).not.toBe(first!.link);
	});
});

it('a number that a reply gives is the name of no link in the list, unless the credential says so', async () => {
	// 7 is the merchant in the reply, and somebody's link in the list.
	const pay = 'https://pay.example.com/7';
	const wire = opened(
		await startWire(({ path }, response) => {
			const data = path === PATHS.list ? [{ id: 7, amount: '50', link: pay }] : { id: 7 };
			json(response, 200, { success: true, message: '', data });
		}),
	);
	const linkBy = async (changes: IDataObject) => {
		const credential = demoCredential(wire.url, {
			listAuthentication: 'none',
			...changes,
		} as never);
		const { successJson } = await link(
			[A1],
			{},
			{ credential, workflowId: JSON.stringify(changes) },
		);
		return successJson.map(({ outcome, reference, link: shown }) => [outcome, reference, shown]);
	};
	expect(await linkBy({})).toEqual([['accepted', null, null]]);
	expect(await linkBy({ referenceFields: 'id' })).toEqual([['accepted', '7', pay]]);
});

it('an address that the list says back is no link', async () => {
	const links: IDataObject[] = [];
	const wire = opened(
		await startWire((received, response) => {
			const isCreate = received.path === PATHS.link;
			if (isCreate) links.push(paramsOf(received));
			const data = links.map(({ callback_url: url, redirection_url: link }, id) => ({
				...{ id, url, link },
				checkout_url: `https://pay.example.com/${id}`,
			}));
			json(response, 200, { success: true, message: '', data: isCreate ? {} : data });
		}),
	);
	const credential = demoCredential(wire.url, {
		listAuthentication: 'none',
		linkFields: 'link, url, checkout_url',
	});
	const additionalFields = { redirectionUrl: 'https://shop.example.com/thanks' };
	const { successJson } = await run({ ...LINK, additionalFields }, [A1], { credential });
	expect(successJson).toMatchObject([{ link: 'https://pay.example.com/0', linkFrom: 'list' }]);
});

describe('a guard that was added and cannot be read stops the run', () => {
	const NO_AMOUNT = ['', null, undefined, 'abc', -1, 0, 0.004, NaN, [], {}, '1.500'];
	const NO_OTHER = ['', null, undefined, 'abc', 2, [], {}];
	it.each([
		...NO_AMOUNT.map((value) => ['maxAmount', value] as const),
		...NO_AMOUNT.map((value) => ['maxTotal', value] as const),
		...NO_OTHER.map((value) => ['dryRun', value] as const),
		...NO_OTHER.map((value) => ['approvedFingerprint', value] as const),
	])('%s: %j', async (name, value) => {
		const saved = value === undefined ? [] : [value];
		const limit = value as never;
		for (const given of [...saved, '={{ $json.limit }}', '={{ $json.a.b.c }}']) {
			const result = await link(
				[
					{ ...A1, limit },
					{ amount: 60, order: 'A-2', limit: name === 'dryRun' ? true : limit },
				],
				{ [name]: given as never },
			);
			expect(outcomes(result)).not.toContain('accepted');
		}
		expect(posts()).toBe(0);
	});

	it.each(['maxAmount', 'dryRun'])('also when %s throws for one row only', async (name) => {
		const guard = `={{ $json.ok ?? $('No Such Node').first().json.x }}`;
		const rows = [
			{ ...A1, ok: name === 'dryRun' ? false : 100 },
			{ amount: 60, order: 'A-2' },
		];
		expect(messages(await link(rows, { [name]: guard }))[0]).toContain('item 2 of the input');
		expect(posts()).toBe(0);
	});

	it('also when it cannot be read for one row only', async () => {
		const rows = [
			{ ...A1, limit: 100 },
			{ amount: 60, order: 'A-2' },
		];
		expect(messages(await link(rows, { maxAmount: '={{ $json.limit }}' }))).toEqual([
			expect.stringContaining('Not sent, because of order A-2, item 2 of the input'),
			expect.stringContaining("'Max Amount' is missing in order A-2"),
		]);
		expect(posts()).toBe(0);
	});
});

describe('options of the run are read by themselves', () => {
	it('what another field of the first row does is no matter', async () => {
		const items = [
			{ order: 'A-1' },
			...Array.from({ length: 6 }, (_, i) => ({ amount: 5, order: `B-${i}` })),
		];
		const amount = "={{ $json.amount ?? $('No Such Node').first().json.amount }}";
		const options = { concurrency: 1, requestsPerSecond: '={{ 4 }}' };
		const begin = Date.now();
		const { successJson } = await run({ ...LINK, amount }, items, { options });
		expect(successJson).toHaveLength(6);
		expect(Date.now() - begin).toBeGreaterThan(1000);
	});

	it.each(['concurrency', 'requestsPerSecond'])(
		'%s that cannot be read: nothing is sent',
		async (name) => {
			const rows = [A1, { amount: 60, order: 'A-2' }];
			const result = await link(rows, { [name]: "={{ $('No Such Node').first().json.limit }}" });
			expect(result.failedJson).toHaveLength(2);
			expect(posts()).toBe(0);
		},
	);
});

describe('an order reference', () => {
	it.each([Number('12345678901234567890'), 2 ** 53, '1.23457E+15', 1e21])(
		'that a sheet has rounded is refused: %s',
		async (order) => {
			const result = await link([{ amount: 50, order }]);
			expect(messages(result)).toEqual([expect.stringContaining("'Order Reference'")]);
			expect(posts()).toBe(0);
		},
	);

	it.each([
		['composed and decomposed', 'Caf\u00e9-1', 'Cafe\u0301-1', 1],
		['a zero-width space', 'A-1', 'A\u200b-1', 1],
		['a soft hyphen', 'A-1', 'A-\u00ad1', 1],
		['a no-break space', 'A 1', 'A\u00a01', 1],
		['outer spaces', 'A-1', ' A-1 ', 1],
		['upper and lower case', 'A-1', 'a-1', 2],
		['leading zeros', '007', '7', 2],
	])('is compared as people see it, with %s: %s and %s are %i', async (_, one, other, sent) => {
		await collect([{ amount: 50, order: one }]);
		const result = await collect([{ amount: 50, order: other }]);
		// The service knows it in the first spelling only.
		expect(outcomes(result)).toEqual([sent === 1 ? 'not_sent' : 'accepted']);
		expect(posts()).toBe(sent);
	});
});

describe('an approval', () => {
	const fingerprint = async () => {
		const { successJson } = await run({ ...LINK, operation: 'check' }, [A1]);
		return successJson[0]!.fingerprint as string;
	};

	it('of a check holds for a create that waits in this execution, callback URL or not', async () => {
		const approvedFingerprint = await fingerprint();
		const result = await link([A1], { waitInThisExecution: true, approvedFingerprint });
		expect(outcomes(result)).toEqual(['accepted']);
	});

	it('does not hold for another callback URL', async () => {
		const approvedFingerprint = await fingerprint();
		const hook = 'https://elsewhere.example.com';
		expect(messages(await link([{ ...A1, hook }], { approvedFingerprint }))).toEqual([
			expect.stringContaining('not the rows that were approved'),
		]);
		expect(posts()).toBe(0);
	});
});
