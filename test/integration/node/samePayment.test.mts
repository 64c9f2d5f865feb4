import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	COLLECT,
	demoCredential,
	LINK,
	messages,
	outcomes,
	PATHS,
	usePayments,
} from '../../helpers/payments.mts';
import { claimStore } from '../../helpers/claimStore.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { accepted, posts, run, sandbox, taken } = usePayments({ onError: 'continueErrorOutput' });
const opened = closing();

const row = (order: string, changes: IDataObject = {}): IDataObject => ({ order, ...changes });

describe('Retry On Fail knows a row by its place, whatever its values are by then', () => {
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };

	it('one row with $now in its reference, and a 502: one POST', async () => {
		sandbox.faults.add({ route: PATHS.collect, kind: 'server-error', status: 502 });
		const orderReference = '={{ $now.toMillis() + Math.random() }}';
		await run({ ...COLLECT, orderReference }, [{}], { ...retries, onError: undefined });
		expect(posts()).toBe(1);
	});

	it('three links with $now in the item, one of them rejected: three POSTs', async () => {
		const itemName = '={{ $json.item + $now.toMillis() + Math.random() }}';
		sandbox.faults.add({ route: PATHS.link, kind: 'html', status: 200, nth: 2 });
		const rows = ['a', 'b', 'c'].map((item) => ({ item }));
		await run({ ...LINK, itemName }, rows, { ...retries, onError: 'continueRegularOutput' });
		expect(posts()).toBe(3);
	});
});

describe('how a payment is presented is no part of it', () => {
	const edits: Array<[string, INodeParameters, IDataObject, account: { mobileFormat?: string }]> = [
		['with a callback URL', COLLECT, { hook: 'https://a.example/h' }, {}],
		['with a method', { ...COLLECT, paymentMethodType: 'send money' }, {}, {}],
		['with the phone in another notation', COLLECT, { phone: '+254 712 345 678' }, {}],
		['with a space after the reference', COLLECT, { order: 'A-1 ' }, {}],
		['with the phone sent in another form', COLLECT, {}, { mobileFormat: 'e164' }],
	];

	it.each(edits)('%s: not sent again', async (_, parameters, edit, account) => {
		await run(COLLECT, [row('A-1')]);
		const again = await run(parameters, [row('A-1', edit)], { account });
		expect(outcomes(again)).toEqual(['duplicate']);
		expect(accepted()).toBe(1);
	});

	it('nor with the address of the account written in another way', async () => {
		await run(COLLECT, [row('A-1')], { credential: demoCredential(sandbox.url) });
		const credential = demoCredential(`${sandbox.url.replace('http', 'HTTP')}/`);
		expect(outcomes(await run(COLLECT, [row('A-1')], { credential }))).toEqual(['duplicate']);
	});

	it('the same order with another amount: a duplicate that says so', async () => {
		await run(COLLECT, [row('A-1')]);
		const again = await run(COLLECT, [row('A-1', { amount: 99 })]);
		expect(again.successJson).toMatchObject([
			{
				outcome: 'duplicate',
				orderReference: 'A-1',
				request: { amount: 99 },
				message: expect.stringMatching(/with another payer, item, amount or spelling/) as string,
			},
		]);
		expect(accepted()).toBe(1);
	});

	it('random edits between runs: nothing twice, and nothing merged', async () => {
		const orders = Array.from({ length: 50 }, (_, index) => `O-${index}`);
		const edit = fc.record({
			phone: fc.constantFrom('0712345678', '+254712345678', '254 712 345 678', '712345678'),
			space: fc.constantFrom('', ' ', '  '),
			hook: fc.constantFrom('', 'https://a.example/h', 'https://b.example/?x=1'),
			method: fc.constantFrom('', 'send money'),
			swapped: fc.boolean(),
		});
		const all = { minLength: orders.length, maxLength: orders.length };
		const fourRuns = fc.array(fc.array(edit, all), { minLength: 4, maxLength: 4 });
		const parameters = { ...COLLECT, paymentMethodType: '={{ $json.method }}' };
		let tries = 0;
		await fc.assert(
			fc.asyncProperty(fourRuns, async (runs) => {
				sandbox.reset();
				const workflowId = `edits-${++tries}`;
				for (const edits of runs) {
					const items = orders.map((order, index): IDataObject => {
						const { space, swapped, ...others } = edits[index]!;
						const cells = { order: `${space}${order}${space}`, ...others };
						return swapped ? Object.fromEntries(Object.entries(cells).reverse()) : cells;
					});
					await run(parameters, items, { workflowId });
				}
				expect(accepted()).toBe(orders.length);
				expect(Object.values(taken()).filter((times) => times !== 1)).toEqual([]);
			}),
			{ numRuns: 12, endOnFailure: true },
		);
	}, 240_000);
});

it.each<[string, string, IDataObject]>([
	['order', '\u200b', {}],
	['order', ' \u3164', {}],
	['order', '={{ NaN }}', {}],
	['Duplicate Key', '\u2060', { duplicateKey: '={{ $json.order }}' }],
])('an %s of %j is none: two customers are two payments', async (_, order, options) => {
	const parameters = order.startsWith('=') ? { ...COLLECT, orderReference: order } : COLLECT;
	for (const phone of ['0712345671', '0712345672']) {
		expect(outcomes(await run(parameters, [row(order, { phone })], { options }))).toEqual([
			'accepted',
		]);
	}
});

