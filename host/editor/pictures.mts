import { join } from 'node:path';

import type { Browser, Locator } from 'playwright-core';

import type { Demo } from '../demo.mts';
import { OWNER } from '../index.mts';
import { Editor } from './editor.mts';

export interface PictureOptions {
	browser: Browser;
	demo: Demo;
	/** Where `editor-*.png` go, usually docs/images. */
	folder: string;
}

/** Takes pictures of the node in n8n's editor, and returns their paths. */
export async function takeEditorPictures({
	browser,
	demo,
	folder,
}: PictureOptions): Promise<string[]> {
	const editor = await Editor.signIn(browser, demo.host.url, OWNER);
	const taken: string[] = [];
	const take = async (name: string, part?: Locator) => {
		const file = join(folder, `editor-${name}.png`);
		await editor.picture(file, part);
		taken.push(file);
	};
	try {
		await editor.openWorkflow(idOf(demo, 'Sheet to payment links'));
		await editor.executeWorkflow();
		await editor.fit(1400, 700);
		await take('workflow');

		await editor.fit(1400, 900);
		await editor.openWorkflow(demo.workflow.id);
		await editor.openNode('Create payment link');
		await editor.executeStep();
		await take('node');
		await editor.theme('dark');
		await take('node-dark');
		await editor.theme('light');

		await editor.closeNode();
		await editor.findNode('Unified Payments');
		await take('actions');

		await editor.openCredential(demo.credential.name);
		await take('credential', editor.dialog);
	} finally {
		await editor.close();
	}
	return taken;
}

function idOf(demo: Demo, example: string): string {
	const found = demo.examples.find(({ name }) => name === example);
	if (found === undefined) throw new Error(`There is no example called '${example}'.`);
	return found.id;
}
