import type { IExecuteFunctions } from 'n8n-workflow';

import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { isWaitedFor, linksOf } from '../../../nodes/UnifiedPayments/waiting/links.ts';
import { addressOf, created } from './service.mts';

interface Creator {
	name?: string;
	type?: string;
	disabled?: boolean;
	parameters?: Json;
	/** What came out of it; an error for a node that has not run. */
	gave?: Json[] | Error;
	/** Which of it an item of the input belongs to; null where that cannot be told. */
	itemOf?: (row: number) => number | null;
}

const link = (order: string, row = 0) =>
	created(order, {}, { callback_url: addressOf(order, row) });

/** The links that a node finds behind itself. */
function find(input: Json[], ...creators: Creator[]) {
	const nodes = creators.map((each, index) => ({
		name: `Create ${index}`,
		type: 'payments',
		parameters: {},
		gave: [],
		itemOf: (row: number) => row,
		...each,
	}));
	const asked: string[] = [];
	const context = {
		getNode: () => ({ name: 'Wait', type: 'payments' }),
		getInputData: () => input.map((json) => ({ json })),
		getParentNodes: (name: string, { includeNodeParameters }: Json) =>
			name === 'Wait' && includeNodeParameters === true ? nodes : [],
		evaluateExpression(expression: string, row: number) {
			asked.push(expression);
			const [, quoted, rest] = /^\{\{ \$\(("[^)]*")\)\.(.*) \}\}$/s.exec(expression)!;
			const { gave, itemOf } = nodes.find(({ name }) => JSON.stringify(name) === quoted)!;
			if (gave instanceof Error) throw gave;
			if (rest!.startsWith('all()')) return gave;
			const item = itemOf(row);
			if (item === null) throw new Error('It belongs to several');
			return gave[item];
		},
	} as unknown as IExecuteFunctions;
	const found = linksOf(context);
	return {
		orders: found.map(({ json }) => (json.request as Json).third_party_reference_1),
		pairs: found.map(({ pairedItem }) => pairedItem),
		asked,
	};
}

const SENT = [{ sent: true }, { sent: true }];
const GAVE = [link('A-1'), link('A-2', 1)];

describe('the links that are waited for', () => {
	it('are those of the input', () => {
		const { orders, pairs } = find(GAVE);
		expect(orders).toEqual(['A-1', 'A-2']);
		expect(pairs).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('are those from which the input came, whatever was made of them', () => {
		expect(find(SENT, { gave: GAVE, itemOf: (row) => 1 - row })).toMatchObject({
			orders: ['A-2', 'A-1'],
			pairs: [{ item: 0 }, { item: 1 }],
		});
	});

	it('are those of any node that creates links', () => {
		const none = { gave: new Error('It has not run') };
		expect(find(SENT, none, { gave: GAVE }).orders).toEqual(['A-1', 'A-2']);
		expect(find(SENT, { gave: [{}, {}] }, { gave: GAVE }).orders).toEqual(['A-1', 'A-2']);
	});

	it('are all that were created, where an item cannot be traced', () => {
		const other = {
			gave: [link('B-1', 2), { outcome: 'not_sent' }, { request: {} }, { order: 1 }],
		};
		const { orders, pairs } = find(SENT, { gave: GAVE, itemOf: () => null }, other);
		expect(orders).toEqual(['A-1', 'A-2', 'B-1']);
		const all = [{ item: 0 }, { item: 1 }];
		expect(pairs).toEqual([all, all, all]);
	});

	it('and where only one of the items can be', () => {
		const itemOf = (row: number) => (row === 0 ? 0 : null);
		expect(find(SENT, { gave: GAVE, itemOf }).orders).toEqual(['A-1', 'A-2']);
		const none = { gave: new Error('It has not run') };
		expect(find(SENT, none, { gave: GAVE, itemOf }).orders).toEqual(['A-1', 'A-2']);
	});

	it('come with the rows that have none, or whose link calls back elsewhere', () => {
		const elsewhere = created('B-1', {}, { callback_url: 'https://shop.example.com/hook' });
		const unknown = created('C-1', { outcome: 'unknown' });
		expect(find([link('A-1'), elsewhere, unknown, elsewhere])).toMatchObject({
			orders: ['A-1', 'B-1', 'C-1', 'B-1'],
			pairs: [{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }],
		});
		const gave = [link('A-1'), elsewhere];
		expect(find(SENT, { gave, itemOf: () => null }).orders).toEqual(['A-1', 'B-1']);
		// One that is waited for comes before one that is not.
		expect(find([unknown], { gave: [link('A-1')] }).orders).toEqual(['A-1']);
	});

	it('are waited for once each', () => {
		expect(find([link('A-1'), link('A-1'), link('A-2', 1)]).orders).toEqual(['A-1', 'A-2']);
		const twice = { gave: [link('A-1'), link('A-1')], itemOf: () => null };
		expect(find(SENT, twice).orders).toEqual(['A-1']);
	});

	it('are found behind any name', () => {
		const name = 'The "best" node\\';
		expect(find(SENT, { name, gave: GAVE })).toMatchObject({
			orders: ['A-1', 'A-2'],
			asked: [
				`{{ $(${JSON.stringify(name)}).item.json }}`,
				`{{ $(${JSON.stringify(name)}).item.json }}`,
			],
		});
	});

	it.each<[string, Creator, boolean]>([
		['links, as they are when nothing is chosen', {}, true],
		['links', { parameters: { resource: 'paymentLink', operation: 'create' } }, true],
		['links, in an old export', { parameters: undefined }, true],
		['lists of links', { parameters: { operation: 'getAll' } }, false],
		['collections', { parameters: { resource: 'collection', operation: 'create' } }, false],
		['nothing: it is switched off', { disabled: true }, false],
		['something else: it is another node', { type: 'other' }, false],
	])('are looked for at a node that creates %s', (_, creator, isLookedAt) => {
		expect(find(SENT, { gave: GAVE, ...creator }).orders).toHaveLength(isLookedAt ? 2 : 0);
	});
});

describe('whether links are waited for later on', () => {
	const waits = { type: 'payments', parameters: { operation: 'waitUntilPaid' } };
	const isWaited = (...nodes: object[]) =>
		isWaitedFor({
			getNode: () => ({ name: 'Create', type: 'payments' }),
			getChildNodes: (name: string, { includeNodeParameters }: Json) =>
				name === 'Create' && includeNodeParameters === true ? nodes : [],
		} as unknown as IExecuteFunctions);

	it.each<[string, object[], boolean]>([
		['one that waits', [waits], true],
		['one that waits behind others', [{ type: 'slack' }, waits], true],
		['none', [], false],
		['one that is switched off', [{ ...waits, disabled: true }], false],
		['another one', [{ ...waits, type: 'other' }], false],
		['one that does something else', [{ ...waits, parameters: { operation: 'get' } }], false],
		['one without parameters', [{ type: 'payments' }], false],
	])('%s', (_, nodes, expected) => {
		expect(isWaited(...nodes)).toBe(expected);
	});
});
