import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/index.mts';

const PACKAGE = 'n8n-nodes-unified-payments.';
const TRIGGER_TYPE = `${PACKAGE}unifiedPaymentsTrigger`;
const FOLDER = 'examples';

/** What stands in an example where the user writes something, and keeps it from sending anything until then. */
export const PLACES = {
	url: 'PASTE THE PRODUCTION URL OF YOUR TRIGGER HERE',
	mobile: 'PUT A MOBILE NUMBER HERE',
	email: 'PUT AN E-MAIL ADDRESS HERE',
} as const;

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
	node.type === TRIGGER_TYPE || node.type.endsWith('.formTrigger')
		? { ...node, webhookId: randomUUID() }
		: node;

/** The Production URL of a workflow's trigger, in the n8n at this address. */
export function triggerUrl(n8n: string, { nodes }: Pick<NewWorkflow, 'nodes'>): string | undefined {
	const trigger = nodes.find(({ type }) => type === TRIGGER_TYPE);
	return trigger?.webhookId && `${n8n}/webhook/${trigger.webhookId}/webhook`;
}

/** The Production URL of a workflow's form. */
export function formUrl(n8n: string, { nodes }: Pick<NewWorkflow, 'nodes'>): string | undefined {
	const form = nodes.find(({ type }) => type.endsWith('.formTrigger'));
	const path = (form?.parameters.options as { path?: string } | undefined)?.path;
	return path && `${n8n}/form/${path}`;
}

/** The same workflow with what the user writes into it. */
export function filledIn(
	workflow: NewWorkflow,
	given: Partial<Record<keyof typeof PLACES, string>>,
): NewWorkflow {
	const text = Object.entries(given).reduce(
		(json, [place, value]) => json.replaceAll(PLACES[place as keyof typeof PLACES], value),
		JSON.stringify(workflow),
	);
	return JSON.parse(text) as NewWorkflow;
}

/** The credential that each kind of node needs. */
const CREDENTIAL_TYPES: Readonly<Record<string, string>> = {
	[`${PACKAGE}unifiedPayments`]: 'unifiedPaymentsApi',
	[`${PACKAGE}unifiedPaymentsTool`]: 'unifiedPaymentsApi',
	[TRIGGER_TYPE]: 'unifiedPaymentsApi',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.twilio': 'twilioApi',
	'n8n-nodes-base.whatsApp': 'whatsAppApi',
	'n8n-nodes-base.postgres': 'postgres',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

function selectCredential(node: INode, credentials: readonly SavedCredential[]): INode {
	const selected = credentials.find(({ type }) => type === CREDENTIAL_TYPES[node.type]);
	if (selected === undefined) return node;
	const { id, name, type } = selected;
	return { ...node, credentials: { [type]: { id, name } } };
}
