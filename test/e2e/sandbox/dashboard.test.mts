import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { launchBrowser, openPage, PHONE, type OpenPage } from '../../helpers/browser.mts';
import { balance, collect, createLink, first, post } from './client.mts';
import { eventually, openShop, type Shop } from './shop.mts';

jest.setTimeout(60_000);

let browser: Browser;
let sandbox: Sandbox;
let shop: Shop;
const opened: OpenPage[] = [];

beforeAll(async () => {
	[browser, sandbox, shop] = await Promise.all([
		launchBrowser(),
		startSandbox({
			mode: 'rich',
			settleDelayMs: Infinity,
			callbackRetry: { attempts: 2, firstDelayMs: 20 },
		}),
		openShop(),
	]);
});

afterAll(async () => {
	await browser?.close();
	await sandbox?.close();
	await shop?.close();
});

beforeEach(() => {
	sandbox.reset();
	shop.callbacks.length = 0;
	shop.answerNext.length = 0;
});

/** Whatever a test did, the page reported no error and loaded nothing from elsewhere. */
afterEach(async () => {
	const pages = opened.splice(0);
	await Promise.all(pages.map(({ context }) => context.close()));
	for (const { problems, origins } of pages) {
		expect(problems).toEqual([]);
		expect([...origins]).toEqual([sandbox.url]);
	}
});

async function open(hash = '', options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
	const result = await openPage(browser, `${sandbox.url}/${hash}`, options);
	opened.push(result);
	await result.page.locator('#live[data-state=live]').waitFor();
	await result.page.locator('.tile .rest > *').first().waitFor();
	return result.page;
}

const row = (page: Page, text: string | RegExp) =>
	page.locator('.rows button').filter({ hasText: text });
const detail = (page: Page) => page.locator('#detail[open]');
const flat = (text: string) => text.replace(/\s+/g, ' ');
const overflow = (page: Page) =>
	page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

describe('before the first request', () => {
	it('teaches: the credentials, and an example that works when it is pasted', async () => {
		const page = await open();
		expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Quick start');
		expect(await page.locator('.values').innerText()).toContain(first(sandbox).clientId);

		const example = await page.getByLabel('curl example').innerText();
		const { stdout } = await promisify(execFile)('bash', ['-c', example]);
		expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { link: expect.any(String) } });

		await page.getByRole('tab', { name: 'Links' }).click();
		expect(flat(await row(page, 'Beans, 1 kg').innerText())).toContain('Ksh 2,500.00');
	});

	it('copies the example', async () => {
		const page = await open('#start', { permissions: ['clipboard-read', 'clipboard-write'] });
		await page.getByRole('button', { name: 'Copy example' }).click();
		await page.getByRole('button', { name: 'Copied' }).waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
			await page.getByLabel('curl example').textContent(),
		);
	});

	it.each([
		['requests', 'Waiting for the first request'],
		['links', 'No payment links yet'],
		['transactions', 'No transactions yet'],
		['callbacks', 'No callbacks yet'],
	])('says under #%s what will be there', async (tab, title) => {
		const page = await open(`#${tab}`);
		await page.getByRole('heading', { name: title }).waitFor();
	});
});

