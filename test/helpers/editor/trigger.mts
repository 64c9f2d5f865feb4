import { join } from 'node:path';

import { OWNER } from '../../../host/n8n/index.mts';
import { Editor } from './editor.mts';
import type { PictureOptions } from '../../../tools/screenshots/editor.mts';

const NAME = 'Unified Payments';
const TRIGGER = 'Unified Payments Trigger';

const at = (editor: Editor, id: string) =>
	editor.page.locator(`[data-test-id="${id}"]`).filter({ visible: true });

/** Finds the trigger in the panel of an empty canvas; returns the triggers it offers. */
export async function findTrigger(editor: Editor): Promise<string[]> {
	await at(editor, 'canvas-add-button').click();
	await at(editor, 'node-creator-search-bar').fill(NAME);
	const names = at(editor, 'node-creator-item-name');
	await names.filter({ hasText: NAME }).first().click();
	await editor.page.getByText('Triggers (').waitFor();
	// What was found moves out while what it offers moves in.
	await names
		.filter({ hasText: new RegExp(`^\\s*${NAME}\\s*$`) })
		.first()
		.waitFor({ state: 'hidden' });
	return await names.allInnerTexts();
}

/** Adds the trigger to an empty canvas; it is open then. */
export async function addTrigger(editor: Editor): Promise<void> {
	const [first] = await findTrigger(editor);
	await at(editor, 'node-creator-item-name').filter({ hasText: first }).click();
	await editor.panel.waitFor();
}

/** The names of the trigger's outputs on the canvas, from top to bottom. */
export async function outputNames(editor: Editor): Promise<string[]> {
	const node = at(editor, 'canvas-node').filter({ hasText: TRIGGER });
	const handles = node.locator('[data-test-id="canvas-node-output-handle"]');
	return (await handles.allInnerTexts()).map((name) => name.trim());
}

/** Unfolds the addresses of the open trigger; returns that of a test or of production. */
export async function addressShown(editor: Editor, kind: 'Test' | 'Production'): Promise<string> {
	// Our own words in the panel name the addresses, too.
	const section = editor.page.locator('.webhooks');
	const choice = section.getByText(`${kind} URL`, { exact: true });
	if (!(await choice.first().isVisible())) await section.locator('.headline').click();
	await choice.first().click();
	const folder = kind === 'Test' ? '/webhook-test/' : '/webhook/';
	const shown = section.locator('.webhook-url').filter({ hasText: folder });
	return (await shown.first().innerText()).trim();
}

/** Lets the open trigger listen; resolves when it does. */
export async function listen(editor: Editor): Promise<void> {
	await at(editor, 'trigger-execute-button').click();
	await editor.page.getByText('Stop Listening').first().waitFor();
}

/** Takes pictures of the trigger in n8n's editor, and returns their paths. */
export async function takeTriggerPictures({
	browser,
	demo,
	folder,
}: PictureOptions): Promise<string[]> {
	const editor = await Editor.signIn(browser, demo.host.url, OWNER);
	const taken: string[] = [];
	const take = async (name: string) => {
		const file = join(folder, `editor-trigger-${name}.png`);
		await editor.picture(file);
		taken.push(file);
	};
	try {
		await editor.newWorkflow();
		await addTrigger(editor);
		await addressShown(editor, 'Production');
		await take('panel');
		await editor.theme('dark');
		await take('panel-dark');
		await editor.theme('light');
		await editor.closeNode();
		await editor.fit(1400, 700);
		await take('canvas');
	} finally {
		await editor.close();
	}
	return taken;
}
