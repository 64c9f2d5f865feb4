import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { readExamples } from './examples.mts';
import { firstSteps } from './firstSteps.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';

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
	createWorkflow: (workflow: NewWorkflow) => Promise<SavedWorkflow>;
}

interface ImportOptions {
	/** The fields of this package's credential. */
	sandbox: ICredentialDataDecryptedObject;
	/** The fields of the Slack credential, if there is a Slack. */
	slack?: ICredentialDataDecryptedObject;
	/** Where payments of the first workflow are reported to. */
	callbackUrl?: string;
}

export interface ImportedExamples {
	credential: SavedCredential;
	/** A small workflow for the first click. */
	workflow: SavedWorkflow;
	/** The workflows of the examples folder. */
	examples: SavedWorkflow[];
	/** Those of all these workflows that were not there before. */
	added: SavedWorkflow[];
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
	const workflow = await importWorkflow(firstSteps(credential, options.callbackUrl));
	const examples: SavedWorkflow[] = [];
	for (const example of await readExamples(credentials)) {
		examples.push(await importWorkflow(example));
	}
	return { credential, workflow, examples, added };
}

/** Updates a credential that is there already: the sandbox may have another address this time. */
async function saveCredential(
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