describe('a transaction', () => {
	it('appears as it happens and is settled by hand, and everything that follows shows', async () => {
		const page = await open('#transactions');
		await collect(sandbox, { callback_url: shop.callbackUrl });
		const reference = sandbox.state.transactions[0]?.ref ?? '';
		await row(page, reference).click();
		await detail(page).getByRole('heading', { name: reference }).waitFor();
		expect(flat(await detail(page).innerText())).toContain('Your reference 1 order-17');
		expect(await detail(page).locator('.step').count()).toBe(1);

		const before = balance(sandbox) ?? 0;
		// The shop is down once, then up: the callback needs two attempts.
		shop.answerNext.push(503);
		await detail(page).getByRole('button', { name: 'Settle as success' }).click();
		await detail(page).locator('.step', { hasText: 'success' }).waitFor();
		expect(
			await detail(page)
				.getByRole('button', { name: /Settle/ })
				.count(),
		).toBe(0);
		expect(sandbox.state.transactions[0]?.status).toBe('success');
		expect(balance(sandbox)).toBeGreaterThan(before);
		expect(flat(await row(page, reference).innerText())).toContain('Success');

		await detail(page).locator('.mini a', { hasText: '2 attempts' }).click();
		await detail(page)
			.getByRole('heading', { name: `Callback for ${reference}` })
			.waitFor();
		expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('Callbacks');
		const attempts = await detail(page).locator('.step').allInnerTexts();
		expect(attempts.map(flat)).toEqual([
			expect.stringContaining('Attempt 1 503'),
			expect.stringContaining('Attempt 2 200'),
		]);
		expect(await detail(page).getByLabel('Callback body').innerText()).toContain(reference);
		expect(flat(await row(page, reference).innerText())).toMatch(/Delivered.*2 attempts/);
		expect(shop.callbacks).toHaveLength(2);

		await detail(page).getByRole('button', { name: 'Send again' }).click();
		await detail(page).locator('.step', { hasText: 'Attempt 3' }).waitFor();
		await eventually('the third delivery', () => shop.callbacks.length === 3);

		await page.getByRole('tab', { name: 'Balances' }).click();
		const wallet = page.locator('.owner').first().locator('.wallet', { hasText: 'KES' });
		expect(flat(await wallet.innerText())).toContain(
			(balance(sandbox) ?? 0).toLocaleString('en', { minimumFractionDigits: 2 }),
		);
	});

	it('can be settled as failed, with the reason shown', async () => {
		const page = await open('#transactions');
		await collect(sandbox);
		const reference = sandbox.state.transactions[0]?.ref ?? '';
		await row(page, reference).click();
		await detail(page).getByRole('button', { name: 'Settle as failed' }).click();
		await detail(page).locator('.verdict-card', { hasText: 'The payment was declined' }).waitFor();
		expect(sandbox.state.transactions[0]?.status).toBe('failed');
		expect(flat(await detail(page).innerText())).toContain('No callback_url was given');
	});

	it('made on the payment page shows here, and from its link', async () => {
		const page = await open('#links');
		const { reference } = await createLink(sandbox);
		await row(page, 'Open').waitFor();
		await fetch(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"outcome":"success"}',
		});
		await row(page, 'Paid').click();
		expect(
			await detail(page).getByRole('link', { name: 'Open payment page' }).getAttribute('href'),
		).toBe(`${sandbox.url}/pay/${reference}`);
		await detail(page).locator('.facts a', { hasText: reference }).click();
		await detail(page).locator('.step', { hasText: 'success' }).waitFor();
		expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('Transactions');
	});

	it('whose callback nobody takes shows the error of every attempt', async () => {
		const page = await open('#callbacks');
		await collect(sandbox, { callback_url: 'http://127.0.0.1:9/nobody', amount: 990200 });
		await row(page, 'Failed').click();
		const attempts = await detail(page).locator('.step').allInnerTexts();
		expect(attempts).toHaveLength(2);
		for (const attempt of attempts) expect(attempt).toContain('ECONNREFUSED');
	});
});

describe('an order', () => {
	const marked = (order: string, code = 'x'.repeat(16)) =>
		`${shop.callbackUrl}?upo=1${order}.250000KESnode.${code}`;

	it('is shown with its request, its link, its payment and its callback, and found by its name', async () => {
		const { reference } = await createLink(sandbox, { callback_url: marked('A-1001') });
		await createLink(sandbox, { callback_url: marked('A-1002') });
		await fetch(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"outcome":"success"}',
		});
		await eventually('the callback', () => shop.callbacks.length === 1);
		const page = await open('#requests');
		for (const [tab, rows] of [
			['Requests', 2],
			['Links', 2],
			['Transactions', 1],
			['Callbacks', 1],
		] as const) {
			await page.getByRole('tab', { name: tab }).click();
			await row(page, 'Order A-1001').waitFor();
			expect(await page.locator('.rows button').count()).toBe(rows);
			await page.getByRole('searchbox').fill('a-1001');
			expect(await page.locator('.rows button').count()).toBe(1);
			await row(page, 'Order A-1001').click();
			expect(flat(await detail(page).innerText())).toMatch(/(Order|Reference) A-1001/);
			await page.keyboard.press('Escape');
		}
	});

	it('whose code nobody with the secret key made is called so', async () => {
		await createLink(sandbox, { callback_url: marked('A-1001') });
		const page = await open('#links');
		await row(page, 'Order A-1001').click();
		expect(flat(await detail(page).innerText())).toContain(
			'Asked for Ksh 2,500.00 Code does not hold',
		);
	});

	it('is shown as the text it is', async () => {
		const attack = Buffer.from('<img src=x onerror=alert(1)>').toString('base64url');
		await createLink(sandbox, { callback_url: `${shop.callbackUrl}?upo=2${attack}.1KESnode.x` });
		const page = await open('#links');
		await row(page, 'Order <img src=x onerror=alert(1)>').click();
		expect(await page.locator('main img').count()).toBe(0);
	});
});

