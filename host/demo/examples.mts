import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/client.mts';

const PACKAGE = 'n8n-nodes-unified-payments.';
const FOLDER = join(process.cwd(), 'examples');

/** The workflows of the examples folder, with these credentials chosen where they fit. */
export async function readExamples(
	credentials: readonly SavedCredential[],
	folder = FOLDER,
): Promise<NewWorkflow[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(files.map(async (file) => await readExample(file, credentials, folder)));
}

/** One of them, as somebody imports it and then chooses these credentials where they fit. */
export async function readExample(
	file: string,
	credentials: readonly SavedCredential[],
	folder = FOLDER,
): Promise<NewWorkflow> {
	const workflow = JSON.parse(await readFile(join(folder, file), 'utf8')) as NewWorkflow;
	return { ...workflow, nodes: workflow.nodes.map((node) => choose(node, credentials)) };
}

/** The credential that each kind of node asks for. */
const ASKS: ReadonlyArray<[isOfKind: (type: string) => boolean, credentialType: string]> = [
	[(type) => type.startsWith(PACKAGE), 'unifiedPaymentsApi'],
	[(type) => type === 'n8n-nodes-base.slack', 'slackApi'],
	[(type) => type === '@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
];

function choose(node: INode, credentials: readonly SavedCredential[]): INode {
	const asked = ASKS.find(([isOfKind]) => isOfKind(node.type))?.[1];
	const chosen = credentials.find(({ type }) => type === asked);
	if (chosen === undefined) return node;
	const { id, name, type } = chosen;
	return { ...node, credentials: { [type]: { id, name } } };
}
