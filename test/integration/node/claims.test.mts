import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { claimStore } from '../../helpers/claimStore.mts';
import type { FaultKind } from '../../../dev/sandbox/index.mts';
import { COLLECT, LINK, outcomes, PATHS, usePayments, type More } from '../../helpers/payments.mts';

const { accepted, posts, run, sandbox, taken } = usePayments({ onError: 'continueErrorOutput' });

const send = async (items: IDataObject[], options: IDataObject = {}, more: More = {}) =>
	await run(COLLECT, items, { options, ...more });
const orders = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ order: `O-${from + i}` }));

describe('a row that an earlier run sent', () => {
	it('is not sent again when it was accepted', async () => {
		await send(orders(3));
		const again = await send(orders(5));
		expect(outcomes(again).join()).toBe('duplicate,duplicate,duplicate,accepted,accepted');
		expect(again.successJson[0]).toMatchObject({
			success: null,
			message: expect.stringMatching(
				/^Not sent: an earlier run .*order reference of its own/,
			) as string,
			request: { third_party_reference_1: 'O-0' },
		});
		expect(accepted()).toBe(5);
	});

	it('is unknown as long as its answer is, and says how to look it up', async () => {
		sandbox.faults.add({ route: PATHS.collect, kind: 'reset-after', nth: 2 });
		const first = await send(orders(3), { concurrency: 1 });
		expect(first.failedJson).toMatchObject([{ order: 'O-1', error: { outcome: 'unknown' } }]);
		for (let time = 0; time < 2; time++) {
			const again = await send(orders(3));
			expect(outcomes(again)).toEqual(['duplicate', 'unknown', 'duplicate']);
			expect(again.successJson[1]?.message).toMatch(/Look it up.*'Send Unanswered'/);
		}
		expect(accepted()).toBe(3);
	});

	it('may be sent again when it was rejected, or never left; a repeat shares its fate', async () => {
		const twice = [...orders(1), ...orders(1)];
		const sendAs = async (account: More['account'], route: string, kind: FaultKind) => {
			sandbox.faults.add({ route, kind });
			const result = await send(twice, {}, { account });
			sandbox.faults.clear();
			return [...outcomes(result), result.successJson[0]?.message];
		};
		const same = 'Not sent: the same as order O-0, 0712345678, item 1 of the input';
		const rejected = await sendAs({ secretKey: 'wrong-key-of-the-user' }, '/none', 'reset-after');
		expect(rejected).toEqual(['rejected', 'not_sent', `${same}, which was rejected`]);
		const account = { signatureSource: 'endpoint' };
		const unsigned = await sendAs(account, '/api/service-signature', 'server-error');
		expect(unsigned).toEqual(['not_sent', 'not_sent', `${same}, which was not sent`]);
		const lost = await sendAs({}, PATHS.collect, 'reset-before');
		const message = `${same}, of which it is not known whether the service has it`;
		expect(lost).toEqual(['unknown', 'unknown', message]);
		const dry = await send(twice, { dryRun: true, onDuplicate: 'sendUnanswered' });
		expect(outcomes(dry)).toEqual(['valid', 'duplicate']);
	});

	it('is compared where its own row says so', async () => {
		const rows = orders(2).map((row, at) => ({ ...row, then: at === 0 ? 'skip' : 'sendAnyway' }));
		const options = { onDuplicate: '={{ $json.then }}' };
		await send(rows, options);
		expect(outcomes(await send(rows, options))).toEqual(['duplicate', 'accepted']);
	});

	it('takes the error output, or is sent anyway, by On Duplicate', async () => {
		await send(orders(1));
		const again = await send(orders(2), { onDuplicate: 'error' });
		expect(again.failedJson).toMatchObject([{ order: 'O-0', error: { outcome: 'duplicate' } }]);
		expect(outcomes(again)).toEqual(['duplicate', 'accepted']);
		expect(outcomes(await send(orders(1), { onDuplicate: 'sendAnyway' }))).toEqual(['accepted']);
		expect(accepted()).toBe(3);
	});
});

