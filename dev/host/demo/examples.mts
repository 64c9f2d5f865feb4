import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/index.mts';

const PACKAGE = 'n8n-nodes-unified-payments.';
const TRIGGER_TYPE = `${PACKAGE}unifiedPaymentsTrigger`;
/** What stands in an example where the address of a trigger belongs. */
export const PLACE_OF_URL = 'PASTE THE PRODUCTION URL OF YOUR TRIGGER HERE';
const FOLDER = 'examples';

/** The workflows of the examples folder, with these credentials selected where they fit. */
export async function readExamples(
	credentials: readonly SavedCredential[],
): Promise<NewWorkflow[]> {
	const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(files.map(async (file) => await readExample(file, credentials)));
}

/** One of these workflows. */
export async function readExample(
	file: string,
	credentials: readonly SavedCredential[],
): Promise<NewWorkflow> {
	const workflow = JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as NewWorkflow;
	const nodes = workflow.nodes.map((node) => withAddress(selectCredential(node, credentials)));
	return { ...workflow, nodes };
}

/** Like the editor on import: an address of its own, so that two n8n never share one. */
const withAddress = (node: INode): INode =>
	node.type === TRIGGER_TYPE ? { ...node, webhookId: randomUUID() } : node;

/** The Production URL of a workflow's trigger, in the n8n at this address. */
export function triggerUrl(n8n: string, { nodes }: Pick<NewWorkflow, 'nodes'>): string | undefined {
	const trigger = nodes.find(({ type }) => type === TRIGGER_TYPE);
	return trigger?.webhookId && `${n8n}/webhook/${trigger.webhookId}/webhook`;
}

/** The same workflow with the address of a trigger filled in wherever one belongs. */
export function reportingTo(url: string | undefined, workflow: NewWorkflow): NewWorkflow {
	if (url === undefined) return workflow;
	return JSON.parse(JSON.stringify(workflow).replaceAll(PLACE_OF_URL, url)) as NewWorkflow;
}

/** The credential that each kind of node needs. */
const CREDENTIAL_TYPES: ReadonlyArray<[is: (type: string) => boolean, credentialType: string]> = [
	[(type) => type.startsWith(PACKAGE), 'unifiedPaymentsApi'],
	[(type) => type === 'n8n-nodes-base.slack', 'slackApi'],
	[(type) => type === 'n8n-nodes-base.emailSend', 'smtp'],
	[(type) => type === 'n8n-nodes-base.postgres', 'postgres'],
	[(type) => type === '@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
	[(type) => type === '@n8n/n8n-nodes-langchain.mcpTrigger', 'httpBearerAuth'],
];

function selectCredential(node: INode, credentials: readonly SavedCredential[]): INode {
	const needed = CREDENTIAL_TYPES.find(([is]) => is(node.type))?.[1];
	const selected = credentials.find(({ type }) => type === needed);
	if (selected === undefined) return node;
	const { id, name, type } = selected;
	return { ...node, credentials: { [type]: { id, name } } };
}
