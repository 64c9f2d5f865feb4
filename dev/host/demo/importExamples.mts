import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { filledIn, readExamples, triggerUrl } from './examples.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';
/** The workflow that the others report their payments to. */
export const MARKED = 'Paid, and marked in the sheet';
export const SHEET = 'Sheet to payment links';

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

export interface CredentialToSave {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

interface ImportOptions {
	/** The address of n8n. */
	url: string;
	/** The fields of this package's credential. */
	sandbox: ICredentialDataDecryptedObject;
	/** What else the examples need. */
	others?: readonly CredentialToSave[];
	/** What is changed in a workflow before it is saved. */
	change?: (workflow: NewWorkflow) => NewWorkflow;
}

export interface ImportedExamples {
	credential: SavedCredential;
	/** The workflow to begin with. */
	workflow: SavedWorkflow;
	/** All workflows of the examples folder. */
	examples: SavedWorkflow[];
	/** Those of them that were not there before. */
	added: SavedWorkflow[];
}

/** Creates the credentials and workflows; workflows that are there already stay as they are. */
export async function importExamples(
	n8n: N8n,
	{ url, sandbox, others = [], change = (workflow) => workflow }: ImportOptions,
): Promise<ImportedExamples> {
	const credential = await saveCredential(n8n, {
		name: 'Sandbox',
		type: CREDENTIAL_TYPE,
		data: sandbox,
	});
	const credentials = [credential];
	for (const other of others) credentials.push(await saveCredential(n8n, other));
	const existing = await n8n.workflows();
	const added: SavedWorkflow[] = [];
	const importWorkflow = async (workflow: NewWorkflow) => {
		const found = existing.find(({ name }) => name === workflow.name);
		if (found) return found;
		const created = await n8n.createWorkflow(change(workflow));
		added.push(created);
		return created;
	};
	const read = await readExamples(credentials);
	const own = read.find(({ name }) => name === MARKED)!;
	const marked = await importWorkflow(filledIn(own, { url: triggerUrl(url, own) }));
	const callbackUrl = triggerUrl(url, await n8n.workflow(marked));
	const examples: SavedWorkflow[] = [];
	for (const example of read) {
		const filled = filledIn(example, {
			url: triggerUrl(url, example) ?? callbackUrl,
			mobile: '0712 345678',
			email: 'amina@example.com',
		});
		examples.push(example.name === MARKED ? marked : await importWorkflow(filled));
	}
	const workflow = examples.find(({ name }) => name === SHEET)!;
	return { credential, workflow, examples, added };
}

/** Updates a credential that is there already: what it reaches may have another address this time. */
async function saveCredential(
	n8n: N8n,
	{ name, type, data }: CredentialToSave,
): Promise<SavedCredential> {
	const found = (await n8n.credentials()).find((each) => each.name === name && each.type === type);
	if (found === undefined) return await n8n.createCredential(name, type, data);
	await n8n.updateCredential(found, data);
	return found;
}
