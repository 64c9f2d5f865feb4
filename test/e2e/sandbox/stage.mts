import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { launchBrowser, openPage, type OpenPage } from '../../helpers/browser.mts';
import { openShop, type Shop } from './shop.mts';

interface Stage {
	browser: Browser;
	sandbox: Sandbox;
	shop: Shop;
	/** Whatever happens on it, the page must report no error (unless told) and load nothing from elsewhere. */
	open(url: string, options?: Options): Promise<Page>;
}

interface Options extends BrowserContextOptions {
	inTrouble?: boolean;
}

/** A browser, a sandbox in rich mode and a shop for all tests of a file; each begins with both empty. */
export function stage(options: SandboxOptions = {}): Stage {
	jest.setTimeout(120_000);
	const opened: OpenPage[] = [];
	const parts = {
		open: async (url, { inTrouble = false, ...settings } = {}) => {
			const result = await openPage(parts.browser, url, settings);
			opened.push({ ...result, ...(inTrouble && { problems: [] }) });
			return result.page;
		},
	} as Stage;

	beforeAll(async () => {
		const sandbox = startSandbox({ mode: 'rich', callbackRetry: { firstDelayMs: 20 }, ...options });
		[parts.browser, parts.sandbox, parts.shop] = await Promise.all([
			launchBrowser(),
			sandbox,
			openShop(),
		]);
	});
	afterAll(() =>
		Promise.all([parts.browser, parts.sandbox, parts.shop].map((each) => each?.close())),
	);
	beforeEach(() => {
		parts.sandbox.reset();
		for (const list of [parts.shop.callbacks, parts.shop.visits, parts.shop.answerNext])
			list.length = 0;
	});
	afterEach(async () => {
		const pages = opened.splice(0);
		await Promise.all(pages.map(({ context }) => context.close()));
		for (const { problems, origins } of pages) {
			expect(problems).toEqual([]);
			const elsewhere = [...origins].filter(
				(origin) => ![parts.sandbox.url, parts.shop.origin].includes(origin),
			);
			expect(elsewhere).toEqual([]);
		}
	});
	return parts;
}

export const flat = (text: string) => text.replace(/\s+/g, ' ');
