import type { IExecuteFunctions } from 'n8n-workflow';

import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { isWaitedFor, linksOf } from '../../../nodes/UnifiedPayments/waiting/awaitedLinks.ts';
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

const orderOf = ({ json }: { json: Json }) =>
	(json.request as Json | undefined)?.third_party_reference_1 ?? null;

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
			const [, quoted] = /^\{\{ \$\(("[^)]*")\)\.(.*) \}\}$/s.exec(expression)!;
			const node = nodes.find(({ name }) => JSON.stringify(name) === quoted)!;
			const { gave, itemOf } = node;
			if (gave instanceof Error) throw gave;
			const item = itemOf(row);
			if (item === null) throw new Error('It belongs to several');
			return gave[item];
		},
	} as unknown as IExecuteFunctions;
	const found = linksOf(context);
	return {
		orders: found.map(orderOf),
		asked,
	};
}

const SENT = [{ sent: true }, { sent: true }];
const GAVE = [link('A-1'), link('A-2', 1)];

describe('the links that are waited for', () => {
	it('are those of the input', () => {
		expect(find(GAVE)).toEqual({ orders: ['A-1', 'A-2'], asked: [] });
	});

	it('are those from which the input came, whatever was made of them', () => {
		const { orders } = find(SENT, { gave: GAVE, itemOf: (row) => 1 - row });
		expect(orders).toEqual(['A-2', 'A-1']);
	});

	it('are those of any node that creates links', () => {
		const none = { gave: new Error('It has not run') };
		expect(find(SENT, none, { gave: GAVE }).orders).toEqual(['A-1', 'A-2']);
		expect(find(SENT, { gave: [{}, {}] }, { gave: GAVE }).orders).toEqual(['A-1', 'A-2']);
	});

	it('must be those of each item: one that cannot be traced is an error', () => {
		const itemOf = (row: number) => (row === 0 ? 0 : null);
		expect(() => find(SENT, { gave: GAVE, itemOf })).toThrow('Item 2 of the input');
		expect(() => find([{ all: 2 }], { gave: GAVE, itemOf: () => null })).toThrow('Item 1');
	});

	it('are not several for one item', () => {
		const [deposit, rest] = [[link('A-1')], [link('A-2', 1)]];
		expect(() => find([{}], { gave: deposit }, { gave: rest })).toThrow('several payment links');
		// Of what is waited for and what nobody knows, both must be paid.
		const unknown = created('C-1', { outcome: 'unknown' });
		expect(() => find([unknown], { gave: deposit })).toThrow('several payment links');
		expect(find([link('A-1')], { gave: deposit }).orders).toEqual(['A-1']);
	});

	it('and a row that went wrong is passed on as what it is', () => {
		const bad = { error: { message: 'x' } };
		expect(find(SENT, { gave: [bad, link('A-2', 1)] }).orders).toEqual([null, 'A-2']);
	});

	it('come with the rows that have none, or whose link calls back elsewhere', () => {
		const elsewhere = created('B-1', {}, { callback_url: 'https://shop.example.com/hook' });
		const unknown = created('C-1', { outcome: 'unknown' });
		const { orders } = find([link('A-1'), elsewhere, unknown, elsewhere]);
		expect(orders).toEqual(['A-1', 'B-1', 'C-1', 'B-1']);
	});

	it('are found behind any name', () => {
		const name = 'The "best" node\\';
		const asked = `{{ $(${JSON.stringify(name)}).item.json }}`;
		const found = { orders: ['A-1', 'A-2'], asked: [asked, asked] };
		expect(find(SENT, { name, gave: GAVE })).toEqual(found);
	});

	it.each<[string, Creator, boolean]>([
		['links, as they are when nothing is chosen', {}, true],
		['lists of links', { parameters: { operation: 'getAll' } }, false],
		['collections', { parameters: { resource: 'collection', operation: 'create' } }, false],
		['nothing: it is switched off', { disabled: true }, false],
		['something else: it is another node', { type: 'other' }, false],
	])('are looked for at a node that creates %s', (_, creator, isLookedAt) => {
		const found = () => find(SENT, { gave: GAVE, ...creator }).orders;
		if (isLookedAt) expect(found()).toEqual(['A-1', 'A-2']);
		else expect(found).toThrow('cannot be traced');
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
		['one that is switched off', [{ ...waits, disabled: true }], false],
		['another one', [{ ...waits, type: 'other' }], false],
		['one without parameters', [{ type: 'payments' }], false],
	])('%s', (_, nodes, expected) => {
		expect(isWaited(...nodes)).toBe(expected);
	});
});