describe('a name that an earlier run used for something else', () => {
	const changes: Array<[string, IDataObject]> = [
		['another payer', { phone: '0712345670' }],
		['another amount', { amount: 11 }],
	];

	it.each(changes)(
		'%s: refused on the error output, whatever the option says',
		async (_, change) => {
			await send(orders(1));
			for (const onDuplicate of ['skip', 'error', 'sendUnanswered']) {
				const again = await send([{ order: 'O-0', ...change }, { order: 'O-1' }], { onDuplicate });
				expect(again.failedJson[0]).toMatchObject({ order: 'O-0', error: { outcome: 'not_sent' } });
			}
			expect(taken()).toEqual({ 'O-0': 1, 'O-1': 1 });
			expect(outcomes(await send(orders(2)))).toEqual(['duplicate', 'duplicate']);
		},
	);

	it('of which no answer is on record: refused, too', async () => {
		sandbox.faults.add({ route: PATHS.collect, kind: 'reset-after', nth: 1 });
		await send(orders(1));
		const again = await send([{ order: 'O-0', amount: 12 }], { onDuplicate: 'sendUnanswered' });
		expect(outcomes(again)).toEqual(['not_sent']);
		expect(accepted()).toBe(1);
	});

	it('links: the message says that the first is open, and no link of another is copied', async () => {
		const first = await run(LINK, [{ order: 'O-0' }]);
		expect(outcomes(first)).toEqual(['accepted']);
		const again = await run(LINK, [{ order: 'O-0', email: 'b@example.com' }]);
		expect(again.failedJson).toMatchObject([{ error: { outcome: 'not_sent' } }]);
		expect(JSON.stringify(again.failedJson)).not.toContain(String(first.successJson[0]?.link));
		expect(JSON.stringify(again.failedJson)).toContain('first link is still open');
	});

	it('with On Error "Stop Workflow", nothing after it is sent', async () => {
		await send(orders(1));
		const rows = [{ order: 'O-0', amount: 11 }, ...orders(3, 1)];
		const stopped = await send(rows, { concurrency: 1 }, { onError: undefined });
		expect(stopped.nodeError?.message).toContain('used this order reference');
		expect(taken()).toEqual({ 'O-0': 1 });
	});
});

describe('a twin that cannot be read', () => {
	it.each([['1,5000'], [''], ['#N/A'], ['1500 (old)']])('%j: neither is sent', async (amount) => {
		const result = await send([
			{ order: 'O-1', amount },
			{ order: 'O-1', amount: 15000 },
			{ order: 'O-2' },
		]);
		expect(outcomes(result)).toEqual(['not_sent', 'not_sent', 'accepted']);
		expect(taken()).toEqual({ 'O-2': 1 });
	});

	it('by its Duplicate Key, too', async () => {
		const options = { duplicateKey: '={{ $json.order }}' };
		const rows = [{ order: 'K', phone: 'x' }, { order: 'K' }];
		expect(outcomes(await send(rows, options))).toEqual(['not_sent', 'not_sent']);
	});
});

it('runs of the same workflow at the same time send each row once', async () => {
	const rows = orders(120);
	const results = await Promise.all(
		[1, 2, 3, 4].map(async () => await send(rows, { concurrency: 20 })),
	);
	expect(Object.values(taken())).toEqual(Array(120).fill(1));
	const all = results.flatMap(outcomes);
	expect(all).toHaveLength(480);
	expect(all.filter((outcome) => outcome === 'accepted')).toHaveLength(120);
	expect(all.filter((outcome) => outcome !== 'accepted')).toEqual(
		Array<unknown>(360).fill(expect.stringMatching(/^(?:duplicate|unknown)$/)),
	);
});

describe('Retry On Fail knows a row by its place, whatever its values are by then', () => {
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };

	it('one row with $now in its reference, and a 502: one POST', async () => {
		sandbox.faults.add({ route: PATHS.collect, kind: 'server-error', status: 502 });
		const orderReference = '={{ $now.toMillis() + Math.random() }}';
		await run({ ...COLLECT, orderReference }, [{}], { ...retries, onError: undefined });
		expect(posts()).toBe(1);
	});

	it('three links with $now in the item, one of them lost: three POSTs', async () => {
		const itemName = '={{ $json.item + $now.toMillis() + Math.random() }}';
		sandbox.faults.add({ route: PATHS.link, kind: 'truncate', processed: false, nth: 2 });
		const rows = ['a', 'b', 'c'].map((item) => ({ item }));
		const more = { ...retries, onError: 'continueRegularOutput' } as const;
		const { successJson } = await run({ ...LINK, itemName }, rows, more);
		expect(posts()).toBe(3);
		// What the first try found in the list is kept.
		expect(successJson.filter(({ linkFrom }) => linkFrom === 'list')).toHaveLength(2);
	});
});

