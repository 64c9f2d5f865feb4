import type { Page } from 'playwright-core';
import { balance, collect } from './client.mts';
import { eventually } from './shop.mts';
import { flat, stage } from './stage.mts';

const on = stage({ settleDelayMs: Infinity, callbackRetry: { attempts: 2, firstDelayMs: 20 } });

async function open(hash = '', options: Parameters<typeof on.open>[1] = {}): Promise<Page> {
	const page = await on.open(`${on.sandbox.url}/${hash}`, options);
	await page.locator('#live[data-state=live]').waitFor();
	await page.locator('.tile .rest > *').first().waitFor();
	return page;
}

const rows = (page: Page) => page.locator('.rows button');
const row = (page: Page, hasText: string) => rows(page).filter({ hasText });
const detail = (page: Page) => page.locator('#detail[open]');
const detailText = async (page: Page) => flat(await detail(page).innerText());
const step = (page: Page, hasText: string) => detail(page).locator('.step', { hasText }).waitFor();
const selectedTab = (page: Page) => page.getByRole('tab', { selected: true });

it('a transaction appears as it happens and is settled by hand, and everything that follows shows', async () => {
	const { sandbox, shop } = on;
	const page = await open('#transactions');
	await collect(sandbox, { callback_url: shop.callbackUrl });
	const reference = sandbox.state.transactions[0]?.ref ?? '';
	await row(page, reference).click();
	expect(await detailText(page)).toContain('Your reference 1 order-17');

	// The shop is down once, then up: the callback needs two attempts.
	shop.answerNext.push(503);
	await detail(page).getByRole('button', { name: 'Settle as success' }).click();
	await step(page, 'success');
	expect(await detail(page).getByText('Settle').count()).toBe(0);
	expect(sandbox.state.transactions[0]?.status).toBe('success');
	expect(await row(page, reference).innerText()).toContain('Success');

	await detail(page).locator('.mini a', { hasText: '2 attempts' }).click();
	await detail(page)
		.getByRole('heading', { name: `Callback for ${reference}` })
		.waitFor();
	expect(await selectedTab(page).innerText()).toContain('Callbacks');
	expect((await detail(page).locator('.step').allInnerTexts()).map(flat)).toEqual([
		expect.stringContaining('Attempt 1 503'),
		expect.stringContaining('Attempt 2 200'),
	]);
	expect(await detail(page).getByLabel('Callback body').innerText()).toContain(reference);
	await detail(page).getByRole('button', { name: 'Send again' }).click();
	await step(page, 'Attempt 3');
	await eventually('the third delivery', () => shop.callbacks.length === 3);

	await page.getByRole('tab', { name: 'Balances' }).click();
	const wallet = page.locator('.owner').first().locator('.wallet', { hasText: 'KES' });
	expect(flat(await wallet.innerText())).toContain(
		(balance(sandbox) ?? 0).toLocaleString('en', { minimumFractionDigits: 2 }),
	);
});
