import type { Editor } from './editor.mts';

const NAME = 'Unified Payments';

const at = (editor: Editor, id: string) =>
	editor.page.locator(`[data-test-id="${id}"]`).filter({ visible: true });

/** Adds the trigger to an empty canvas and leaves it open. */
export async function addTrigger(editor: Editor): Promise<void> {
	await at(editor, 'canvas-add-button').click();
	await at(editor, 'node-creator-search-bar').fill(NAME);
	const names = at(editor, 'node-creator-item-name');
	await names.filter({ hasText: NAME }).first().click();
	await editor.page.getByText('Triggers (').waitFor();
	await names.filter({ hasText: 'On new Unified Payments event' }).click();
	await editor.panel.waitFor();
}

/** Unfolds the URLs of the open trigger and returns one of them. */
export async function addressShown(editor: Editor, kind: 'Test' | 'Production'): Promise<string> {
	// Our own texts in the panel also mention these URLs.
	const section = editor.page.locator('.webhooks');
	const choice = section.getByText(`${kind} URL`, { exact: true });
	if (!(await choice.first().isVisible())) await section.locator('.headline').click();
	await choice.first().click();
	const folder = kind === 'Test' ? '/webhook-test/' : '/webhook/';
	const shown = section.locator('.webhook-url').filter({ hasText: folder });
	return (await shown.first().innerText()).trim();
}

/** Presses "Listen for test event" and waits until the trigger listens. */
export async function listen(editor: Editor): Promise<void> {
	await at(editor, 'trigger-execute-button').click();
	await editor.page.getByText('Stop Listening').first().waitFor();
}
