import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { NewWorkflow } from '../../../host/index.mts';
import { NODE_TYPE, useDemo } from './support.mts';

const demo = useDemo();

const EXAMPLES = 'examples';

/** As a user imports it: the file as it is, with the user's own credential chosen. */
function imported(file: string): NewWorkflow {
	const workflow = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as NewWorkflow;
	const { id, name, type } = demo().credential;
	const choose = (node: INode): INode =>
		node.type === NODE_TYPE ? { ...node, credentials: { [type]: { id, name } } } : node;
	return { ...workflow, nodes: workflow.nodes.map(choose) };
}

const run = async (file: string, start: string) =>
	await demo().host.client.run(await demo().host.client.createWorkflow(imported(file)), start);

/** What must come out of each example, by node. */
const EXPECTED: Record<string, { start: string; outputs: Record<string, unknown> }> = {
	'sheet-to-payment-links.json': {
		start: 'Start',
		outputs: {
			'To send': ['A-1', 'A-2', 'A-3'].map((order) => ({
				order,
				outcome: 'accepted',
				link: expect.stringMatching(/^http:.*\/pay\//),
			})),
			'To correct': [
				{
					order: 'A-4',
					what: expect.stringContaining('which is a number of Kenya, not of Uganda'),
					how: expect.stringContaining('Choose Kenya'),
				},
			],
		},
	},
	'collect-and-check.json': {
		start: 'Start',
		outputs: {
			'Create collection': [
				expect.objectContaining({
					outcome: 'accepted',
					nextStep: expect.stringContaining('verification token'),
				}),
			],
			Paid: [expect.objectContaining({ state: 'success', amount: 250, currency: 'KES' })],
		},
	},
	'low-balance-alert.json': {
		start: 'Every morning',
		outputs: {
			Message: expect.arrayContaining([
				{ text: expect.stringMatching(/^Wallet \d+ holds only \d+/) },
			]),
		},
	},
};

it('every example is tested', () => {
	expect(readdirSync(EXAMPLES).sort()).toEqual(Object.keys(EXPECTED).sort());
});

it.each(Object.entries(EXPECTED))('%s runs as imported', async (file, { start, outputs }) => {
	const execution = await run(file, start);
	for (const [node, expected] of Object.entries(outputs)) {
		expect(execution.json(node)).toEqual(expected);
	}
});
