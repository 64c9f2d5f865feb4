import { startEngine } from '../../../dev/host/engine/start.mts';

import { Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';

import { node } from '../../../dev/host/engine/build.mts';
import { latestVersion, nodeTypeRegistry } from '../../../dev/host/engine/nodeTypes.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';

const TYPE = 'n8n-nodes-unified-payments.any';

/** The hints that the editor shows for these parameters, by the condition of each. */
async function shown(type: INodeType, parameters: INodeParameters): Promise<string[]> {
	await startEngine();
	const one = node('Node', TYPE, parameters, { typeVersion: latestVersion(type) });
	const workflow = new Workflow({
		nodes: [one],
		connections: {},
		active: false,
		nodeTypes: nodeTypeRegistry({ [TYPE]: type }),
	});
	await workflow.expression.acquireIsolate();
	try {
		return (type.description.hints ?? [])
			.filter(({ displayCondition }) =>
				workflow.expression.getSimpleParameterValue(
					workflow.nodes.Node!,
					displayCondition!,
					'internal',
					{},
				),
			)
			.map(({ message }) => message);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const links = async (options: INodeParameters, operation = 'create') =>
	await shown(new UnifiedPayments(), { resource: 'paymentLink', operation, options });

describe('before a run, the editor says', () => {
	it('nothing when all is as usual, or where another operation left options behind', async () => {
		expect(await links({})).toEqual([]);
		expect(await links({ dryRun: false, onDuplicate: 'skip' })).toEqual([]);
		expect(await links({ dryRun: true, onDuplicate: 'sendAnyway' }, 'getAll')).toEqual([]);
		expect(await shown(new UnifiedPaymentsTrigger(), {})).toEqual([]);
	});

	it.each([
		['a dry run is on', { dryRun: true }, /^'Dry Run' is on: .*nothing is sent\.$/],
		['customers are charged again', { onDuplicate: 'sendAnyway' }, /charges the same customers/],
	])('that %s', async (_, options, words) => {
		expect(await links(options)).toEqual([expect.stringMatching(words)]);
	});

	it('that anyone can report a payment', async () => {
		expect(await shown(new UnifiedPaymentsTrigger(), { verification: 'none' })).toEqual([
			expect.stringMatching(/^'Verification' is 'None'/),
		]);
	});
});
