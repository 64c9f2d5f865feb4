import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { readExample, reportingTo, triggerUrl } from './examples.mts';

/** The workflows of the payment desk, each after the one that it reports to. */
export const DESK = ['payments', 'links'] as const;

export type DeskJob = (typeof DESK)[number];

interface DeskOptions {
	/** The address of n8n. */
	url: string;
	credentials: readonly SavedCredential[];
	createWorkflow: (workflow: NewWorkflow) => Promise<SavedWorkflow>;
	/** What the user changes in a workflow before it is saved. */
	change?: (workflow: NewWorkflow, job: DeskJob) => NewWorkflow;
}

/** Imports the payment desk with its parts connected to each other, as its notes say. */
export async function importDesk({
	url,
	credentials,
	createWorkflow,
	change = (workflow) => workflow,
}: DeskOptions): Promise<Record<DeskJob, SavedWorkflow>> {
	const imported = new Map<DeskJob, SavedWorkflow>();
	let callbacks: string | undefined;
	for (const job of DESK) {
		const example = await readExample(`desk/${job}.json`, credentials);
		callbacks = triggerUrl(url, example) ?? callbacks;
		imported.set(job, await createWorkflow(change(reportingTo(callbacks, example), job)));
	}
	return Object.fromEntries(imported) as Record<DeskJob, SavedWorkflow>;
}
