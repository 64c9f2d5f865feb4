import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { readExamples, reportingTo, triggerUrl } from './examples.mts';
import { firstSteps } from './firstSteps.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';
export const ALERTS = 'Status alerts to Slack';

/** What both clients of n8n can do: the editor's and the public API's. */
interface N8n {
	credentials: () => Promise<SavedCredential[]>;
	createCredential: (
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	) => Promise<SavedCredential>;
	updateCredential: (
		credential: SavedCredential,
		data: ICredentialDataDecryptedObject,
	) => Promise<void>;
	workflows: () => Promise<SavedWorkflow[]>;
	workflow: (workflow: SavedWorkflow) => Promise<Pick<NewWorkflow, 'nodes'>>;
	createWorkflow: (workflow: NewWorkflow) => Promise<SavedWorkflow>;
}

interface ImportOptions {
	/** The address of n8n. */
	url: string;
	/** The fields of this package's credential. */
	sandbox: ICredentialDataDecryptedObject;
	/** The fields of the Slack credential, if there is a Slack. */
	slack?: ICredentialDataDecryptedObject;
	/** The page with the messages to Slack. */
	slackUrl?: string;
}

export interface ImportedExamples {
	credential: SavedCredential;
	/** A small workflow for the first click. */
	workflow: SavedWorkflow;
	/** The workflows of the examples folder. */
	examples: SavedWorkflow[];
	/** Those of all these workflows that were not there before. */
	added: SavedWorkflow[];
	/** Where the alerts listen, once they are published. */
	alertsUrl: string | undefined;
}

/** Creates the credentials and workflows; workflows that are there already stay as they are. */
export async function importExamples(n8n: N8n, options: ImportOptions): Promise<ImportedExamples> {
	const credential = await saveCredential(n8n, 'Sandbox', CREDENTIAL_TYPE, options.sandbox);
	const credentials = [credential];
	if (options.slack) {
		credentials.push(await saveCredential(n8n, 'Slack stand-in', 'slackApi', options.slack));
	}
	const existing = await n8n.workflows();
	const added: SavedWorkflow[] = [];
	const importWorkflow = async (workflow: NewWorkflow) => {
		const found = existing.find(({ name }) => name === workflow.name);
		if (found) return found;
		const created = await n8n.createWorkflow(workflow);
		added.push(created);
		return created;
	};
	const read = await readExamples(credentials);
	const alerts = await importWorkflow(read.find(({ name }) => name === ALERTS)!);
	const alertsUrl = triggerUrl(options.url, await n8n.workflow(alerts));
	const workflow = await importWorkflow(
		firstSteps({
			credential,
			callbackUrl: options.slack ? alertsUrl : undefined,
			messagesUrl: options.slackUrl,
		}),
	);
	const examples: SavedWorkflow[] = [];
	for (const example of read) {
		// What has no trigger of its own reports to the alerts.
		const url = triggerUrl(options.url, example) ?? alertsUrl;
		const isAlerts = example.name === ALERTS;
		examples.push(isAlerts ? alerts : await importWorkflow(reportingTo(url, example)));
	}
	return { credential, workflow, examples, added, alertsUrl };
}

/** Updates a credential that is there already: the sandbox may have another address this time. */
export async function saveCredential(
	n8n: N8n,
	name: string,
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<SavedCredential> {
	const found = (await n8n.credentials()).find((each) => each.name === name && each.type === type);
	if (found === undefined) return await n8n.createCredential(name, type, data);
	await n8n.updateCredential(found, data);
	return found;
}