describe('a signature', () => {
	const refused = (page: Page) => row(page, 'Refused');

	it('that is right is called verified', async () => {
		const page = await open('#requests');
		await createLink(sandbox);
		await row(page, 'Verified').click();
		expect(flat(await row(page, 'Verified').innerText())).toContain(
			'/api/v3/payment-link-api/create',
		);
		expect(await detail(page).locator('mark').count()).toBe(0);
		expect(await detail(page).locator('.summary').innerText()).toBe(
			'Your client signed exactly the expected text.',
		);
		expect(await detail(page).innerText()).not.toContain('another text');
		const [expected, received] = await detail(page).locator('.signed').allInnerTexts();
		expect(expected).toBe(received);
	});

	it('over a wrong sender is explained, with the difference marked in both texts', async () => {
		const page = await open('#requests');
		const { title, clientId } = first(sandbox);
		await post(sandbox, '/api/v3/payment-link-api/create', {}, { title: title.toLowerCase() });
		await refused(page).click();

		const text = flat(await detail(page).innerText());
		expect(text).toContain('unknown_sender');
		expect(text).toContain(`differs from the integration's title "${title}" in case`);
		const sides = detail(page).locator('.pair').first();
		expect(await sides.locator('.expected .signed').innerText()).toContain(`${clientId}|${title}|`);
		expect(await sides.locator('.received .signed').innerText()).toContain(
			`${clientId}|${title.toLowerCase()}|`,
		);
		expect(await sides.locator('.expected mark').allInnerTexts()).toEqual(['D', 'S']);
		expect(await sides.locator('.received mark').allInnerTexts()).toEqual(['d', 's']);
	});

	it('with a wrong key says that the texts agree, and shows both signatures', async () => {
		const page = await open('#requests');
		await post(sandbox, '/api/v3/payment-link-api/create', {}, { secretKey: 'wrong' });
		await refused(page).click();

		expect(flat(await detail(page).innerText())).toContain('signature_mismatch');
		expect(await detail(page).locator('.summary').innerText()).toContain(
			'exactly the expected text',
		);
		expect(await detail(page).locator('.explanation').innerText()).not.toBe('');
		const verdict = sandbox.state.requests[0]?.verdict;
		const signatures = await detail(page)
			.locator('.pair')
			.nth(1)
			.locator('.signed')
			.allInnerTexts();
		expect(signatures).toEqual([verdict?.expectedSignature, verdict?.receivedSignature]);
		expect(signatures[0]).not.toBe(signatures[1]);
	});

	it('can be filtered for', async () => {
		const page = await open('#requests');
		await createLink(sandbox);
		await post(sandbox, '/api/v3/payment-link-api/create', {}, { secretKey: 'wrong' });
		await refused(page).waitFor();
		expect(await page.locator('.rows button').count()).toBe(2);
		await page.getByRole('button', { name: 'Refused', exact: true }).click();
		expect(await page.locator('.rows button').count()).toBe(1);
		await page.getByRole('searchbox').fill('no such path');
		await page.getByText('Nothing here matches').waitFor();
	});
});