describe('when the claim cannot be recorded', () => {
	/** From the write after so many on, the database is locked. */
	const sendLocked = async (items: IDataObject[], after: number, options = {}, of = COLLECT) => {
		const store = await claimStore();
		const real = store.checkProcessedAndRecord.bind(store);
		let calls = 0;
		const broken = jest
			.spyOn(store, 'checkProcessedAndRecord')
			.mockImplementation(async (...given) => {
				if (++calls > after) throw new Error('the database is locked');
				return await real(...given);
			});
		return await run(of, items, { options }).finally(() => broken.mockRestore());
	};

	it.each(['skip', 'sendUnanswered'])('nothing is sent: %s', async (onDuplicate) => {
		const result = await sendLocked(orders(2), 0, { onDuplicate });
		expect(outcomes(result)).toEqual(['not_sent', 'not_sent']);
		expect(JSON.stringify(result.failedJson)).toContain('the database is locked');
		expect(sandbox.state.requests).toHaveLength(0);
	});

	it('a dry run and a check need no record', async () => {
		const dry = await sendLocked(orders(2), 0, { dryRun: true });
		expect(outcomes(dry)).toEqual(['valid', 'valid']);
		const check = await sendLocked(orders(2), 0, {}, { ...COLLECT, operation: 'check' });
		expect(check.successJson).toMatchObject([{ valid: 2 }]);
	});

	it('what cannot be written down after the first claim is written by the next run', async () => {
		const result = await sendLocked(orders(2), 1);
		expect(outcomes(result)).toEqual(['accepted', 'accepted']);
		const warnings = result.log.filter(({ level }) => level === 'warn');
		expect(JSON.stringify(warnings)).toContain('Could not record');
		expect(outcomes(await send(orders(2)))).toEqual(['duplicate', 'duplicate']);
		expect(accepted()).toBe(2);
	});
});

it('an error that ends the run shows what was made before', async () => {
	sandbox.faults.add({ route: PATHS.collect, kind: 'server-error', status: 500, nth: 3 });
	const { nodeError } = await send(orders(5), { concurrency: 1 }, { onError: undefined });
	expect(nodeError?.description).toContain(
		'In all: items 1-2 of the input accepted; item 3 of the input unknown; items 4-5 of the input not sent.',
	);
	const line = expect.stringMatching(
		/^Order O-2, 0712345678, item 3 of the input unknown: /,
	) as string;
	expect(nodeError).toMatchObject({ messages: expect.arrayContaining([line]) as string[] });
	expect(accepted()).toBe(2);
	// The rows that were not sent are free; the others are known.
	const again = outcomes(await send(orders(5)));
	expect(again.join()).toBe('duplicate,duplicate,unknown,accepted,accepted');
});

describe('a run that stands still while it claims', () => {
	const LONGER_THAN_CLAIMS_SETTLE_MS = 1200;
	const ALL_UNKNOWN = Array(150).fill('unknown');

	/** Stands still in its first write, while `meanwhile` is done. */
	async function sendSlowly(options: IDataObject, more: More = {}, meanwhile = () => {}) {
		const store = await claimStore();
		const check = store.checkProcessedAndRecord.bind(store);
		const slow = jest
			.spyOn(store, 'checkProcessedAndRecord')
			.mockImplementationOnce(async (...given) => {
				const answer = await check(...given);
				meanwhile();
				await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_CLAIMS_SETTLE_MS));
				return answer;
			});
		const slowly = send(orders(150), options, { mode: 'manual', ...more });
		return await slowly.finally(() => slow.mockRestore());
	}

	afterEach(() => expect(accepted()).toBe(0));

	it('sends none of its rows, says why, and keeps the next run from sending them', async () => {
		const result = await sendSlowly({});
		expect(outcomes(result)).toEqual(ALL_UNKNOWN);
		expect(outcomes(await send(orders(150)))).toEqual(ALL_UNKNOWN);
	});

	it('keeps the next run from sending them also where it stops at the first error', async () => {
		const stopped = await sendSlowly({ onDuplicate: 'error' }, { onError: undefined });
		expect(stopped.nodeError?.message).toContain('no answer is on record');
		expect(outcomes(await send(orders(150)))).toEqual(ALL_UNKNOWN);
	});

	it('and where it is cancelled, once it has come to all of them', async () => {
		const cancelling = new AbortController();
		await sendSlowly({}, { signal: cancelling.signal }, () => cancelling.abort());
		// The engine does not wait for a node that is cancelled.
		await sleep(3000);
		expect(outcomes(await send(orders(150)))).toEqual(ALL_UNKNOWN);
	});
});
