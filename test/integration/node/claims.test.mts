import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { DataDeduplicationService } from 'n8n-core';

import { until } from '../../../host/shared/until.mts';
import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let run = 0;
let workflowId: string;

beforeEach(() => {
	sandbox.reset();
	workflowId = `claims-${++run}`;
});

const PATH = '/api/v3/service-unified-collections';

const collect: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '0712345678',
	orderReference: '={{ $json.order }}',
};

const orders = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ order: `O-${from + i}`, amount: 10 }));

const withOptions = (options: IDataObject): INodeParameters =>
	({ ...collect, options }) as INodeParameters;

const send = async (
	items: IDataObject[],
	parameters = collect,
	more: Partial<Parameters<typeof runPayments>[1]> = {},
) =>
	await runPayments(parameters, {
		credential: demoCredential(sandbox.url),
		items,
		workflowId,
		onError: 'continueErrorOutput',
		...more,
	});

const outcomes = (items: IDataObject[]) => items.map(({ outcome }) => outcome);
const accepted = () => sandbox.state.ledger.accepted;

describe('a row that an earlier run sent', () => {
	it('is not sent again when it was accepted', async () => {
		await send(orders(3));
		const again = await send(orders(5));

		expect(outcomes(again.successJson)).toEqual([
			'duplicate',
			'duplicate',
			'duplicate',
			'accepted',
			'accepted',
		]);
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
		sandbox.faults.add({ route: PATH, kind: 'reset-after', nth: 2 });
		const first = await send(orders(3), withOptions({ concurrency: 1 }));
		expect(first.failedJson).toMatchObject([{ order: 'O-1', error: { outcome: 'unknown' } }]);

		for (let time = 0; time < 2; time++) {
			const again = await send(orders(3));
			expect(outcomes(again.successJson)).toEqual(['duplicate', 'unknown', 'duplicate']);
			expect(String(again.successJson[1]?.message)).toMatch(/Look it up.*'Send Unanswered'/);
		}
		expect(accepted()).toBe(3);
	});

	it('may be sent again when it was rejected, or never left', async () => {
		sandbox.faults.add({
			route: PATH,
			kind: 'html',
			status: 200,
			processed: false,
			nth: 9,
		});
		const bad = await send(
			[{ order: 'O-0', amount: 10 }],
			{ ...collect, mobile: '0712345678' },
			{
				credential: demoCredential(sandbox.url, { baseUrl: 'http://127.0.0.1:9' }),
			},
		);
		expect(bad.failedJson).toMatchObject([{ error: { outcome: 'not_sent' } }]);

		const wrong = await send(orders(1), collect, {
			credential: demoCredential(sandbox.url, { secretKey: 'wrong-key-of-the-user' }),
		});
		expect(wrong.failedJson).toMatchObject([{ error: { outcome: 'rejected' } }]);

		expect(outcomes((await send(orders(1))).successJson)).toEqual(['accepted']);
	});

	it('is another row for another account', async () => {
		await send(orders(1));
		const other = sandbox.integrations[1]!;
		const result = await send(orders(1), collect, {
			credential: demoCredential(sandbox.url, {
				clientId: other.clientId,
				sender: other.title,
				secretKey: other.secretKey,
				signatureAlgorithm: other.signature.algorithm,
				signatureEncoding: other.signature.encoding,
			}),
		});
		expect(outcomes(result.successJson)).toEqual(['accepted']);
	});

	it('is the same row when only the callback token changed', async () => {
		const parameters = {
			...collect,
			callbackUrl: 'https://example.com/hook',
			orderReference: 'O-1',
		};
		await send(orders(1), parameters, {
			credential: demoCredential(sandbox.url, { callbackToken: 'first-callback-token' }),
		});
		const again = await send(orders(1), parameters, {
			credential: demoCredential(sandbox.url, { callbackToken: 'second-callback-token' }),
		});
		expect(outcomes(again.successJson)).toEqual(['duplicate']);
	});
});

