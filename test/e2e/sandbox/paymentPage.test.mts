import type { Page } from 'playwright-core';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import { launchBrowser, openPage, type OpenPage } from '../../helpers/browser.mts';
import { throughout } from '../../helpers/throughout.mts';
import { balance, createLink, type Params } from './client.mts';
import { eventually, openShop } from './shop.mts';

jest.setTimeout(120_000);

const browser = throughout(launchBrowser);
const sandbox = throughout(
	async () => await startSandbox({ mode: 'rich', callbackRetry: { firstDelayMs: 20 } }),
);
const shop = throughout(openShop);
const pages: OpenPage[] = [];

beforeEach(() => {
	sandbox.reset();
	for (const list of [shop.callbacks, shop.visits]) list.length = 0;
});
// Whatever happened on it, a page reports no error and loads nothing from elsewhere.
afterEach(async () => {
	const opened = pages.splice(0);
	await Promise.all(opened.map(({ context }) => context.close()));
	for (const { problems, origins } of opened) {
		expect(problems).toEqual([]);
		const own = [sandbox.url, shop.origin];
		expect([...origins].filter((origin) => !own.includes(origin))).toEqual([]);
	}
});

const flat = (text: string) => text.replace(/\s+/g, ' ');

/** The page of a new link. */
const opened = async (params: Params = {}) => {
	const created = await createLink(sandbox, params);
	const result = await openPage(browser, created.link);
	pages.push(result);
	return { ...created, page: result.page };
};
const withShop = () => ({ callback_url: shop.callbackUrl, redirection_url: shop.thanksUrl });
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

it('paying thanks, moves the wallet, calls back and brings the customer back to the shop', async () => {
	const before = balance(sandbox) ?? 0;
	const { page, reference } = await opened(withShop());
	await page.getByRole('radio', { name: 'Send money' }).check({ force: true });
	await mobile(page).fill('254700000001');
	await press(page, 'Pay Ksh 2,500.00');
	await heading(page, 'Payment received');
	await heading(page, 'Welcome back');
	expect(shop.visits.map(({ search }) => search)).toEqual([
		`?order=17&reference=${reference}&status=paid`,
	]);
	const { body } = await eventually('the callback', () => shop.callbacks[0]);
	expect(body).toMatchObject({ ref: reference, status: 'success' });
	const [transaction] = sandbox.state.transactions;
	expect(transaction).toMatchObject({ mobile: '254700000001', payment_channel: 'Send money' });
	expect(balance(sandbox)).toBe(before + 2500 - (transaction?.fee ?? 0));
});

it.each([
	['Let it fail', 'Payment failed', 'failed', 'This payment failed'],
	['Cancel', 'Payment cancelled', 'cancelled', 'This payment was cancelled'],
])(
	'"%s" says so, calls back, brings the customer back and leaves the wallet alone',
	async (button, title, state, later) => {
		const before = balance(sandbox);
		const { page, link, reference } = await opened(withShop());
		await press(page, button);
		await heading(page, title);
		await page.getByRole('link', { name: 'Return now' }).click();
		await heading(page, 'Welcome back');
		expect(shop.visits[0]?.search).toBe(`?order=17&reference=${reference}&status=${state}`);
		const { body } = await eventually('the callback', () => shop.callbacks[0]);
		expect(body).toMatchObject({ ref: reference, status: 'failed' });
		expect(sandbox.state.links).toMatchObject([{ reference, state }]);
		expect(balance(sandbox)).toBe(before);
		await page.goto(link);
		await heading(page, later);
		expect(await page.getByRole('button').count()).toBe(0);
	},
);
