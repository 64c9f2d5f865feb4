import { join } from 'node:path';

import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox, Switches } from '../../sandbox/index.mts';
import { startMessages } from '../messages/index.mts';
import type { Messages } from '../messages/index.mts';
import { FIVE_ORDERS } from '../messages/page.mts';
import { EXPRESSIONS_ON_DEMAND, startHost } from '../n8n/index.mts';
import type { Host, HostOptions, NewWorkflow, SavedWorkflow } from '../n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../n8n/release.mts';
import { withEnds } from '../shared/ends.mts';
import { formUrl } from './examples.mts';
import { importExamples, MARKED, SHEET } from './importExamples.mts';
import type { CredentialToSave, ImportedExamples } from './importExamples.mts';
import { sandboxCredential } from './sandboxCredential.mts';

interface DemoOptions extends HostOptions {
	/** By default a free one. */
	sandboxPort?: number;
	/** How the sandbox differs from the specification's samples. */
	switches?: Partial<Switches>;
	/** The port of the page with the messages; without it, n8n reaches the real mail, Slack, SMS and WhatsApp. */
	messagesPort?: number;
}

export interface Demo extends ImportedExamples {
	sandbox: Sandbox;
	host: Host;
	messages?: Messages;
	/** Where a sheet is uploaded. */
	formUrl: string;
	stop: () => Promise<void>;
}

/** Who may open the form. */
export const FORM_LOGIN = { user: 'demo', password: 'demo' };
export const FORM_CREDENTIAL: CredentialToSave = {
	name: 'Form',
	type: 'httpBasicAuth',
	data: FORM_LOGIN,
};

/**
 * Newer releases begin with a page about n8n's own assistant, and warn when they cannot ask n8n's servers
 * for more of its kind; older ones know no such setting.
 */
const withoutAssistant = (): Record<string, string> =>
	isAtLeast(N8N_VERSION) ? { N8N_DISABLED_MODULES: 'instance-ai,mcp-registry' } : {};

/** The examples that wait for somebody. */
const LISTENING = [SHEET, MARKED];

/** In n8n's own folder: whoever deletes what n8n remembers deletes what the others remember. */
const stateFileIn = (data: string | undefined, name: string) =>
	data === undefined ? undefined : join(data, '.n8n', name);

/** Starts the sandbox, and an n8n that has a credential for it and workflows to try. */
export async function startDemo({
	sandboxPort,
	messagesPort,
	switches,
	...options
}: DemoOptions = {}): Promise<Demo> {
	return await withEnds(async (ends) => {
		const messages =
			messagesPort === undefined
				? undefined
				: await startMessages({
						port: messagesPort,
						file: stateFileIn(options.data, 'messages.jsonl'),
					});
		if (messages) ends.push(messages.stop);
		let sandbox: Sandbox | undefined;
		const host = await startHost({
			...options,
			env: { ...EXPRESSIONS_ON_DEMAND, ...withoutAssistant(), ...messages?.env, ...options.env },
			beforeStart: async () => {
				const stateFile = stateFileIn(options.data, 'sandbox.jsonl') ?? null;
				const opened = await startSandbox({ ...switches, port: sandboxPort, stateFile });
				ends.push(async () => await opened.close());
				sandbox = opened;
			},
		});
		ends.push(host.stop);
		if (sandbox === undefined) throw new Error('The sandbox was not started.');
		const imported = await importExamples(host.client, {
			url: host.url,
			sandbox: sandboxCredential(sandbox),
			others: [FORM_CREDENTIAL, ...(messages?.credentials ?? [])],
			change: messages && ((workflow) => withSheet(workflow, messages.url)),
		});
		if (messages) await publishListening(host, imported.added);
		const form = formUrl(host.url, await host.client.workflow(imported.workflow)) ?? '';
		return { sandbox, host, messages, ...imported, formUrl: form };
	});
}

/** The form gives a sheet to try it with. */
function withSheet(workflow: NewWorkflow, messagesUrl: string): NewWorkflow {
	const nodes = workflow.nodes.map((node) => {
		if (!node.type.endsWith('.formTrigger')) return node;
		const link = `<a href="${messagesUrl}/${FIVE_ORDERS}" target="_blank">Download a sheet with five orders</a>`;
		const formDescription = `${String(node.parameters.formDescription)}\n\n${link}`;
		return { ...node, parameters: { ...node.parameters, formDescription } };
	});
	return { ...workflow, nodes };
}

/** Only those that are new: a user who switches one off wants it to stay off. */
async function publishListening({ client }: Host, added: SavedWorkflow[]): Promise<void> {
	for (const workflow of added) {
		if (LISTENING.includes(workflow.name)) await client.publish(workflow);
	}
}
