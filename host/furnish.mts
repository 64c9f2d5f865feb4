import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
import { readExamples } from './examples.mts';
import { firstSteps } from './first-steps.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';
const CREDENTIAL_NAME = 'Sandbox';

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

export interface Furniture {
	credential: SavedCredential;
	/** Made for a first click, and for pictures. */
	workflow: SavedWorkflow;
	/** What is in the examples folder. */
	examples: SavedWorkflow[];
}

/** Puts in the credential and the workflows; those that are there already stay as they are. */
export async function furnish(
	n8n: Workshop,
	data: ICredentialDataDecryptedObject,
): Promise<Furniture> {
	const credential = await pointCredential(n8n, data);
	const there = await n8n.workflows();
	const ensure = async (wanted: NewWorkflow) =>
		there.find(({ name }) => name === wanted.name) ?? (await n8n.createWorkflow(wanted));
	const workflow = await ensure(firstSteps(credential));
	const examples: SavedWorkflow[] = [];
	for (const example of await readExamples(credential)) examples.push(await ensure(example));
	return { credential, workflow, examples };
}

/** The sandbox may be elsewhere than the last time. */
async function pointCredential(n8n: Workshop, data: ICredentialDataDecryptedObject) {
	const found = (await n8n.credentials()).find(
		({ name, type }) => name === CREDENTIAL_NAME && type === CREDENTIAL_TYPE,
	);
	if (found === undefined) {
		return await n8n.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	}
	await n8n.updateCredential(found, data);
	return found;
}
