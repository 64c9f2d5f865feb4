import type { INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';

const action = new UnifiedPayments().description;
const trigger = new UnifiedPaymentsTrigger().description;

const PACKAGE = 'n8n-nodes-unified-payments';

/** Of items. */
const OUTPUT = ['fingerprint', 'state', 'orderReference', 'paidInFull'];

describe.each<[string, INodeTypeDescription, INodeTypeDescription]>([
	['the node', action, trigger],
	['the trigger', trigger, action],
])("what n8n's AI builders read about %s", (_, description, other) => {
	const { searchHint = '', relatedNodes = [] } = description.builderHint ?? {};

	it('names the other node, and each related node once', () => {
		const types = relatedNodes.map(({ nodeType }) => nodeType);
		expect(types).toContain(`${PACKAGE}.${other.name}`);
		expect(new Set(types).size).toBe(types.length);
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
