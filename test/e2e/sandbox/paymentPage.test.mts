import type { Browser, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { launchBrowser, openPage, PHONE, type OpenPage } from '../../helpers/browser.mts';
import { balance, createLink } from './client.mts';
import { eventually, openShop, type Shop } from './shop.mts';

jest.setTimeout(60_000);

let browser: Browser;
let sandbox: Sandbox;
let shop: Shop;
const opened: OpenPage[] = [];

beforeAll(async () => {
	[browser, sandbox, shop] = await Promise.all([
		launchBrowser(),
		startSandbox({ mode: 'rich', callbackRetry: { firstDelayMs: 20 } }),
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
	shop.visits.length = 0;
});

afterEach(async () => {
	await Promise.all(opened.splice(0).map(({ context }) => context.close()));
});

const open: typeof openPage = async (...args) => {
	const result = await openPage(...args);
	opened.push(result);
	return result;
};

const withShop = () => ({ callback_url: shop.callbackUrl, redirection_url: shop.thanksUrl });
const result = (page: Page) => page.locator('.result');
const pixel =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a link that is open', () => {
	it('shows who asks for what, with the details of the customer filled in', async () => {
		const { link, reference } = await createLink(sandbox);
		const { page, problems, origins } = await open(browser, link);
		await page.getByRole('heading', { name: 'Savanna Coffee' }).waitFor();

		const bill = (await page.locator('.bill').innerText()).replace(/\s+/g, ' ');
		expect(bill).toContain('Amount to pay Ksh 2,500.00');
		expect(bill).toContain('For Beans, 1 kg');
		expect(bill).toContain(`Reference ${reference}`);
		expect(await page.getByLabel('First name').inputValue()).toBe('Amina');
		expect(await page.getByLabel('Last name').inputValue()).toBe('Otieno');
		expect(await page.getByLabel('Email').inputValue()).toBe('amina@example.com');
		expect(await page.getByLabel('Mobile number').inputValue()).toBe('254712345678');
		expect(await page.locator('.method').allInnerTexts()).toEqual([
			'Till number',
			'Pay bill',
			'Bank transfer',
			'Send money',
		]);
		expect(await page.getByText('No money moves').isVisible()).toBe(true);
		expect(await page.locator('.badge').innerText()).toBe('SC');
		expect(problems).toEqual([]);
		expect([...origins]).toEqual([sandbox.url]);
	});

	it('writes amounts the way their currency is written', async () => {
		const { link } = await createLink(sandbox, { currency: 'XOF', country_id: 3, amount: '15000' });
		const { page } = await open(browser, link);
		const amount = await page.locator('.amount').innerText();
		expect(amount.replace(/\s/g, ' ')).toBe('F CFA 15,000');
	});

	it('shows the logo of the business', async () => {
		const { link } = await createLink(sandbox, { logo: pixel });
		const { page, problems } = await open(browser, link);
		await page.locator('.badge img').waitFor();
		expect(await page.locator('.badge img').getAttribute('src')).toBe(
			`data:image/png;base64,${pixel}`,
		);
		expect(await page.evaluate("document.querySelector('.badge img').naturalWidth")).toBe(1);
		expect(problems).toEqual([]);
	});

	it('falls back to initials when the logo is no picture', async () => {
		const { link } = await createLink(sandbox, {
			logo: Buffer.from('<script>alert(1)</script>').toString('base64'),
		});
		const { page } = await open(browser, link);
		await page.locator('.badge:has-text("SC")').waitFor();
		expect(await page.locator('.badge img').count()).toBe(0);
	});

	it('shows an attack in the business name as the text it is', async () => {
		const attack = '<img src=x onerror="document.title=\'owned\'"><script>1</script>';
		const { link } = await createLink(sandbox, {
			business_name: attack,
			item_name: attack,
			first_name: '"><img src=x>',
		});
		const { page, problems } = await open(browser, link);
		expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(attack);
		expect(await page.locator('main img, main script').count()).toBe(0);
		expect(await page.getByLabel('First name').inputValue()).toBe('"><img src=x>');
		expect(await page.title()).not.toBe('owned');
		expect(problems).toEqual([]);
	});

	it('asks for the mobile number a mobile payment needs, and not for a bank transfer', async () => {
		const { link, reference } = await createLink(sandbox, { phone: '' });
		const { page } = await open(browser, link);
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.locator('#phone-problem').waitFor();
		expect(await page.getByLabel('Mobile number').getAttribute('aria-invalid')).toBe('true');
		expect(await page.locator(':focus').getAttribute('id')).toBe('phone');
		expect(sandbox.state.transactions).toEqual([]);

		await page.getByRole('radio', { name: 'Bank transfer' }).check({ force: true });
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByRole('heading', { name: 'Payment received' }).waitFor();
		expect(sandbox.state.transactions).toMatchObject([
			{ ref: reference, payment_channel: 'Bank transfer' },
		]);
	});
});

it.each(['12', '254 71', 'Amina', '2547123456781234'])(
	'does not take %j for a mobile number',
	async (given) => {
		const { link } = await createLink(sandbox, { phone: '' });
		const { page } = await open(browser, link);
		await page.getByLabel('Mobile number').fill(given);
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByText('This is not a whole mobile number').first().waitFor();
		expect(await page.locator(':focus').getAttribute('id')).toBe('phone');
		expect(sandbox.state.transactions).toEqual([]);

		await page.getByLabel('Mobile number').fill('0712 345-678');
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByRole('heading', { name: 'Payment received' }).waitFor();
	},
);

describe('paying', () => {
	it('a part is shown as that, and not as the whole', async () => {
		const { link, reference } = await createLink(sandbox);
		const { page, problems } = await open(browser, link);
		await page.getByRole('button', { name: 'Another amount' }).click();
		for (const wrong of ['0', '2500.01', '1e3', 'half']) {
			await page.getByLabel('Amount', { exact: true }).fill(wrong);
			await page.getByRole('button', { name: /^Pay/ }).click();
			const problem = page.locator('.problem');
			expect(await problem.innerText()).toMatch(/^Enter an amount of at most Ksh.2,500\.00/);
		}
		await page.getByLabel('Amount', { exact: true }).fill('1000.50');
		await page.getByRole('button', { name: /^Pay Ksh.1,000\.50$/ }).click();

		await page.getByText('Part paid').waitFor();
		const total = await page.locator('.total .amount').innerText();
		expect(total.replace(/\s/g, ' ')).toBe('Ksh 1,000.50');
		expect(sandbox.state.transactions.map(({ ref, amount }) => [ref, amount])).toEqual([
			[reference, 1000.5],
		]);
		await page.reload();
		await page.getByRole('heading', { name: 'A part of this link is paid' }).waitFor();
		expect(problems).toEqual([]);
	});

	it('thanks, moves the wallet, calls back and brings the customer back to the shop', async () => {
		const before = balance(sandbox) ?? 0;
		const { link, reference } = await createLink(sandbox, withShop());
		const { page, problems, origins } = await open(browser, link);
		await page.getByRole('radio', { name: 'Send money' }).check({ force: true });
		await page.getByLabel('Mobile number').fill('254700000001');
		await page.getByRole('button', { name: 'Pay Ksh 2,500.00' }).click();

		await page.getByRole('heading', { name: 'Payment received' }).waitFor();
		expect(await result(page).getAttribute('data-state')).toBe('paid');
		expect(await page.getByRole('link', { name: 'Return now' }).getAttribute('href')).toContain(
			shop.thanksUrl,
		);
		expect(await page.getByRole('status').innerText()).toContain('Payment received');

		await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
		expect(shop.visits).toHaveLength(1);
		expect(Object.fromEntries(shop.visits[0]?.searchParams ?? [])).toEqual({
			order: '17',
			reference,
			status: 'paid',
		});

		const callback = await eventually('the callback', () => shop.callbacks[0]);
		expect(JSON.stringify(callback.body)).toContain(reference);
		expect(JSON.stringify(callback.body)).toContain('success');
		const [transaction] = sandbox.state.transactions;
		expect(transaction).toMatchObject({
			ref: reference,
			status: 'success',
			mobile: '254700000001',
			payment_channel: 'Send money',
		});
		expect(balance(sandbox)).toBe(before + 2500 - (transaction?.fee ?? 0));
		expect(problems).toEqual([]);
		expect([...origins].sort()).toEqual([sandbox.url, shop.origin].sort());
	});

	it('works with the keyboard alone', async () => {
		const { link, reference } = await createLink(sandbox);
		const { page } = await open(browser, link);
		await page.getByRole('button', { name: /^Pay/ }).waitFor();
		const press = async (...keys: string[]) => {
			for (const key of keys) await page.keyboard.press(key);
		};
		const focused = () => page.locator(':focus');

		await press('Tab');
		expect(await focused().getAttribute('id')).toBe('first_name');
		await press('Tab', 'Tab', 'Tab');
		expect(await focused().getAttribute('id')).toBe('phone');
		await press('Tab', 'ArrowDown');
		expect(await focused().inputValue()).toBe('Pay bill');
		const ring = await page.evaluate(
			"getComputedStyle(document.querySelector('.method:has(:focus-visible)')).outlineStyle",
		);
		expect(ring).toBe('solid');
		await press('Tab');
		expect(await focused().innerText()).toMatch(/^Pay Ksh/);
		await press('Enter');

		await page.getByRole('heading', { name: 'Payment received' }).waitFor();
		expect(await focused().innerText()).toBe('Payment received');
		expect(sandbox.state.transactions).toMatchObject([
			{ ref: reference, status: 'success', payment_channel: 'Pay bill' },
		]);
	});

	it('lets the customer stop the countdown', async () => {
		const { link } = await createLink(sandbox, withShop());
		const { page } = await open(browser, link);
		await page.clock.install();
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByRole('button', { name: 'Stay here' }).click();
		await page.clock.runFor(10_000);
		expect(await page.getByRole('heading', { name: 'Payment received' }).isVisible()).toBe(true);
		expect(await page.getByRole('link', { name: 'Return now' }).isVisible()).toBe(true);
		expect(shop.visits).toEqual([]);
	});

	it('happens once: a second tab that was open sees that the link is paid', async () => {
		const { link } = await createLink(sandbox);
		const first = await open(browser, link);
		const second = await open(browser, link);
		await second.page.getByRole('button', { name: /^Pay/ }).waitFor();
		await first.page.getByRole('button', { name: /^Pay/ }).click();
		await first.page.getByRole('heading', { name: 'Payment received' }).waitFor();

		await second.page.getByRole('button', { name: /^Pay/ }).click();
		await second.page.getByRole('heading', { name: 'This link is already paid' }).waitFor();
		expect(sandbox.state.transactions).toHaveLength(1);
	});

	it('says so when the sandbox is gone, and lets the customer try again', async () => {
		const { link } = await createLink(sandbox);
		const { page, context } = await open(browser, link);
		await page.getByRole('button', { name: /^Pay/ }).waitFor();
		await context.setOffline(true);
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByRole('alert').waitFor();
		expect(await page.getByRole('alert').innerText()).toContain('Nothing was paid');
		await context.setOffline(false);
		await page.getByRole('button', { name: /^Pay/ }).click();
		await page.getByRole('heading', { name: 'Payment received' }).waitFor();
	});
});

describe('failing', () => {
	it('says why, calls back and leaves the wallet alone', async () => {
		const before = balance(sandbox);
		const { link, reference } = await createLink(sandbox, withShop());
		const { page, problems } = await open(browser, link);
		await page.getByRole('button', { name: 'Let it fail' }).click();

		await page.getByRole('heading', { name: 'Payment failed' }).waitFor();
		expect(await result(page).innerText()).toContain('You were not charged');
		expect(await result(page).innerText()).toContain('The payment was declined');
		await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
		expect(shop.visits[0]?.searchParams.get('status')).toBe('failed');
		expect(shop.visits[0]?.searchParams.get('order')).toBe('17');

		const callback = await eventually('the callback', () => shop.callbacks[0]);
		expect(JSON.stringify(callback.body)).toContain('"failed"');
		expect(sandbox.state.transactions).toMatchObject([{ ref: reference, status: 'failed' }]);
		expect(balance(sandbox)).toBe(before);
		expect(problems).toEqual([]);
	});
});

describe('cancelling', () => {
	it('brings the customer back, calls back and leaves the wallet alone', async () => {
		const before = balance(sandbox);
		const { link, reference } = await createLink(sandbox, withShop());
		const { page, problems } = await open(browser, link);
		await page.getByRole('button', { name: 'Cancel' }).click();

		await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor();
		await page.getByRole('link', { name: 'Return now' }).click();
		await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
		expect(shop.visits[0]?.searchParams.get('status')).toBe('cancelled');
		expect(shop.visits[0]?.searchParams.get('reference')).toBe(reference);

		await eventually('the callback', () => shop.callbacks[0]);
		expect(sandbox.state.links).toMatchObject([{ reference, state: 'cancelled' }]);
		expect(balance(sandbox)).toBe(before);
		expect(problems).toEqual([]);
	});
});

describe('a link that cannot be paid', () => {
	it.each([
		['Pay Ksh 2,500.00', 'This link is already paid'],
		['Let it fail', 'This payment failed'],
		['Cancel', 'This payment was cancelled'],
	])('after "%s" it says "%s" and offers no button', async (button, title) => {
		const { link } = await createLink(sandbox);
		const { page, problems } = await open(browser, link);
		await page.getByRole('button', { name: button }).click();
		await result(page).waitFor();
		await page.reload();
		await page.getByRole('heading', { name: title }).waitFor();
		expect(await page.getByRole('button').count()).toBe(0);
		expect(problems).toEqual([]);
	});

	it('is explained when it is unknown', async () => {
		const { page } = await open(browser, `${sandbox.url}/pay/%3Cb%3Enobody%3C%2Fb%3E`);
		await page.getByRole('heading', { name: 'We cannot find this link' }).waitFor();
		expect(await page.locator('main').innerText()).toContain('<b>nobody</b>');
		expect(await page.getByRole('button').count()).toBe(0);
	});
});

describe('on a phone', () => {
	it.each(['light', 'dark'] as const)(
		'fits the width in %s, with targets for thumbs',
		async (colorScheme) => {
			const { link } = await createLink(sandbox, {
				...withShop(),
				business_name: 'Coopérative des planteurs de cacao de la région de San-Pédro',
				item_name: 'W'.repeat(200),
				amount: '123456789.55',
			});
			const { page } = await open(browser, link, { ...PHONE, colorScheme });
			await page.getByRole('button', { name: /^Pay/ }).waitFor();
			expect(await overflow(page)).toBe(0);
			for (const target of await page.locator('button, .method, input:not([type=radio])').all())
				expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);

			await page.getByRole('button', { name: 'Let it fail' }).tap();
			await result(page).waitFor();
			expect(await overflow(page)).toBe(0);
		},
	);
});

const overflow = (page: Page) =>
	page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