describe('rows of one input that nobody can tell apart', () => {
	it('the same payment but for a column: its advice, followed to the letter, works', async () => {
		const rows = ['Rent May', 'Rent June'].map((note) => ({ note }));
		const result = await run(LINK, rows);
		expect(messages(result)).toEqual(
			rows.map(() => expect.stringContaining('differ in "note"') as string),
		);
		expect(posts()).toBe(0);
		const again = await run({ ...LINK, orderReference: '={{ $json.note }}' }, rows);
		expect(again.successJson).toMatchObject(
			rows.map(({ note }) => ({ outcome: 'accepted', orderReference: note })),
		);
	});

	it('a row that is the same in every column is skipped, unless the first was not accepted', async () => {
		const rows = [row('', { amount: 20 }), row('', { amount: 20 })];
		const refused = await run(COLLECT, rows, { account: { secretKey: 'not-the-right-key' } });
		expect(refused.failedJson).toMatchObject([{ error: { outcome: 'rejected' } }]);
		expect(refused.successJson).toMatchObject([
			{ outcome: 'not_sent', message: 'Not sent: the same as row 1, which was rejected' },
		]);
		expect(outcomes(await run(COLLECT, rows))).toEqual(['accepted', 'duplicate']);
	});
});

describe('an answer that was lost', () => {
	it("'Send Unanswered' sends that row and no other, and then it is known", async () => {
		const route = PATHS.collect;
		sandbox.faults.add({ route, kind: 'html', status: 200, processed: false, nth: 2 });
		const four = ['A', 'B', 'C', 'D'].map((order) => row(order));
		await run(COLLECT, four, { options: { concurrency: 1 } });
		expect(accepted()).toBe(3);

		const again = await run(COLLECT, four);
		expect(outcomes(again)).toEqual(['duplicate', 'unknown', 'duplicate', 'duplicate']);
		expect(again.successJson[1]?.message).toMatch(/Look it up.*'Send Unanswered'/);

		const advised = await run(COLLECT, four, { options: { onDuplicate: 'sendUnanswered' } });
		expect(outcomes(advised)).toEqual(['duplicate', 'accepted', 'duplicate', 'duplicate']);
		expect(taken()).toEqual({ A: 1, B: 1, C: 1, D: 1 });
		expect(outcomes(await run(COLLECT, four))).toEqual(Array(4).fill('duplicate'));
	});

	it.each([404, 408, 409, 425])(
		'a %d that says no is unknown, and stays claimed',
		async (status) => {
			const said = { success: false, message: 'Already being processed' };
			const wire = opened(await startWire((_, response) => json(response, status, said)));
			const credential = demoCredential(wire.url);
			const first = await run(COLLECT, [row('A')], { credential });
			expect(first.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
			const again = await run(COLLECT, [row('A')], { credential });
			expect(again.successJson).toMatchObject([{ outcome: 'unknown' }]);
		},
	);
});

describe('what is said', () => {
	it('a single duplicate is a warning, and says how a charge is repeated', async () => {
		const first = await run(COLLECT, [row('')]);
		expect(first.successJson[0]).toHaveProperty('nextStep');
		const again = await run(COLLECT, [row('')]);
		expect(outcomes(again)).toEqual(['duplicate']);
		expect(again.successJson[0]).not.toHaveProperty('nextStep');
		expect(again.nodeHints).toMatchObject([
			{
				type: 'warning',
				message: expect.stringMatching(/Row 1 was not sent.*order reference.*month/) as string,
			},
		]);
		// Its advice, followed to the letter.
		expect(outcomes(await run(COLLECT, [row('rent 2026-06')]))).toEqual(['accepted']);
	});

	it('a dry run knows what was accepted before, and claims nothing', async () => {
		await run(COLLECT, [row('A')]);
		for (let time = 0; time < 2; time++) {
			const rows = [row('A'), row('B'), row('B')];
			const checked = await run(COLLECT, rows, { options: { dryRun: true } });
			expect(outcomes(checked)).toEqual(['duplicate', 'valid', 'duplicate']);
		}
		expect(accepted()).toBe(1);
		expect(outcomes(await run(COLLECT, [row('B')]))).toEqual(['accepted']);
	});
});

it('a database that refuses to write for a moment leaves no row in doubt', async () => {
	const store = await claimStore();
	const real = store.checkProcessedAndRecord.bind(store);
	let calls = 0;
	const flaky = jest
		.spyOn(store, 'checkProcessedAndRecord')
		// Every second write goes wrong once.
		.mockImplementation(async (...given) => {
			if (++calls % 2 === 0) throw new Error('the database is locked');
			return await real(...given);
		});
	const rows = Array.from({ length: 40 }, (_, index) => row(`O-${index}`));
	const first = await run(COLLECT, rows).finally(() => flaky.mockRestore());
	expect(new Set(outcomes(first))).toEqual(new Set(['accepted']));
	expect(new Set(outcomes(await run(COLLECT, rows)))).toEqual(new Set(['duplicate']));
});
