import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { readExample } from '../../../host/demo/examples.mts';
import type { SavedCredential } from '../../../host/n8n/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { launchBrowser, openPage } from '../../helpers/browser.mts';
import { startMail, type MailServer } from './standins/mail.mts';
import { withNode } from './standins/stage.mts';
import {
	asleep,
	calledBack,
	ended,
	newOrder,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

const EXAMPLE = 'link-email-paid-and-on.json';

const demo = useWaitingDemo();
let mails: MailServer;
let smtp: SavedCredential;

beforeAll(async () => {
	mails = await startMail();
	smtp = await demo().host().client.createCredential('Mail', 'smtp', {
		host: '127.0.0.1',
		port: mails.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
}, 120_000);
afterAll(async () => {
	await mails?.close();
});

/** The example as somebody sets it up, by its note. */
async function importExample(isDry = false) {
	const example = await readExample(EXAMPLE, [demo().credential, smtp]);
	const ready = withNode(example, 'Create payment link', (node) => ({
		...node,
		parameters: {
			...node.parameters,
			options: { ...(node.parameters.options as IDataObject), dryRun: isDry },
		},
	}));
	return await demo().host().client.createWorkflow(ready);
}

/** The link in the mail that the customer got. */
async function linkInMail(count: number): Promise<string> {
	const mail = await until('the mail', async () => mails.mails[count - 1]);
	expect(mail.to).toBe('amina@example.com');
	expect(mail.text).toContain('Hello Amina');
	return /https?:\/\/\S+\/pay\/\S+/.exec(mail.text)![0];
}

describe('in the browser', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	}, 120_000);
	afterAll(async () => await browser?.close());

	test.each([
		[
			'spec',
			'Pay',
			'Payment received',
			'Ship the order',
			{ paid: 1250.5, currency: 'KES', inFull: true },
		],
		[
			'rich',
			'Let it fail',
			'Payment failed',
			'Offer another way',
			{ reason: 'The payment was declined' },
		],
	] as const)(
		'a link goes out by mail, is opened in the browser, and the workflow goes on: mode %s, "%s"',
		async (mode, button, heading, end, result) => {
			demo().sandbox.change({ mode });
			const before = mails.mails.length;
			const id = await demo()
				.host()
				.client.start(await importExample(), 'Start');
			await asleep(demo(), id);
			const link = await linkInMail(before + 1);

			const { page, context } = await openPage(browser, link);
			await page
				.getByLabel(/last name/i)
				.fill('Otieno')
				.catch(() => undefined);
			await page
				.getByLabel(/phone|mobile/i)
				.fill('0712345678')
				.catch(() => undefined);
			await page.getByRole('button', { name: new RegExp(`^${button}`) }).click();
			await page.getByRole('heading', { name: heading }).waitFor();
			await context.close();

			const run = await ended(demo(), id);
			expect(run.status).toBe('success');
			expect(run.json(end)).toEqual([
				expect.objectContaining({
					order: expect.stringMatching(/^A-\d{8}-\d{6}$/) as string,
					...result,
				}),
			]);
			const others = [
				'Ship the order',
				'Tell the shop',
				'Offer another way',
				'Remind the customer',
			].filter((name) => name !== end);
			for (const name of others) expect(run.json(name)).toEqual([]);
		},
	);
});

test('a part of it is not shipped: the shop is told what came in, and what was asked for', async () => {
	demo().sandbox.change({ mode: 'spec' });
	const before = mails.mails.length;
	const id = await demo()
		.host()
		.client.start(await importExample(), 'Start');
	await asleep(demo(), id);
	const link = await linkInMail(before + 1);
	const { status } = await call(
		`${demo().sandbox.url}/sandbox/links/${link.split('/').at(-1)}/pay`,
		{ method: 'POST', body: { outcome: 'success', amount: 1 } },
	);
	expect(status).toBe(200);

	const run = await ended(demo(), id);
	expect(run.status).toBe('success');
	expect(run.json('Ship the order')).toEqual([]);
	const told = await until('the mail to the shop', async () => mails.mails[before + 1]);
	expect(told).toMatchObject({
		to: 'shop@example.com',
		subject: expect.stringContaining('is not paid in full: do not ship it yet') as string,
	});
	expect(told.text).toMatch(/, 1 KES came in\.\s+Asked for: 1250\.5 KES/);
});

test('as it is imported, it sends nothing: neither to the service nor by mail', async () => {
	const before = mails.mails.length;
	const links = demo().sandbox.state.links.length;
	const run = await demo()
		.host()
		.client.run(await importExample(true), 'Start');
	expect(run.status).toBe('success');
	expect(run.json('Create payment link')).toEqual([expect.objectContaining({ outcome: 'valid' })]);
	expect(run.json('Has a link')).toEqual([]);
	expect(mails.mails).toHaveLength(before);
	expect(demo().sandbox.state.links).toHaveLength(links);
});