describe("'On Duplicate'", () => {
	it('error: takes the error output', async () => {
		await send(orders(1));
		const again = await send(orders(2), withOptions({ onDuplicate: 'error' }));

		expect(again.failedJson).toMatchObject([{ order: 'O-0', error: { outcome: 'duplicate' } }]);
		expect(outcomes(again.successJson)).toEqual(['accepted']);
	});

	it('send anyway: sends, and asks nobody', async () => {
		await send(orders(1));
		const again = await send(orders(1), withOptions({ onDuplicate: 'sendAnyway' }));

		expect(outcomes(again.successJson)).toEqual(['accepted']);
		expect(accepted()).toBe(2);
	});
});

it("'Duplicate Key' decides what is the same row, over runs, too", async () => {
	const parameters = withOptions({ duplicateKey: '={{ $json.order }}' });
	await send([{ order: 'A', amount: 1 }], parameters);
	const again = await send(
		[
			{ order: 'A', amount: 2 },
			{ order: 'B', amount: 1 },
		],
		parameters,
	);

	expect(outcomes(again.successJson)).toEqual(['duplicate', 'accepted']);
});

it('runs of the same workflow at the same time send each row once', async () => {
	const rows = orders(120);
	const parameters = withOptions({ concurrency: 20 });
	const results = await Promise.all([1, 2, 3, 4].map(async () => await send(rows, parameters)));

	expect(Object.values(sandbox.state.ledger.countBy('third_party_reference_1'))).toEqual(
		Array<number>(120).fill(1),
	);
	const all = results.flatMap(({ successJson }) => outcomes(successJson));
	expect(all).toHaveLength(480);
	expect(all.filter((outcome) => outcome === 'accepted')).toHaveLength(120);
	expect(all.filter((outcome) => outcome !== 'accepted')).toEqual(
		Array<unknown>(360).fill(expect.stringMatching(/^(?:duplicate|unknown)$/)),
	);
});

describe('when the claim cannot be recorded', () => {
	const store = () =>
		(DataDeduplicationService.getInstance() as unknown as { deduplicator: object }).deduplicator;

	it('nothing is sent', async () => {
		await send([]);
		const broken = jest
			.spyOn(
				store() as { checkProcessedAndRecord: () => Promise<unknown> },
				'checkProcessedAndRecord',
			)
			.mockRejectedValue(new Error('the database is locked'));
		const result = await send(orders(2)).finally(() => broken.mockRestore());

		expect(result.failedJson).toMatchObject([
			{ order: 'O-0', error: { outcome: 'not_sent' } },
			{ order: 'O-1', error: { outcome: 'not_sent' } },
		]);
		expect(JSON.stringify(result.failedJson)).toContain('the database is locked');
		expect(sandbox.state.requests).toHaveLength(0);
	});

	it('what cannot be written down after the first claim is written by the next run', async () => {
		await send(orders(1));
		const real = store() as { checkProcessedAndRecord: (...args: unknown[]) => Promise<unknown> };
		const { checkProcessedAndRecord } = real;
		let calls = 0;
		const broken = jest
			.spyOn(real, 'checkProcessedAndRecord')
			.mockImplementation(async (...args: unknown[]) => {
				if (++calls > 1) throw new Error('the database is locked');
				return await checkProcessedAndRecord.apply(real, args);
			});
		const result = await send(orders(2, 5)).finally(() => broken.mockRestore());

		expect(outcomes(result.successJson)).toEqual(['accepted', 'accepted']);
		expect(
			result.log.some(({ level, message }) => level === 'warn' && /Could not record/.test(message)),
		).toBe(true);
		expect(outcomes((await send(orders(2, 5))).successJson)).toEqual(['duplicate', 'duplicate']);
		expect(accepted()).toBe(3);
	});
});

