import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startDemo, type Demo } from '../../host/demo/index.mts';
import { takeEditorScreenshots } from './editor.mts';
import { takeJobScreenshots } from './job.mts';
import { buildIfStale, isInstalled } from '../../host/n8n/index.mts';
import { freePort } from '../../host/shared/port.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { PHONE } from '../../../test/helpers/browser.mts';
import { checkSize, FOLDER } from './files.mts';
import type { OpenLinks } from './sampleData.mts';

/** What is needed to take screenshots. */
export interface Setup {
	browser: Browser;
	sandbox: Sandbox;
	links: OpenLinks;
	open(url: string, options?: BrowserContextOptions): Promise<Page>;
	/** Saves the page as docs/images/<name>.png and closes it. */
	save(page: Page, name: string): Promise<void>;
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const SMALL: BrowserContextOptions = { ...PHONE, deviceScaleFactor: 1.5 };

/** Each takes one or more screenshots. */
export const SCREENSHOTS: Record<string, (setup: Setup) => Promise<void>> = {
	async 'payment-page'({ open, save, links }) {
		for (const [name, options, link] of [
			['payment-page', { ...DESKTOP, viewport: { width: 1280, height: 840 } }, links.kenya],
			['payment-page-phone', { ...SMALL, viewport: { width: 390, height: 1030 } }, links.kenya],
			['payment-page-phone-dark', { ...SMALL, colorScheme: 'dark' }, links.ivoryCoast],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: /^Pay/ }).waitFor();
			await save(page, name);
		}
	},

	async 'payment-result'({ open, save, links }) {
		for (const [name, options, link, button] of [
			['payment-received-phone', SMALL, links.toPay, /^Pay/],
			['payment-failed-phone', SMALL, links.toFail, 'Let it fail'],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: button }).click();
			await page.getByText(/Returning to/).waitFor();
			await save(page, name);
		}
	},

	async editor({ browser }) {
		await inN8n(
			async (demo) => await takeEditorScreenshots({ browser, demo, folder: FOLDER }),
			await freePort(),
		);
	},

	async job({ browser }) {
		await inN8n(
			async (demo) => await takeJobScreenshots({ browser, demo, folder: FOLDER }),
			await freePort(),
		);
	},
};

/** Takes screenshots in a new n8n with a new sandbox. */
async function inN8n(take: (demo: Demo) => Promise<string[]>, messagesPort?: number) {
	await buildIfStale();
	const demo = await startDemo({ report: console.log, messagesPort });
	try {
		for (const file of await take(demo)) await checkSize(file);
	} finally {
		await demo.stop();
	}
}

/** What is taken by default: n8n is not installed just for its screenshots. */
export const defaultNames = () =>
	Object.keys(SCREENSHOTS).filter((name) => !['editor', 'job'].includes(name) || isInstalled());
