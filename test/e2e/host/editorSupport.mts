import type { Browser } from 'playwright-core';

import type { Demo } from '../../../dev/host/demo/index.mts';
import { Editor } from '../../helpers/editor/editor.mts';
import { OWNER } from '../../../dev/host/n8n/index.mts';
import { launchBrowser } from '../../helpers/browser.mts';

/** One browser for all tests of a file, with the editor of the demo's n8n open in it. */
export function useEditor(demo: () => Demo): () => { browser: Browser; editor: Editor } {
	let browser: Browser | undefined;
	let editor: Editor | undefined;
	beforeAll(async () => {
		browser = await launchBrowser();
		editor = await Editor.signIn(browser, demo().host.url, OWNER);
	}, 240_000);
	afterAll(async () => await browser?.close());
	return () => {
		if (!browser || !editor) throw new Error('The browser has not been started');
		return { browser, editor };
	};
}