it('an error that ends the run shows what was made before', async () => {
	sandbox.faults.add({ route: PATH, kind: 'server-error', status: 500, nth: 3 });
	const result = await send(orders(5), withOptions({ concurrency: 1 }), { onError: undefined });

	expect(result.nodeError?.description).toContain(
		'In all: rows 1-2 accepted; row 3 unknown; rows 4-5 not sent.',
	);
	const references = sandbox.state.ledger.entries.map(({ reference }) => reference);
	expect(references).toHaveLength(2);
	expect(result.nodeError).toMatchObject({
		messages: expect.arrayContaining([
			expect.stringMatching(/^Row 1 accepted: /),
			expect.stringMatching(/^Row 2 accepted: /),
			expect.stringMatching(/^Row 3 unknown: /),
		]) as string[],
	});

	// The rows that were not sent are free; the others are known.
	const again = await send(orders(5));
	expect(outcomes(again.successJson)).toEqual([
		'duplicate',
		'duplicate',
		'unknown',
		'accepted',
		'accepted',
	]);
});

describe('a run that stands still while it claims', () => {
	const LONGER_THAN_CLAIMS_SETTLE_MS = 1200;

	interface Deduplicator {
		checkProcessedAndRecord: (...given: unknown[]) => Promise<unknown>;
	}
	const store = () =>
		(DataDeduplicationService.getInstance() as unknown as { deduplicator: Deduplicator })
			.deduplicator;

	/** Stands still in its first write, while `meanwhile` is done. */
	async function sendSlowly(
		options: IDataObject,
		more: Parameters<typeof send>[2] = {},
		meanwhile = () => {},
	) {
		await send([]);
		const check = store().checkProcessedAndRecord.bind(store());
		const slow = jest
			.spyOn(store(), 'checkProcessedAndRecord')
			.mockImplementationOnce(async (...given) => {
				const answer = await check(...given);
				meanwhile();
				await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_CLAIMS_SETTLE_MS));
				return answer;
			});
		const parameters = withOptions({ severalWorkers: 'yes', ...options });
		return await send(orders(150), parameters, more).finally(() => slow.mockRestore());
	}

	it('sends none of its rows, says why, and keeps the next run from sending them', async () => {
		const { successJson } = await sendSlowly({});
		expect(new Set(outcomes(successJson))).toEqual(new Set(['unknown']));
		expect(successJson).toHaveLength(150);
		expect(successJson[0]!.message).toMatch(/^Not sent: n8n stood still while .* Look it up in/);
		expect(accepted()).toBe(0);

		const next = await send(orders(150));
		expect(new Set(outcomes(next.successJson))).toEqual(new Set(['unknown']));
		expect(accepted()).toBe(0);
	});

	it('keeps the next run from sending them also where it stops at the first error', async () => {
		const stopped = await sendSlowly({ onDuplicate: 'error' }, { onError: undefined });
		expect(stopped.nodeError?.message).toMatch(/stood still/);

		const next = await send(orders(150));
		expect(new Set(outcomes(next.successJson))).toEqual(new Set(['unknown']));
		expect(accepted()).toBe(0);
	});

	it('and where it is cancelled, once it has come to all of them', async () => {
		const cancelling = new AbortController();
		await sendSlowly({}, { signal: cancelling.signal }, () => cancelling.abort());
		// The engine does not wait for a node that is cancelled.
		await until('the claims of a cancelled run', async () => {
			const { successJson } = await send(orders(150), withOptions({ dryRun: true }));
			return outcomes(successJson).every((each) => each === 'unknown') || undefined;
		});
		expect(accepted()).toBe(0);
	});

	it('is an error where duplicates are errors', async () => {
		const { failedJson } = await sendSlowly({ onDuplicate: 'error' });
		expect(failedJson).toHaveLength(150);
		expect(failedJson[0]).toMatchObject({ order: 'O-0', error: { outcome: 'unknown' } });
	});
});
