import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { buildIfStale } from '../../../dev/host/n8n/index.mts';
import { install } from '../../../dev/host/n8n/install.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { freePort } from '../../../dev/host/shared/port.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { startCommand } from './command.mts';

const MINUTE = 60_000;
jest.setTimeout(10 * MINUTE);

// Older releases lack some of what the example uses.
const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

let browser: Browser;
let data: string;
beforeAll(async () => {
	await buildIfStale();
	await install();
	browser = await launchBrowser();
	data = await mkdtemp(join(tmpdir(), 'unified-payments-first-sheet-'));
}, 30 * MINUTE);
afterAll(async () => {
	await browser?.close();
	await rm(data, { recursive: true, force: true, maxRetries: 5 });
});

/** What somebody knows who has read what `npm start` printed, and nothing else. */
function read(output: string) {
	const found = (what: RegExp) => output.match(what)?.[1] ?? `nothing like ${what}`;
	return {
		form: found(/1\. Upload +(\S+)/),
		login: { username: found(/\(user (\S+),/), password: found(/password (\S+)\)/) },
		messages: found(/2\. Approve +(\S+)/),
	};
}

newest(
	'from what is printed to a sheet with links, a paid link and a message to the team',
	async () => {
		const flags = ['--port', '--sandbox-port', '--messages-port'];
		const ports = await Promise.all(flags.map(async () => await freePort()));
		const args = flags.flatMap((flag, index) => [flag, String(ports[index])]);
		const started = startCommand([...args, '--data', data]);
		await started.says('Ctrl-C stops everything');
		const { form, login, messages } = read(started.output());

		const context = await browser.newContext({ httpCredentials: login, acceptDownloads: true });
		const page = await context.newPage();
		page.setDefaultTimeout(MINUTE);
		await page.goto(form);
		// The tab of a download closes by itself before it can be looked at, so the link is followed here.
		const link = await page.getByText('Download a sheet with five orders').getAttribute('href');
		const sheet = await context.request.get(new URL(link!, form).href);
		expect(sheet.status()).toBe(200);
		const file = join(data, 'five-orders.xlsx');
		await writeFile(file, await sheet.body());
		await page.setInputFiles('input[type=file]', file);
		await page.getByRole('button', { name: 'Check the sheet' }).click();
		await page.getByText('4 of 5 rows can be sent').waitFor();
		await page.getByRole('button', { name: 'Go on' }).click();

		const inbox = await context.newPage();
		inbox.setDefaultTimeout(MINUTE);
		await inbox.goto(messages);
		const [decision] = await Promise.all([
			context.waitForEvent('page'),
			inbox.locator('article', { hasText: 'approver@example.com' }).getByRole('link').click(),
		]);
		await decision.selectOption('select', 'Send them');
		await decision.getByRole('button', { name: 'Answer' }).click();
		const result = await page.waitForEvent('download', { timeout: MINUTE });
		expect(result.suggestedFilename()).toBe('payment-links.xlsx');
		expect(await page.innerText('body')).toContain('4 of 5 rows have a link');

		const [customer] = await Promise.all([
			context.waitForEvent('page'),
			// The question to the approver names the customer, too.
			inbox
				.locator('article', { hasText: 'wanjiru@example.com' })
				.getByRole('link', { name: /\/pay\// })
				.click(),
		]);
		await customer.getByRole('button', { name: /^Pay/ }).click();
		await customer.getByRole('heading', { name: 'Payment received' }).waitFor();
		await inbox.locator('article', { hasText: 'Order A-5: paid' }).waitFor();

		started.kill('SIGINT');
		expect(await started.ended).toBe(0);
		await started.gone(messages);
	},
);
