import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COLLECT, outcomes, usePayments } from '../../helpers/payments.mts';
import { claimStore } from '../../helpers/claimStore.mts';

const { accepted, run, sandbox, taken } = usePayments({ onError: 'continueErrorOutput' });

const row = (order: string, changes: IDataObject = {}): IDataObject => ({ order, ...changes });

describe('how a payment is presented is no part of it', () => {
	const edits: Array<[string, INodeParameters, IDataObject, account: { mobileFormat?: string }]> = [
		['with a method', { ...COLLECT, paymentMethodType: 'send money' }, {}, {}],
		['with the phone sent in another form', COLLECT, {}, { mobileFormat: 'e164' }],
	];

	it.each(edits)('%s: not sent again', async (_, parameters, edit, account) => {
		await run(COLLECT, [row('A-1')]);
		const again = await run(parameters, [row('A-1', edit)], { account });
		expect(outcomes(again)).toEqual(['duplicate']);
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
	['Duplicate Key', '\u2060', { duplicateKey: '={{ $json.order }}' }],
])('an %s of %j is none: two customers are two payments', async (_, order, options) => {
	for (const phone of ['0712345671', '0712345672']) {
		const result = await run(COLLECT, [row(order, { phone })], { options });
		expect(outcomes(result)).toEqual(['accepted']);
	}
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