describe('Asked again when it failed', () => {
	const AGAIN = 'asked-again-when-it-failed.json';

	/** As somebody sets it up for these orders, with seconds in place of hours. */
	async function importAgain(orders: string[], seconds = 1) {
		const example = await readExample(AGAIN, [demo().credential]);
		const sending = withNode(example, 'Ask and wait', (node) => ({
			...node,
			parameters: { ...node.parameters, options: { includeInputFields: true } },
		}));
		const soon = withNode(sending, 'A while later', (node) => ({
			...node,
			parameters: { ...node.parameters, amount: seconds, unit: 'seconds' },
		}));
		const row = { country: 'Kenya', mobile: '0712 345678', amount: 250, try: 1 };
		return await demo()
			.host()
			.client.createWorkflow({
				...soon,
				pinData: { 'Demo orders': orders.map((order) => ({ json: { order, ...row } })) },
			});
	}

	async function settle(order: string, body: { status: string; failureCode?: string }) {
		const { ref } = transactionOf(demo(), order);
		const url = `${demo().sandbox.url}/sandbox/transactions/${ref}/settle`;
		expect((await call(url, { method: 'POST', body })).status).toBe(200);
		await calledBack(demo(), ref);
		return ref;
	}

	const asks = (order: string) =>
		Object.keys(demo().sandbox.state.ledger.countBy('third_party_reference_1'))
			.filter((each) => each.startsWith(order))
			.sort();
	const asked = async (order: string) =>
		await until(`the ask ${order}`, async () => (asks(order).length > 0 ? true : undefined));

	test('twice at most, each try under a name of its own, and never while one is open', async () => {
		const [late, unwilling, good] = [newOrder(), newOrder(), newOrder()] as const;
		const workflow = await importAgain([late, unwilling, good]);
		const id = await demo().host().client.start(workflow, 'Start');
		await asleep(demo(), id);
		await settle(late, { status: 'failed', failureCode: 'TIMEOUT' });
		await settle(unwilling, { status: 'failed', failureCode: 'USER_CANCELLED' });
		await sleep(2500);
		expect(asks(late)).toEqual([late]);
		await settle(good, { status: 'success' });
		for (const name of [`${late}-try-2`, `${late}-try-3`]) {
			await asked(name);
			await asleep(demo(), id);
			await settle(name, { status: 'failed', failureCode: 'TIMEOUT' });
		}

		const run = await ended(demo(), id);
		expect(run.status).toBe('success');
		expect(run.json('Paid')).toMatchObject([{ order: good, tries: 1, paid: 250 }]);
		expect(run.json('For a person')).toMatchObject([
			{ order: late, tries: 3, why: 'The customer did not answer in time' },
			{ order: unwilling, tries: 1, why: 'The customer cancelled the payment' },
		]);
		const again = await ended(demo(), await demo().host().client.start(workflow, 'Start'));
		expect(again.json('For a person')).toMatchObject(
			[late, unwilling, good].map((order) => ({
				order,
				why: expect.stringContaining('an earlier run') as string,
			})),
		);
		const tries = [late, `${late}-try-2`, `${late}-try-3`];
		expect(asks(late)).toEqual(tries);
		expect(demo().sandbox.state.ledger.countBy('third_party_reference_1')).toMatchObject(
			Object.fromEntries([...tries, unwilling, good].map((name) => [name, 1])),
		);
	});

	test('not when the payment went through meanwhile', async () => {
		const [meanwhile, late] = [newOrder(), newOrder()] as const;
		const id = await demo()
			.host()
			.client.start(await importAgain([meanwhile, late], 5), 'Start');
		await asleep(demo(), id);
		await settle(meanwhile, { status: 'failed', failureCode: 'TIMEOUT' });
		await settle(late, { status: 'failed', failureCode: 'OPERATOR_UNAVAILABLE' });
		Object.assign(transactionOf(demo(), meanwhile), {
			...{ status: 'success', state: 'success', status_code: '200' },
			failureReason: { failureCode: null, failureMessage: null },
		});
		await asked(`${late}-try-2`);
		await asleep(demo(), id);
		await settle(`${late}-try-2`, { status: 'success' });

		const run = await ended(demo(), id);
		expect(run.json('Paid')).toMatchObject([{ order: late, tries: 2 }]);
		expect(run.json('For a person')).toMatchObject([{ order: meanwhile, why: 'State: success' }]);
		expect(asks(meanwhile)).toEqual([meanwhile]);
	});
});
