import type { INode } from 'n8n-workflow';

import { filledIn, readExample, triggerUrl } from '../../../../dev/host/demo/examples.mts';
import { startDemo } from '../../../../dev/host/demo/index.mts';
import type { Demo } from '../../../../dev/host/demo/index.mts';
import type { Messages } from '../../../../dev/host/messages/index.mts';
import type { NewWorkflow, SavedWorkflow } from '../../../../dev/host/n8n/index.mts';
import { useForAll } from '../support.mts';

const SHOP = 'https://shop.example/paid';

/** What `npm start` gives: n8n, the sandbox, stand-ins for messages, and the examples, two of them published. */
export interface Stage extends Demo {
	messages: Messages;
	/** An example as it was imported, by its name. */
	example: (name: string) => SavedWorkflow;
	/** Another copy of an example, with what the user writes into it, and what else `change` does to it. */
	importExample: (
		file: string,
		change?: (workflow: NewWorkflow) => NewWorkflow,
	) => Promise<SavedWorkflow>;
}

/** One stage for all tests of a file; `env` are settings of its n8n. */
export const useStage = (env: Record<string, string> = {}): (() => Stage) =>
	useForAll(async () => {
		const demo = await startDemo({ env, messagesPort: 0, switches: { mode: 'rich' } });
		const { client } = demo.host;
		return {
			...demo,
			messages: demo.messages!,
			example: (name) => demo.examples.find((each) => each.name === name)!,
			importExample: async (file, change = (workflow) => workflow) => {
				const example = await readExample(file, await client.credentials());
				const url = triggerUrl(demo.host.url, example) ?? SHOP;
				return await client.createWorkflow(change(filledIn(example, { url })));
			},
		};
	});

/** The same workflow with one node changed. */
export function withNode(
	workflow: NewWorkflow,
	name: string,
	change: (node: INode) => INode,
): NewWorkflow {
	if (!workflow.nodes.some((node) => node.name === name)) throw new Error(`No node '${name}'`);
	const nodes = workflow.nodes.map((node) => (node.name === name ? change(node) : node));
	return { ...workflow, nodes };
}
