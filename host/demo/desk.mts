import type { NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { readExample, reportingTo, triggerUrl } from './examples.mts';

/** The workflows of the payment desk, each after those that it calls or reports to. */
export const DESK = [
	'paid',
	'approve',
	'upload',
	'send-the-links',
	'chase',
	'close-of-day',
] as const;

export type DeskJob = (typeof DESK)[number];

/** What stands in these workflows where another one is to be chosen. */
const PLACE_OF_WORKFLOW = 'CHOOSE THE WORKFLOW ';

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
		const connected = calling([...imported.values()], reportingTo(callbacks, example));
		imported.set(job, await createWorkflow(change(connected, job)));
	}
	return Object.fromEntries(imported) as Record<DeskJob, SavedWorkflow>;
}

/** The same workflow with the workflows that it calls chosen. */
function calling(others: readonly SavedWorkflow[], workflow: NewWorkflow): NewWorkflow {
	const text = others.reduce(
		(all, { id, name }) => all.replaceAll(`${PLACE_OF_WORKFLOW}${name}`, id),
		JSON.stringify(workflow),
	);
	return JSON.parse(text) as NewWorkflow;
}
