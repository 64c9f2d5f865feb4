/**
 * Takes the screenshots of the README and the docs: `npx tsx dev/tools/screenshots/main.mts`, or
 * some of them, by name: `… overview payment-page`. To add one, add it to `SCREENSHOTS`.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import { startSandbox } from '../../sandbox/index.mts';
import { openShop } from '../../../test/e2e/sandbox/shop.mts';
import { launchBrowser } from '../../../test/helpers/browser.mts';
import { checkSize, FOLDER } from './files.mts';
import { createSampleData, logo, START } from './sampleData.mts';
import { defaultNames, DESKTOP, SCREENSHOTS, type Setup } from './screenshots.mts';

async function takeScreenshots(names: readonly string[]): Promise<void> {
	const unknown = names.filter((name) => !(name in SCREENSHOTS));
	if (unknown.length > 0)
		throw new Error(
			`There is no screenshot called ${unknown.join(', ')}; there are ${Object.keys(SCREENSHOTS).join(', ')}.`,
		);
	await mkdir(FOLDER, { recursive: true });
	const clock = { now: START };
	const shop = await openShop();
	const sandbox = await startSandbox({
		errorStatus: 'http',
		settleDelayMs: Infinity,
		callbackRetry: { firstDelayMs: 5, factor: 1 },
		// The clock moves a little whenever it is read, so that every request takes some time.
		clock: () => (clock.now += 9),
	});
	const browser = await launchBrowser();
	try {
		const links = await createSampleData(sandbox, shop, clock, await logo(browser));
		const setup: Setup = {
			browser,
			sandbox,
			links,
			async open(url, options = DESKTOP) {
				const context = await browser.newContext({
					locale: 'en-GB',
					timezoneId: 'Africa/Nairobi',
					reducedMotion: 'reduce',
					...options,
				});
				const page = await context.newPage();
				await page.clock.setFixedTime(clock.now);
				await page.goto(url);
				return page;
			},
			async save(page, name) {
				const path = resolve(FOLDER, `${name}.png`);
				await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
				await page.context().close();
				await checkSize(path);
			},
		};
		const wanted = names.length === 0 ? defaultNames() : names;
		for (const [name, take] of Object.entries(SCREENSHOTS))
			if (wanted.includes(name)) await take(setup);
	} finally {
		await browser.close();
		await sandbox.close();
		await shop.close();
	}
}

await takeScreenshots(process.argv.slice(2));
