import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { collect, createLink, post } from './client.mts';
import { pay, stage } from './stage.mts';

const on = stage({ settleDelayMs: Infinity });

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

it.each(['light', 'dark'] as const)(
	'in %s, every text of all pages has the contrast of WCAG AA',
	async (colorScheme) => {
		const { sandbox } = on;
		const urls = { callback_url: 'http://127.0.0.1:9/', redirection_url: 'http://127.0.0.1:9/' };
		for (const outcome of [null, 'success', 'failed', 'cancelled']) {
			const { link, reference } = await createLink(sandbox, urls);
			if (outcome !== null) await pay(sandbox, reference, outcome);
			const page = await on.open(link, { colorScheme });
			await page.locator('form, .result').waitFor();
			expect([outcome, await faintTexts(page)]).toEqual([outcome, []]);
		}
		await collect(sandbox);
		await post(sandbox, '/api/v3/payment-link-api/create', {}, { title: 'demo shop' });
		sandbox.faults.add({ kind: 'latency', nth: 1000 });

		const page = await on.open(sandbox.url, { colorScheme });
		await page.locator('.rows button').first().waitFor();
		for (const tab of await page.getByRole('tab').all()) {
			await tab.click();
			expect([await tab.innerText(), await faintTexts(page)]).toEqual([expect.anything(), []]);
			if ((await page.locator('.rows button').count()) === 0) continue;
			await page.locator('.rows button').first().click();
			await page.locator('#detail[open]').waitFor();
			expect([await tab.innerText(), await faintTexts(page)]).toEqual([expect.anything(), []]);
		}
	},
);
