import fc from 'fast-check';
import { DataDeduplicationService } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let run = 0;
let workflowId: string;

beforeEach(() => {
	sandbox.reset();
	workflowId = `same-payment-${++run}`;
});

const COLLECTIONS = '/api/v3/service-unified-collections';
const LINKS = '/api/v3/payment-link-api/create';

const collect: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '={{ $json.phone }}',
	orderReference: '={{ $json.order }}',
};

const link: INodeParameters = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Shop',
	itemName: '={{ $json.item }}',
	callbackUrl: 'https://a.example/h',
};

const send = async (
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<Parameters<typeof runPayments>[1]> = {},
) =>
	await runPayments(parameters, {
		credential: demoCredential(sandbox.url),
		items,
		workflowId,
		onError: 'continueErrorOutput',
		...more,
	});

/** Creates that reached the service; look-ups are something else. */
const posts = () =>
	sandbox.state.requests.filter(({ path }) => path === COLLECTIONS || path === LINKS).length;
const outcomes = (items: IDataObject[]) => items.map(({ outcome }) => outcome);
const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	order,
	amount: 10,
	phone: '0712345678',
	...changes,
});

describe('Retry On Fail knows a row by its place, whatever its values are by then', () => {
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0, onError: undefined };

	it('one row with $now in its reference, and a 502: one POST', async () => {
		sandbox.faults.add({ route: COLLECTIONS, kind: 'server-error', status: 502 });
		const parameters = {
			...collect,
			orderReference: '={{ $now.toMillis() + Math.random() }}',
		};
		await send(parameters, [row('A')], retries);
		expect(posts()).toBe(1);
	});

	it('three links with $now in the item, one of them rejected: three POSTs', async () => {
		const parameters = {
			...link,
			itemName: '={{ $json.item + $now.toMillis() + Math.random() }}',
			country: '={{ $json.country }}',
		};
		sandbox.faults.add({ route: LINKS, kind: 'html', status: 200, nth: 2 });
		await send(
			parameters,
			['a', 'b', 'c'].map((item) => ({ item, amount: 10, country: 'KE' })),
			{ ...retries, onError: 'continueRegularOutput' },
		);
		expect(posts()).toBe(3);
	});
});

