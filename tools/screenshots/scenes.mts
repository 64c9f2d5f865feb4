import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startDemo } from '../../host/demo/index.mts';
import { takeExamplePictures } from './examples.mts';
import { takeEditorPictures } from './editor.mts';
import { buildIfStale, isInstalled } from '../../host/n8n/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { PHONE } from '../../test/helpers/browser.mts';
import { FOLDER, weigh } from './files.mts';
import type { Morning } from './sampleData.mts';

export interface Studio {
	browser: Browser;
	sandbox: Sandbox;
	morning: Morning;
	open(url: string, options?: BrowserContextOptions): Promise<Page>;
	/** Saves docs/images/<name>.png and closes the page. */
	shoot(page: Page, name: string): Promise<void>;
}

/** Opens what it wants to show, and names the file. */
type Scene = (studio: Studio) => Promise<void>;

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const SMALL: BrowserContextOptions = { ...PHONE, deviceScaleFactor: 2 };

export const SCENES: Record<string, Scene> = {
	async dashboard({ open, shoot, sandbox }) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await open(`${sandbox.url}/#requests`, { ...DESKTOP, colorScheme });
			await page.locator('.rows button').first().waitFor();
			await shoot(page, colorScheme === 'light' ? 'dashboard' : 'dashboard-dark');
		}
		const page = await open(`${sandbox.url}/#transactions`, SMALL);
		await page.locator('.rows button').first().waitFor();
		await shoot(page, 'dashboard-phone');
	},

	async signature({ open, shoot, sandbox }) {
		for (const [name, options] of [
			['signature', { ...DESKTOP, viewport: { width: 1280, height: 1000 } }],
			['signature-phone', SMALL],
		] as const) {
			const page = await open(`${sandbox.url}/#requests`, options);
			await page.locator('.rows button', { hasText: 'Refused' }).first().click();
			await page.locator('#detail mark').first().waitFor();
			await shoot(page, name);
		}
	},

	async callbacks({ open, shoot, sandbox }) {
		const page = await open(`${sandbox.url}/#callbacks`, DESKTOP);
		await page.locator('.rows button', { hasText: '3 attempts' }).click();
		await page.locator('#detail .step').first().waitFor();
		await shoot(page, 'callbacks');
	},

	async 'quick-start'({ open, shoot, sandbox }) {
		const page = await open(`${sandbox.url}/#start`, {
			...DESKTOP,
			viewport: { width: 1280, height: 1000 },
		});
		await page.locator('.magic li').first().waitFor();
		await shoot(page, 'quick-start');
	},

	async 'payment-page'({ open, shoot, morning }) {
		for (const [name, options, link] of [
			['payment-page', { ...DESKTOP, viewport: { width: 1280, height: 840 } }, morning.kenya],
			['payment-page-phone', { ...SMALL, viewport: { width: 390, height: 1030 } }, morning.kenya],
			['payment-page-phone-dark', { ...SMALL, colorScheme: 'dark' }, morning.ivoryCoast],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: /^Pay/ }).waitFor();
			await shoot(page, name);
		}
	},

	async 'payment-result'({ open, shoot, morning }) {
		for (const [name, options, link, button] of [
			['payment-received-phone', SMALL, morning.toPay, /^Pay/],
			['payment-failed-phone', SMALL, morning.toFail, 'Let it fail'],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: button }).click();
			await page.getByText(/Returning to/).waitFor();
			await shoot(page, name);
		}
	},

	async editor({ browser }) {
		await inN8n(async (demo) => await takeEditorPictures({ browser, demo, folder: FOLDER }));
	},

	async examples({ browser }) {
		await inN8n(async (demo) => await takeExamplePictures({ browser, demo, folder: FOLDER }));
	},
};

/** Takes pictures in an n8n of its own, with a sandbox of its own. */
async function inN8n(take: (demo: Awaited<ReturnType<typeof startDemo>>) => Promise<string[]>) {
	await buildIfStale();
	const demo = await startDemo({ report: console.log });
	try {
		for (const file of await take(demo)) await weigh(file);
	} finally {
		await demo.stop();
	}
}

/** Taken when no scene is named: all, but n8n is not installed for its pictures alone. */
export const usual = () =>
	Object.keys(SCENES).filter((name) => !['editor', 'examples'].includes(name) || isInstalled());
