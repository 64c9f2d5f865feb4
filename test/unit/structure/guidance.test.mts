import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';

const action = new UnifiedPayments().description;
const trigger = new UnifiedPaymentsTrigger().description;

const isProperty = (option: object): option is INodeProperties => 'displayName' in option;
const withMembers = (property: INodeProperties): INodeProperties[] => [
	property,
	...(property.options ?? []).filter(isProperty).flatMap(withMembers),
];

const PACKAGE = 'n8n-nodes-unified-payments';

describe.each<[string, INodeTypeDescription, INodeTypeDescription]>([
	['the node', action, trigger],
	['the trigger', trigger, action],
])("what n8n's AI builders read about %s", (_, description, other) => {
	const { searchHint = '', relatedNodes = [] } = description.builderHint ?? {};

	it('says when to choose it, and names the other one', () => {
		expect(searchHint.length).toBeGreaterThan(100);
		expect(relatedNodes.map(({ nodeType }) => nodeType)).toContain(`${PACKAGE}.${other.name}`);
	});

	it('names each related node once, with a reason', () => {
		const types = relatedNodes.map(({ nodeType }) => nodeType);
		expect(new Set(types).size).toBe(types.length);
		for (const { nodeType, relationHint } of relatedNodes) {
			expect(nodeType).toMatch(/^(?:n8n-nodes-base|n8n-nodes-unified-payments)\.[a-z]\w+$/);
			expect(relationHint.length).toBeGreaterThan(20);
		}
	});

	it('names only values and parameters that exist', () => {
		const all = description.properties.flatMap(withMembers);
		const values = all.flatMap(({ options = [] }) =>
			options.map((option) => String('value' in option ? option.value : option.name)),
		);
		const known = [...all.map(({ name }) => name), ...values, ...OUTPUT];
		const named = [...searchHint.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
		expect(named.filter((name) => !known.includes(name))).toEqual([]);
	});
});

/** Of items. */
const OUTPUT = ['fingerprint', 'state', 'orderReference', 'paidInFull'];

describe('hints for a single parameter', () => {
	const hinted = action.properties
		.flatMap(withMembers)
		.filter(({ builderHint }) => builderHint !== undefined)
		.map(({ name }) => name);

	it.each([
		'amount',
		'callbackUrl',
		'columns',
		'country',
		'inputMode',
		'orderReference',
		'paymentLink',
		'walletAccount',
	])('%s', (name) => {
		expect(hinted).toContain(name);
	});
});