describe('how a payment is presented is no part of it', () => {
	const original = row('A-1');
	const edits: Array<[string, INodeParameters, IDataObject]> = [
		[
			'with a callback URL',
			{
				...collect,
				orderReference: '={{ $json.order }}',
				callbackUrl: 'https://a.example/h',
			},
			original,
		],
		['with a method', { ...collect, paymentMethodType: 'send money' }, original],
		['with the phone in another notation', collect, row('A-1', { phone: '+254 712 345 678' })],
		['with a space after the reference', collect, row('A-1 ')],
	];

	it.each(edits)('%s: not sent again', async (_, parameters, edited) => {
		await send(collect, [original]);
		const again = await send(parameters, [edited]);
		expect(outcomes(again.successJson)).toEqual(['duplicate']);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('with the phone sent in another form: not sent again', async () => {
		await send(collect, [original]);
		const credential = demoCredential(sandbox.url, { mobileFormat: 'e164' });
		const again = await send(collect, [original], { credential });
		expect(outcomes(again.successJson)).toEqual(['duplicate']);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('the same order with another amount: a duplicate that says so', async () => {
		await send(collect, [original]);
		const again = await send(collect, [row('A-1', { amount: 99 })]);
		expect(again.successJson).toMatchObject([
			{ outcome: 'duplicate', orderReference: 'A-1', request: { amount: 99 } },
		]);
		expect(again.successJson[0]?.message).toMatch(/with another payer, item, amount or spelling/);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('random edits between runs: nothing twice, and nothing merged', async () => {
		const notations = ['0712345678', '+254712345678', '254 712 345 678', '712345678'];
		const edit = fc.record({
			phone: fc.constantFrom(...notations),
			space: fc.constantFrom('', ' ', '  '),
			url: fc.constantFrom('', 'https://a.example/h', 'https://b.example/?x=1'),
			method: fc.constantFrom('', 'send money'),
			swapped: fc.boolean(),
		});
		const parameters: INodeParameters = {
			...collect,
			paymentMethodType: '={{ $json.method }}',
			orderReference: '={{ $json.order }}',
			callbackUrl: '={{ $json.url }}',
		};
		const orders = Array.from({ length: 50 }, (_, index) => `O-${index}`);
		const perRun = orders.length;
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(edit, { minLength: perRun, maxLength: perRun }), {
					minLength: 4,
					maxLength: 4,
				}),
				async (runs) => {
					sandbox.reset();
					workflowId = `edits-${++run}`;
					for (const edits of runs) {
						const items = orders.map((order, index): IDataObject => {
							const { phone, space, url, method, swapped } = edits[index]!;
							const cells: IDataObject = {
								order: `${space}${order}${space}`,
								amount: 10,
								phone,
								url,
								method,
							};
							return swapped ? Object.fromEntries(Object.entries(cells).reverse()) : cells;
						});
						await send(parameters, items);
					}
					const taken = Object.values(sandbox.state.ledger.countBy('third_party_reference_1'));
					expect(sandbox.state.ledger.accepted).toBe(perRun);
					expect(taken.filter((times) => times !== 1)).toEqual([]);
				},
			),
			// 50 orders in 4 runs each time.
			{ numRuns: 12, endOnFailure: true },
		);
	}, 240_000);
});

describe('rows of one input that nobody can tell apart', () => {
	it('the same order with another amount: both are refused by name', async () => {
		const result = await send(collect, [row('A-1'), row('B'), row('A-1', { amount: 20 })]);
		expect(outcomes(result.successJson)).toEqual(['accepted']);
		expect(result.failedJson).toMatchObject([
			{ order: 'A-1', amount: 10, error: { outcome: 'not_sent' } },
			{ order: 'A-1', amount: 20, error: { outcome: 'not_sent' } },
		]);
		expect(JSON.stringify(result.failedJson[0])).toContain(
			'This row and order A-1, row 3 have the same order',
		);
		expect(JSON.stringify(result.failedJson[1])).toContain(
			'This row and order A-1, row 1 have the same order',
		);
	});

	it('the same payment but for a column: both are refused, and the column is named', async () => {
		const rows = ['Rent May', 'Rent June'].map((note) => ({ item: 'Rent', amount: 10, note }));
		const result = await send(link, rows);
		expect(result.failedJson).toHaveLength(2);
		expect(JSON.stringify(result.failedJson[0])).toContain('differ in \\"note\\"');
		expect(posts()).toBe(0);
		// Its advice, followed to the letter: an order reference for each.
		const callbackUrl = 'https://a.example/h';
		const withOrder = { ...link, orderReference: '={{ $json.note }}', callbackUrl };
		const again = await send(withOrder, rows);
		expect(again.successJson).toMatchObject([
			{ outcome: 'accepted', orderReference: 'Rent May' },
			{ outcome: 'accepted', orderReference: 'Rent June' },
		]);
	});

	it('a row that is the same in every column is skipped, unless the first was not accepted', async () => {
		const same = await send(collect, [row(''), row('')]);
		expect(outcomes(same.successJson)).toEqual(['accepted', 'duplicate']);

		const refused = await send(collect, [row('', { amount: 20 }), row('', { amount: 20 })], {
			credential: demoCredential(sandbox.url, { secretKey: 'not-the-right-key' }),
		});
		expect(refused.failedJson).toMatchObject([{ error: { outcome: 'rejected' } }]);
		expect(refused.successJson).toMatchObject([
			{ outcome: 'not_sent', message: 'Not sent: the same as row 1, which was rejected' },
		]);
	});
});

describe('an answer that was lost', () => {
	const four = ['A', 'B', 'C', 'D'].map((order) => row(order));
	const withOptions = (options: IDataObject) => ({ ...collect, options }) as INodeParameters;

	it("'Send Unanswered' sends that row and no other, and then it is known", async () => {
		sandbox.faults.add({ route: COLLECTIONS, kind: 'html', status: 200, processed: false, nth: 2 });
		await send(withOptions({ concurrency: 1 }), four);
		expect(sandbox.state.ledger.accepted).toBe(3);

		const again = await send(collect, four);
		expect(outcomes(again.successJson)).toEqual(['duplicate', 'unknown', 'duplicate', 'duplicate']);
		expect(again.successJson[1]?.message).toMatch(/Look it up.*'Send Unanswered'/);

		const advised = await send(withOptions({ onDuplicate: 'sendUnanswered' }), four);
		expect(outcomes(advised.successJson)).toEqual([
			'duplicate',
			'accepted',
			'duplicate',
			'duplicate',
		]);
		expect(Object.values(sandbox.state.ledger.countBy('third_party_reference_1'))).toEqual([
			1, 1, 1, 1,
		]);
		expect(outcomes((await send(collect, four)).successJson)).toEqual(
			Array<string>(4).fill('duplicate'),
		);
	});

	it.each([404, 408, 409, 425])(
		'a %d that says no is unknown, and stays claimed',
		async (status) => {
			const answer = JSON.stringify({ success: false, message: 'Already being processed' });
			const { createServer } = await import('node:http');
			const server = createServer((_, response) => {
				response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as { port: number };
			const credential = demoCredential(`http://127.0.0.1:${port}`);
			try {
				const first = await send(collect, [row('A')], { credential });
				expect(first.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
				const again = await send(collect, [row('A')], { credential });
				expect(outcomes(again.successJson)).toEqual(['unknown']);
			} finally {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
		},
	);
});

describe('what is said', () => {
	it('a single duplicate is a warning, and says how a charge is repeated', async () => {
		await send(collect, [row('')]);
		const again = await send(collect, [row('')]);
		expect(outcomes(again.successJson)).toEqual(['duplicate']);
		expect(again.nodeHints).toMatchObject([
			{
				type: 'warning',
				message: expect.stringMatching(/Row 1 was not sent.*order reference.*month/) as string,
			},
		]);
		// Its advice, followed to the letter.
		const june = await send(collect, [row('rent 2026-06')]);
		expect(outcomes(june.successJson)).toEqual(['accepted']);
	});

	it('a dry run knows what was accepted before, and claims nothing', async () => {
		const dry = { ...collect, options: { dryRun: true } } as INodeParameters;
		await send(collect, [row('A')]);
		for (let time = 0; time < 2; time++) {
			const checked = await send(dry, [row('A'), row('B'), row('B')]);
			expect(outcomes(checked.successJson)).toEqual(['duplicate', 'valid', 'duplicate']);
		}
		expect(sandbox.state.ledger.accepted).toBe(1);
		expect(outcomes((await send(collect, [row('B')])).successJson)).toEqual(['accepted']);
	});

	it('the next step of the payer is told for accepted rows only', async () => {
		const first = await send(collect, [row('A')]);
		expect(first.successJson[0]).toHaveProperty('nextStep');
		const again = await send(collect, [row('A')]);
		expect(again.successJson[0]).not.toHaveProperty('nextStep');
	});
});

it('the address of the account may be written in another way', async () => {
	await send(collect, [row('A')]);
	const again = await send(collect, [row('A')], {
		credential: demoCredential(`${sandbox.url.replace('http', 'HTTP')}/`),
	});
	expect(outcomes(again.successJson)).toEqual(['duplicate']);
});

it('a database that refuses to write for a moment leaves no row in doubt', async () => {
	const { deduplicator } = DataDeduplicationService.getInstance() as unknown as {
		deduplicator: { removeProcessed: unknown; checkProcessedAndRecord: unknown };
	};
	const real = deduplicator.checkProcessedAndRecord as (...args: unknown[]) => Promise<unknown>;
	let calls = 0;
	const flaky = jest
		.spyOn(deduplicator as never, 'checkProcessedAndRecord')
		// Every second write goes wrong once.
		.mockImplementation((async (...args: unknown[]) => {
			if (++calls % 2 === 0) throw new Error('the database is locked');
			return await real.apply(deduplicator, args);
		}) as never);
	const rows = Array.from({ length: 40 }, (_, index) => row(`O-${index}`));
	const first = await send(collect, rows).finally(() => flaky.mockRestore());
	expect(new Set(outcomes(first.successJson))).toEqual(new Set(['accepted']));
	const again = await send(collect, rows);
	expect(new Set(outcomes(again.successJson))).toEqual(new Set(['duplicate']));
});
