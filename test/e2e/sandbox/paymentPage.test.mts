import type { Page } from 'playwright-core';
import { balance, createLink, type Params } from './client.mts';
import { eventually } from './shop.mts';
import { flat, stage } from './stage.mts';

const on = stage();

/** The page of a new link. */
const opened = async (params: Params = {}, options?: Parameters<typeof on.open>[1]) => {
	const created = await createLink(on.sandbox, params);
	return { ...created, page: await on.open(created.link, options) };
};
const withShop = () => ({ callback_url: on.shop.callbackUrl, redirection_url: on.shop.thanksUrl });
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const press = (page: Page, name: string | RegExp = /^Pay/) =>
	page.getByRole('button', { name }).click();
const mobile = (page: Page) => page.getByLabel('Mobile number');

describe('a link that is open', () => {
	it('shows who asks for what, with the details of the customer filled in', async () => {
		const { page, reference } = await opened();
		await heading(page, 'Savanna Coffee');
		const bill = flat(await page.locator('.bill').innerText());
		for (const text of ['pay Ksh 2,500.00', 'For Beans, 1 kg', `Reference ${reference}`])
			expect(bill).toContain(text);
		expect(await page.getByLabel('First name').inputValue()).toBe('Amina');
		expect(await mobile(page).inputValue()).toBe('254712345678');
		expect(await page.locator('.method').count()).toBe(4);
		expect(await page.getByText('No money moves').isVisible()).toBe(true);
	});

	it('shows an attack in the business name as the text it is', async () => {
		const attack = '<img src=x onerror="document.title=\'owned\'"><script>1</script>';
		const first_name = '"><img src=x>';
		const { page } = await opened({ business_name: attack, item_name: attack, first_name });
		expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(attack);
		expect(await page.locator('main img, main script').count()).toBe(0);
		expect(await page.getByLabel('First name').inputValue()).toBe(first_name);
		expect(await page.title()).not.toBe('owned');
	});
});

describe('paying', () => {
	it('thanks, moves the wallet, calls back and brings the customer back to the shop', async () => {
		const before = balance(on.sandbox) ?? 0;
		const { page, reference } = await opened(withShop());
		await page.getByRole('radio', { name: 'Send money' }).check({ force: true });
		await mobile(page).fill('254700000001');
		await press(page, 'Pay Ksh 2,500.00');
		await heading(page, 'Payment received');
		await heading(page, 'Welcome back');
		expect(on.shop.visits.map(({ search }) => search)).toEqual([
			`?order=17&reference=${reference}&status=paid`,
		]);
		const { body } = await eventually('the callback', () => on.shop.callbacks[0]);
		expect(body).toMatchObject({ ref: reference, status: 'success' });
		const [transaction] = on.sandbox.state.transactions;
		expect(transaction).toMatchObject({ mobile: '254700000001', payment_channel: 'Send money' });
		expect(balance(on.sandbox)).toBe(before + 2500 - (transaction?.fee ?? 0));
	});

	it('a part is shown as that, and not as the whole', async () => {
		const { page, reference } = await opened();
		await press(page, 'Another amount');
		for (const wrong of ['0', '2500.01', '1e3', 'half']) {
			await page.getByLabel('Amount', { exact: true }).fill(wrong);
			await press(page);
			expect(await page.locator('.problem').innerText()).toMatch(/^Enter an amount of at most Ksh/);
		}
		await page.getByLabel('Amount', { exact: true }).fill('1000.50');
		await press(page, /^Pay Ksh.1,000\.50$/);
		await page.getByText('Part paid').waitFor();
		expect(flat(await page.locator('.total .amount').innerText())).toBe('Ksh 1,000.50');
		expect(on.sandbox.state.transactions).toMatchObject([{ ref: reference, amount: 1000.5 }]);
		await page.reload();
		await heading(page, 'A part of this link is paid');
	});

	it('happens once: a second tab that was open sees that the link is paid', async () => {
		const { page: second, link } = await opened({}, { inTrouble: true });
		await second.getByRole('button', { name: /^Pay/ }).waitFor();
		const first = await on.open(link);
		await press(first);
		await heading(first, 'Payment received');
		await press(second);
		await heading(second, 'This link is already paid');
		expect(on.sandbox.state.transactions).toHaveLength(1);
	});
});

it.each([
	['Let it fail', 'Payment failed', 'failed', 'This payment failed'],
	['Cancel', 'Payment cancelled', 'cancelled', 'This payment was cancelled'],
])(
	'"%s" says so, calls back, brings the customer back and leaves the wallet alone',
	async (button, title, state, later) => {
		const before = balance(on.sandbox);
		const { page, link, reference } = await opened(withShop());
		await press(page, button);
		await heading(page, title);
		await page.getByRole('link', { name: 'Return now' }).click();
		await heading(page, 'Welcome back');
		expect(on.shop.visits[0]?.search).toBe(`?order=17&reference=${reference}&status=${state}`);
		const { body } = await eventually('the callback', () => on.shop.callbacks[0]);
		expect(body).toMatchObject({ ref: reference, status: 'failed' });
		expect(on.sandbox.state.links).toMatchObject([{ reference, state }]);
		expect(balance(on.sandbox)).toBe(before);
		await page.goto(link);
		await heading(page, later);
		expect(await page.getByRole('button').count()).toBe(0);
	},
);
