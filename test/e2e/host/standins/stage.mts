import type { INode } from 'n8n-workflow';

import { startDemo } from '../../../../dev/host/demo/index.mts';
import type { Demo } from '../../../../dev/host/demo/index.mts';
import { readExample, reportingTo, triggerUrl } from '../../../../dev/host/demo/examples.mts';
import type {
	NewWorkflow,
	SavedCredential,
	SavedWorkflow,
} from '../../../../dev/host/n8n/index.mts';
import { startSlack, TOKEN } from '../../../../dev/host/slack/index.mts';
import type { Slack } from '../../../../dev/host/slack/index.mts';
import { useForAll } from '../support.mts';

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
export const useStage = (): (() => Stage) =>
	useForAll(async () => {
		const slack = await startSlack();
		const demo = await startDemo({ env: slack.env, switches: { mode: 'rich' } }).catch(
			async (error) => {
				await slack.close();
				throw error;
			},
		);
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
			async stop() {
				await demo.stop();
				await slack.close();
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
