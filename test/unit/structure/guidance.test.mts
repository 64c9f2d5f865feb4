import type { INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';

const action = new UnifiedPayments().description;
const trigger = new UnifiedPaymentsTrigger().description;

/** Of items. */
const OUTPUT = ['fingerprint', 'state', 'orderReference', 'paidInFull'];

describe.each<[string, INodeTypeDescription]>([
	['the node', action],
	['the trigger', trigger],
])("what n8n's AI builders read about %s", (_, description) => {
	const { searchHint = '' } = description.builderHint ?? {};

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