describe('the page itself', () => {
	it('counts at a glance', async () => {
		await createLink(sandbox);
		const paid = await createLink(sandbox);
		await fetch(`${sandbox.url}/sandbox/links/${paid.reference}/pay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"outcome":"success"}',
		});
		const page = await open();
		const tile = async (name: string) =>
			flat(await page.locator('.tile').filter({ hasText: name }).innerText());
		expect(await tile('Payment links')).toBe('Payment links 2 1 paid 1 open');
		expect(await tile('Transactions')).toBe('Transactions 1 1 success');
		expect(await tile('ledger')).toContain('Accepted in ledger 2');
		expect(await tile('Wallets')).toContain('KES 1');

		await collect(sandbox);
		await page.locator('.tile', { hasText: 'ledger' }).getByText('3', { exact: true }).waitFor();
		expect(await tile('Transactions')).toBe('Transactions 2 1 success 1 pending');
	});

	it('shows an attack as the text it is, in lists and details', async () => {
		const attack = '<img src=x onerror="document.title=\'owned\'">';
		await createLink(sandbox, { business_name: attack, item_name: attack, email: attack });
		await post(sandbox, '/api/v3/payment-link-api/create', { a: attack }, { title: attack });
		const page = await open('#links');
		await row(page, attack).click();
		expect(await detail(page).getByRole('heading', { level: 2 }).innerText()).toBe(attack);
		await page.getByRole('tab', { name: 'Requests' }).click();
		await row(page, 'Refused').click();
		expect(await detail(page).innerText()).toContain(attack);
		expect(await page.locator('main img, main script').count()).toBe(0);
		expect(await page.title()).toBe('Unified Payments sandbox');
	});

	it('is worked with the keyboard alone', async () => {
		await createLink(sandbox, { item_name: 'First' });
		await createLink(sandbox, { item_name: 'Second' });
		const page = await open('#requests');
		const focused = () => page.locator(':focus');

		await page.getByRole('tab', { selected: true }).focus();
		await page.keyboard.press('ArrowRight');
		expect(await focused().innerText()).toContain('Links');
		await page.keyboard.press('End');
		expect(await focused().innerText()).toBe('Quick start');
		await page.keyboard.press('ArrowRight');
		expect(await focused().innerText()).toContain('Requests');
		await page.keyboard.press('ArrowRight');

		await row(page, 'Second').focus();
		await page.keyboard.press('ArrowDown');
		expect(await focused().innerText()).toContain('First');
		await page.keyboard.press('Enter');
		await detail(page).waitFor();
		expect(await focused().innerText()).toBe('First');
		expect(await focused().getAttribute('id')).toBe('detail-title');
		await page.keyboard.press('Escape');
		await detail(page).waitFor({ state: 'hidden' });
		expect(await focused().innerText()).toContain('First');
		expect(await focused().getAttribute('class')).toBe('row');
	});

	it('opens at an address, and closing it leads to its row', async () => {
		const { reference } = await createLink(sandbox, { item_name: 'First' });
		await createLink(sandbox, { item_name: 'Second' });
		const page = await open(`#links/${reference}`);
		await detail(page).getByRole('heading', { name: 'First' }).waitFor();
		await page.keyboard.press('Escape');
		await detail(page).waitFor({ state: 'hidden' });
		expect(await page.locator(':focus').innerText()).toContain('First');
		expect(new URL(page.url()).hash).toBe('#links');
	});

	it('is reset after asking', async () => {
		await createLink(sandbox);
		const page = await open('#links');
		await row(page, 'Beans').waitFor();
		await page.getByRole('button', { name: 'Reset' }).click();
		await page.getByRole('button', { name: 'Keep everything' }).click();
		expect(sandbox.state.links).toHaveLength(1);
		await page.getByRole('button', { name: 'Reset' }).click();
		await page.locator('#confirm').getByRole('button', { name: 'Reset' }).click();
		await page.getByRole('heading', { name: 'No payment links yet' }).waitFor();
		expect(sandbox.state.links).toEqual([]);
	});

	it('offers the switches in words, and what is chosen counts', async () => {
		const page = await open();
		const chip = page.locator('#mode');
		await page.getByRole('button', { name: 'rich mode', exact: true }).waitFor();
		await chip.click();
		const dialog = page.getByRole('dialog', { name: 'How the service behaves' });
		await dialog
			.getByLabel('Of a callback URL the service keeps')
			.selectOption('what is before the question mark');
		await page.getByText('rich mode, 1 switch changed').waitFor();
		await dialog.getByLabel('A link in the list has').selectOption('other names for everything');
		await page.getByText('rich mode, 2 switches changed').waitFor();
		expect(sandbox.switches).toEqual({
			mode: 'rich',
			listEntries: 'otherNames',
			records: 'callbackUrl',
			callbackUrls: 'noQuery',
			statusBy: 'ref',
		});
		await dialog.getByRole('button', { name: 'Done' }).click();
		await dialog.waitFor({ state: 'hidden' });
		// Whoever else changes one is seen as well.
		sandbox.change({ mode: 'spec', listEntries: 'callbackUrl' });
		await page.getByText('spec mode, 1 switch changed').waitFor();
	});

	it('says before a reset what it means for the rows that n8n remembers', async () => {
		const page = await open();
		await page.getByRole('button', { name: 'Reset' }).click();
		const words = flat(await page.locator('#confirm').innerText());
		expect(words).toContain('n8n is not reset with it.');
		expect(words).toContain('npm start -- --fresh resets both');
	});

	it('warns of faults and clears them', async () => {
		const page = await open();
		sandbox.faults.add({ kind: 'server-error', route: 'paymentLink.create' });
		await page.getByText('1 fault armed: server-error on paymentLink.create').waitFor();
		await page.getByRole('button', { name: 'Clear faults' }).click();
		await page.getByText('fault armed').waitFor({ state: 'hidden' });
		expect(sandbox.faults.list()).toEqual([]);
	});

	it('stays quick with thousands of rows: it draws a page of them', async () => {
		const page = await open('#links');
		const batch = Array.from({ length: 1500 }, (_, index) => `Item ${index}`);
		for (let at = 0; at < batch.length; at += 50)
			await Promise.all(
				batch.slice(at, at + 50).map((item_name) => createLink(sandbox, { item_name })),
			);
		await row(page, 'Item 1499').waitFor();
		await page.locator('#tab-links .badge', { hasText: '1,500' }).waitFor();
		expect(await page.locator('.rows button').count()).toBe(100);
		await page.getByRole('button', { name: /Show more/ }).click();
		expect(await page.locator('.rows button').count()).toBe(300);
		await page.getByRole('searchbox').fill('item 777');
		expect(await page.locator('.rows button').count()).toBe(1);
	});

	it('begins with what happened on a phone, and with the counts on a wide screen', async () => {
		await createLink(sandbox);
		const topOf = async (page: Page, part: string) =>
			(await page.locator(part).first().boundingBox())?.y ?? Infinity;
		const phone = await open('#requests', PHONE);
		await row(phone, 'create').first().waitFor();
		expect(await topOf(phone, '.rows button')).toBeLessThan(300);
		expect(await topOf(phone, '.tile')).toBeGreaterThan(await topOf(phone, '.rows button'));
		const desktop = await open('#requests');
		await row(desktop, 'create').first().waitFor();
		expect(await topOf(desktop, '.tile')).toBeLessThan(await topOf(desktop, '.rows button'));
	});

	it.each(['light', 'dark'] as const)(
		'fits a phone in %s, list and detail',
		async (colorScheme) => {
			await createLink(sandbox, { item_name: 'W'.repeat(120), callback_url: shop.callbackUrl });
			await collect(sandbox, { callback_url: shop.callbackUrl, amount: 990200 });
			await post(sandbox, '/api/v3/payment-link-api/create', {}, { title: 'W'.repeat(120) });
			const page = await open('', { ...PHONE, colorScheme });
			for (const tab of [
				'Requests',
				'Links',
				'Transactions',
				'Callbacks',
				'Balances',
				'Quick start',
			]) {
				await page.getByRole('tab', { name: tab }).tap();
				await page.locator('#panel :is(button, .wallet)').first().waitFor();
				expect([tab, await overflow(page)]).toEqual([tab, 0]);
				if ((await page.locator('.rows button').count()) === 0) continue;
				await page.locator('.rows button').first().tap();
				await detail(page).waitFor();
				const wide = await page.evaluate(
					"(() => { const { scrollWidth, clientWidth } = document.getElementById('detail'); return scrollWidth - clientWidth; })()",
				);
				expect([tab, wide]).toEqual([tab, 0]);
				await detail(page).getByRole('button', { name: 'Close' }).tap();
				await detail(page).waitFor({ state: 'hidden' });
			}
		},
	);
});

describe('when the sandbox restarts', () => {
	it('says so, and shows the new state when it is back', async () => {
		const before = await startSandbox({ mode: 'rich' });
		await createLink(before, { item_name: 'Before' });
		const { page, context, origins } = await openPage(browser, `${before.url}/#links`);
		await row(page, 'Before').waitFor();
		await before.close();
		await page.locator('#live', { hasText: 'Reconnecting' }).waitFor();

		const after = await startSandbox({ mode: 'rich', port: before.port });
		try {
			await createLink(after, { item_name: 'After' });
			await page.locator('#live', { hasText: 'Live' }).waitFor();
			await row(page, 'After').waitFor();
			expect(await row(page, 'Before').count()).toBe(0);
			expect([...origins]).toEqual([after.url]);
		} finally {
			await context.close();
			await after.close();
		}
	});
});
