/**
 * Takes the pictures of the README and the docs: `npm run screenshots`, or some of them with
 * `npm run screenshots -- dashboard payment-page`. To add one, add a scene.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import { startSandbox } from '../../sandbox/index.mts';
import { openShop } from '../../test/e2e/sandbox/shop.mts';
import { launchBrowser } from '../../test/helpers/browser.mts';
import { FOLDER, weigh } from './files.mts';
import { logo, playMorning, START } from './sampleData.mts';
import { DESKTOP, SCENES, usual, type Studio } from './scenes.mts';

async function takePictures(names: readonly string[]): Promise<void> {
	const unknown = names.filter((name) => !(name in SCENES));
	if (unknown.length > 0)
		throw new Error(
			`No scene is called ${unknown.join(', ')}; there are ${Object.keys(SCENES).join(', ')}.`,
		);
	await mkdir(FOLDER, { recursive: true });
	const clock = { now: START };
	const shop = await openShop();
	const sandbox = await startSandbox({
		mode: 'rich',
		errorStatus: 'http',
		settleDelayMs: Infinity,
		callbackRetry: { firstDelayMs: 5, factor: 1 },
		// Time passes a little with every look at it, so that nothing took no time.
		clock: () => (clock.now += 9),
	});
	const browser = await launchBrowser();
	try {
		const morning = await playMorning(sandbox, shop, clock, await logo(browser));
		const studio: Studio = {
			browser,
			sandbox,
			morning,
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
			async shoot(page, name) {
				const path = resolve(FOLDER, `${name}.png`);
				await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
				await page.context().close();
				await weigh(path);
			},
		};
		const wanted = names.length === 0 ? usual() : names;
		for (const [name, scene] of Object.entries(SCENES))
			if (wanted.includes(name)) await scene(studio);
	} finally {
		await browser.close();
		await sandbox.close();
		await shop.close();
	}
}

await takePictures(process.argv.slice(2));
