import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { launchBrowser, openPage } from '../../helpers/browser.mts';
import { collect, createLink, post } from './client.mts';

jest.setTimeout(120_000);

let browser: Browser;
let sandbox: Sandbox;
let links: string[];

beforeAll(async () => {
	[browser, sandbox] = await Promise.all([
		launchBrowser(),
		startSandbox({ mode: 'rich', settleDelayMs: Infinity, callbackRetry: { firstDelayMs: 10 } }),
	]);
	const outcomes = [null, 'success', 'failed', 'cancelled'];
	links = [];
	for (const outcome of outcomes) {
		const { link, reference } = await createLink(sandbox, {
			redirection_url: 'http://127.0.0.1:9/',
			callback_url: 'http://127.0.0.1:9/',
		});
		links.push(link);
		if (outcome === null) continue;
		await fetch(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ outcome }),
		});
	}
	await collect(sandbox);
	await post(sandbox, '/api/v3/payment-link-api/create', {}, { title: 'demo shop' });
	sandbox.faults.add({ kind: 'latency', nth: 1000 });
});

afterAll(async () => {
	await browser?.close();
	await sandbox?.close();
});

/** Every text on the page whose contrast with the colour behind it is below WCAG 2.2 AA. */
async function faintTexts(page: Page): Promise<string[]> {
	// Axe cannot decide about a text on a gradient; without it, the colour below counts.
	await page.addStyleTag({ content: '* { background-image: none !important; }' });
	const axe = new AxeBuilder({ page }).setLegacyMode().withRules('color-contrast');
	const { violations, incomplete } = await axe.analyze();
	return [...violations, ...incomplete].flatMap(({ nodes }) =>
		nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
	);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
	it('every text of the dashboard has the contrast of WCAG AA', async () => {
		const { page, context } = await openPage(browser, sandbox.url, { colorScheme });
		await page.locator('.rows button').first().waitFor();
		for (const tab of [
			'Requests',
			'Links',
			'Transactions',
			'Callbacks',
			'Balances',
			'Quick start',
		]) {
			await page.getByRole('tab', { name: tab }).click();
			expect([tab, await faintTexts(page)]).toEqual([tab, []]);
			if ((await page.locator('.rows button').count()) === 0) continue;
			await page.locator('.rows button').first().click();
			await page.locator('#detail[open]').waitFor();
			expect([tab, await faintTexts(page)]).toEqual([tab, []]);
		}
		await context.close();
	});

	it('every text of the payment page has it, in every state of a link', async () => {
		for (const link of [...links, `${sandbox.url}/pay/unknown`]) {
			const { page, context } = await openPage(browser, link, { colorScheme });
			await page.locator('form, .result').waitFor();
			expect([link, await faintTexts(page)]).toEqual([link, []]);
			await context.close();
		}
	});
});

/** How much of the page jumped while it loaded. */
async function layoutShift(url: string, ready: string, width: number): Promise<number> {
	const { page, context } = await openPage(browser, 'about:blank', {
		viewport: { width, height: 800 },
	});
	await page.addInitScript(`
		window.shift = 0;
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) window.shift += entry.value;
		}).observe({ type: 'layout-shift', buffered: true });
	`);
	await page.goto(url);
	await page.locator(ready).first().waitFor();
	// Two frames, so that the observer has seen the last one.
	await page.evaluate(
		'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
	);
	const shift = (await page.evaluate('window.shift')) as number;
	await context.close();
	return shift;
}

describe.each([1280, 390])('at a width of %d', (width) => {
	it('nothing jumps while a page loads', async () => {
		expect(await layoutShift(`${sandbox.url}/#requests`, '.rows button', width)).toBeLessThan(0.05);
		expect(await layoutShift(links[0] ?? '', 'form', width)).toBeLessThan(0.05);
	});
});
