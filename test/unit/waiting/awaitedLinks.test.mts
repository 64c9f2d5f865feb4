import type { IExecuteFunctions } from 'n8n-workflow';

import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { leaving } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { isWaitedFor, linksOf } from '../../../nodes/UnifiedPayments/waiting/awaitedLinks.ts';
import { addressOf, created } from './service.mts';

interface Creator {
	name?: string;
	type?: string;
	disabled?: boolean;
	parameters?: Json;
	/** What came out of it; an error for a node that has not run. */
	gave?: Json[] | Error;
	/** The same for each round of a loop. */
	rounds?: Json[][];
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
			const [, quoted, rest] = /^\{\{ \$\(("[^)]*")\)\.(.*) \}\}$/s.exec(expression)!;
			const node = nodes.find(({ name }) => JSON.stringify(name) === quoted)!;
			const { gave, itemOf, rounds = [gave] } = node;
			if (gave instanceof Error) throw gave;
			const round = /^all\(0, (\d+)\)/.exec(rest!)?.[1];
			if (round !== undefined) {
				if (rounds[Number(round)] === undefined) throw new Error('There is no such run');
				return rounds[Number(round)];
			}
			const item = itemOf(row);
			if (item === null) throw new Error('It belongs to several');
			return gave[item];
		},
	} as unknown as IExecuteFunctions;
	const found = linksOf(context);
	return {
		/** Of an item that stands for several, all of them. */
		orders: found.map(({ json, members }) => members?.map(orderOf) ?? orderOf({ json })),
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

	it('are all that were created, where an item cannot be traced', () => {
		// A column "error" of a row says nothing about its link.
		const brought = { ...link('B-1', 2), error: '' };
		const other = [brought, { outcome: 'not_sent' }, { request: {} }, { order: 1 }];
		const lost = [GAVE, other].map((gave) => ({ gave, itemOf: () => null }));
		const all = ['A-1', 'A-2', 'B-1'];
		expect(find(SENT, ...lost).orders).toEqual([all, all]);
		const failed = { ...link('A-1'), error: { outcome: 'unknown' } };
		expect(find([{}], { gave: [failed], itemOf: () => null }).orders).toEqual([['A-1']]);
	});

	it('also those of every round of a loop, each once', () => {
		const rounds = [[link('A-1')], [{ error: {} }], [], [link('A-2', 1)], [link('A-3', 2)]];
		const lost = { rounds, itemOf: () => null };
		expect(find([{ sent: true }], lost).orders).toEqual([['A-1', 'A-2', 'A-3']]);
		// Rounds may fail with the same words.
		const bad = [{ error: { message: 'x', outcome: 'not_sent' } }];
		const alike = { rounds: [bad, bad, [link('A-1')], bad, [link('A-2', 1)]], itemOf: () => null };
		expect(find([{ sent: true }], alike).orders).toEqual([[null, 'A-1', 'A-2']]);
		// Pinned data is there in every round.
		const pinned = { rounds: Array.from({ length: 50 }, () => GAVE), itemOf: () => null };
		const { orders, asked } = find([{ sent: true }], pinned);
		expect(orders).toEqual([['A-1', 'A-2']]);
		expect(asked).toHaveLength(3);
	});

	it('for that item alone, where the others can be', () => {
		const itemOf = (row: number) => (row === 0 ? 0 : null);
		const expected = ['A-1', ['A-1', 'A-2']];
		expect(find(SENT, { gave: GAVE, itemOf }).orders).toEqual(expected);
		const none = { gave: new Error('It has not run') };
		expect(find(SENT, none, { gave: GAVE, itemOf }).orders).toEqual(expected);
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
		const gave = [link('A-1'), elsewhere];
		expect(find(SENT, { gave, itemOf: () => null }).orders[0]).toEqual(['A-1', 'B-1']);
		// Of what is waited for and what nobody knows, both must be paid.
		expect(find([unknown], { gave: [link('A-1')] }).orders).toEqual([['C-1', 'A-1']]);
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
		const { orders } = find(SENT, { gave: GAVE, ...creator });
		expect(orders).toEqual(isLookedAt ? ['A-1', 'A-2'] : [null, null]);
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

it.each([
	[[true, true], true],
	[[true, null], null],
	[[true, false, null], false],
])('several payments of one row, paid in full: %j, are it together: %j', (each, together) => {
	const one = { isTold: false, payment: null, members: null };
	const members = each.map((paidInFull) => ({ ...one, isTold: true, json: { paidInFull } }));
	const left = leaving({ ...one, json: {}, members }, () => null, new Redactor());
	expect(left.paidInFull).toBe(together);
});
