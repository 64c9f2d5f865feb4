import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/index.mts';

const PACKAGE = 'n8n-nodes-unified-payments.';
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
	return { ...workflow, nodes: workflow.nodes.map((node) => selectCredential(node, credentials)) };
}

/** The credential that each kind of node needs. */
const CREDENTIAL_TYPES: ReadonlyArray<[is: (type: string) => boolean, credentialType: string]> = [
	[(type) => type.startsWith(PACKAGE), 'unifiedPaymentsApi'],
	[(type) => type === 'n8n-nodes-base.slack', 'slackApi'],
	[(type) => type === '@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
];

function selectCredential(node: INode, credentials: readonly SavedCredential[]): INode {
	const needed = CREDENTIAL_TYPES.find(([is]) => is(node.type))?.[1];
	const selected = credentials.find(({ type }) => type === needed);
	if (selected === undefined) return node;
	const { id, name, type } = selected;
	return { ...node, credentials: { [type]: { id, name } } };
}
