/** What the last step of the publishing workflow runs, so that it can be rehearsed as it stands. */
export function publishingStep(workflow: string): string {
	const step = /^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(workflow)?.[1];
	if (step === undefined) throw new Error('The publishing workflow has no step that publishes');
	return step.replace(/^ {10}/gm, '');
}
