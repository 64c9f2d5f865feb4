import type { INode } from 'n8n-workflow';

import { startDemo } from '../../../../host/demo/index.mts';
import type { Demo } from '../../../../host/demo/index.mts';
import { readExample, reportingTo, triggerUrl } from '../../../../host/demo/examples.mts';
import { buildIfStale } from '../../../../host/n8n/index.mts';
import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../../../../host/n8n/index.mts';
import { startSlack, TOKEN } from '../../../../host/slack/index.mts';
import type { Slack } from '../../../../host/slack/index.mts';

const MINUTE = 60_000;
const SHOP = 'https://shop.example/paid';

/** The sandbox, and an n8n that takes our stand-in for Slack. */
export interface Stage extends Demo {
	slack: Slack;
	/** What somebody who tries the examples has set up. */
	credentials: SavedCredential[];
	/**
	 * Imports an example, with the credentials chosen and the address of its trigger filled in, or that of
	 * a shop; `change` is what the user does to it then.
	 */
	importExample: (
		file: string,
		change?: (workflow: NewWorkflow) => NewWorkflow,
	) => Promise<SavedWorkflow>;
}

/** One stage for all tests of a file. */
export function useStage(): () => Stage {
	let stage: Stage | undefined;
	let slack: Slack | undefined;
	// Generous, for machines that have other things to do.
	jest.setTimeout(4 * MINUTE);
	beforeAll(async () => {
		await buildIfStale();
		slack = await startSlack();
		stage = await setUp(slack, await startDemo({ env: slack.env, switches: { mode: 'rich' } }));
	}, 30 * MINUTE);
	afterAll(async () => {
		await stage?.stop();
		await slack?.close();
	}, MINUTE);
	return () => {
		if (stage === undefined) throw new Error('n8n has not been started');
		return stage;
	};
}

async function setUp(slack: Slack, demo: Demo): Promise<Stage> {
	const { client } = demo.host;
	const token = await client.createCredential('Slack', 'slackApi', { accessToken: TOKEN });
	const credentials = [demo.credential, token];
	return {
		...demo,
		slack,
		credentials,
		importExample: async (file, change = (workflow) => workflow) => {
			const example = await readExample(file, credentials);
			const url = triggerUrl(demo.host.url, example) ?? SHOP;
			return await client.createWorkflow(change(reportingTo(url, example)));
		},
	};
}

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

/** The same node with one parameter under another name, as after a bad edit. */
export function rename(node: INode, parameter: string, name: string): INode {
	const entries = Object.entries(node.parameters).map(([key, value]) => [
		key === parameter ? name : key,
		value,
	]);
	return { ...node, parameters: Object.fromEntries(entries) as INode['parameters'] };
}
