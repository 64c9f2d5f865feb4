import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/client.mts';
import { readExamples } from './examples.mts';
import { firstSteps } from './firstSteps.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';

/** An n8n that credentials and workflows can be put into. */
export interface Workshop {
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

export interface Wanted {
	/** What to type into the credential of this package. */
	sandbox: ICredentialDataDecryptedObject;
	/** The same for Slack, where there is one. */
	slack?: ICredentialDataDecryptedObject;
	/** Where payments of the first workflow are reported to. */
	callbackUrl?: string;
}

export interface Furniture {
	credential: SavedCredential;
	/** Made for a first click, and for pictures. */
	workflow: SavedWorkflow;
	/** What is in the examples folder. */
	examples: SavedWorkflow[];
	/** Those that were not there before. */
	added: SavedWorkflow[];
}

/** Puts in credentials and workflows; workflows that are there already stay as they are. */
export async function furnish(n8n: Workshop, wanted: Wanted): Promise<Furniture> {
	const credential = await pointCredential(n8n, 'Sandbox', CREDENTIAL_TYPE, wanted.sandbox);
	const credentials = [credential];
	if (wanted.slack) {
		credentials.push(await pointCredential(n8n, 'Slack stand-in', 'slackApi', wanted.slack));
	}
	const there = await n8n.workflows();
	const added: SavedWorkflow[] = [];
	const ensure = async (workflow: NewWorkflow) => {
		const known = there.find(({ name }) => name === workflow.name);
		if (known) return known;
		const made = await n8n.createWorkflow(workflow);
		added.push(made);
		return made;
	};
	const workflow = await ensure(firstSteps(credential, wanted.callbackUrl));
	const examples: SavedWorkflow[] = [];
	for (const example of await readExamples(credentials)) examples.push(await ensure(example));
	return { credential, workflow, examples, added };
}

/** The sandbox may be elsewhere than the last time. */
async function pointCredential(
	n8n: Workshop,
	name: string,
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<SavedCredential> {
	const found = (await n8n.credentials()).find((each) => each.name === name && each.type === type);
	if (found === undefined) return await n8n.createCredential(name, type, data);
	await n8n.updateCredential(found, data);
	return found;
}
