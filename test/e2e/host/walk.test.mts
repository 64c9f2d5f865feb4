import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { Editor } from '../../helpers/editor/editor.mts';
import { triggerUrl } from '../../../dev/host/demo/examples.mts';
import { ALERTS } from '../../../dev/host/demo/importExamples.mts';
import { buildIfStale, N8nClient } from '../../../dev/host/n8n/index.mts';
import { install } from '../../../dev/host/n8n/install.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { freePort } from '../../../dev/host/shared/port.mts';
import { launchBrowser, openPage } from '../../helpers/browser.mts';
import { startCommand } from './command.mts';
import { csv, orderRow } from './standins/desk.mts';

const MINUTE = 60_000;
jest.setTimeout(10 * MINUTE);

// Older releases lack some of what the desk uses.
const hasDesk = isAtLeast(N8N_VERSION);

let browser: Browser;
let data: string;
beforeAll(async () => {
	await buildIfStale();
	await install();
	browser = await launchBrowser();
	data = await mkdtemp(join(tmpdir(), 'unified-payments-walk-'));
}, 30 * MINUTE);
afterAll(async () => {
	await browser?.close();
	await rm(data, { recursive: true, force: true, maxRetries: 5 });
});

/** What somebody knows who has read what `npm start` printed, and nothing else. */
function read(output: string) {
	const found = (what: RegExp) => output.match(what)?.[1] ?? `nothing like ${what}`;
	return {
		first: found(/Open +(\S+)/),
		login: { email: found(/Log in +(\S+)/), password: found(/Log in +\S+ +\/ +(\S+)/) },
		slack: found(/stand-in for Slack: (\S+)/),
		form: found(/(http\S+) {2}upload a sheet/),
		inbox: found(/(http\S+) {2}the e-mails/),
	};
}

test('a newcomer comes from what is printed to a paid link, and to a message in Slack', async () => {
	const flags = ['--port', '--sandbox-port', '--slack-port', ...(hasDesk ? ['--mail-port'] : [])];
	const ports = await Promise.all(flags.map(async () => await freePort()));
	const args = flags.flatMap((flag, index) => [flag, String(ports[index])]);
	const started = startCommand([...args, '--data', data, ...(hasDesk ? ['--desk'] : [])]);
	await started.says('Ctrl-C stops everything');
	const { first, login, slack, form, inbox } = read(started.output());

	const messages = await openPage(browser, slack);
	await messages.page.getByRole('heading', { name: 'Nothing yet' }).waitFor();

	const editor = await Editor.open(browser, first, login);
	expect(editor.page.url()).toBe(first);
	expect(await editor.workflowName()).toBe('Start here: your first payment link');
	expect(await editor.notes()).toContain('Your first payment link');
	await editor.executeWorkflow();
	await editor.openNode('Create payment link');
	await editor.outputShows('accepted');
	const words = await editor.output();
	const link = words.match(/https?:\/\/\S+/)?.[0] ?? '';

	const { page } = await openPage(browser, link);
	// What the workflow knows of the customer is not asked again.
	expect(await page.getByLabel('First name').inputValue()).toBe('Amina');
	expect(await page.getByLabel('Mobile number').inputValue()).toBe('254712345678');
	await page.getByRole('button', { name: /^Pay/ }).click();
	await page.getByRole('heading', { name: 'Payment received' }).waitFor();

	// The page renews itself.
	const told = messages.page.locator('section', { hasText: '#payments' }).locator('article');
	await told.filter({ hasText: 'State: success' }).waitFor({ timeout: MINUTE });
	expect(await told.first().innerText()).toContain(
		'✔ Paid: 150 KES for order TEA-1, by 254712345678',
	);
	expect(messages.problems).toEqual([]);
	expect([...messages.origins]).toEqual([slack]);

	// A callback that nobody can have sent is refused, and seen where n8n was started.
	const client = new N8nClient(new URL(first).origin);
	await client.login(login);
	const saved = (await client.workflows()).find(({ name }) => name === ALERTS)!;
	const alerts = triggerUrl(client.url, await client.workflow(saved))!;
	const callbacks = started.output().length;
	await fetch(alerts, { method: 'POST', body: 'no JSON' });
	await started.says('n8n warns: Unified Payments Trigger refused a callback to "Payment changed"');
	expect(started.output().slice(callbacks)).toContain('not_json');

	if (hasDesk) {
		const desk = await openPage(browser, form);
		const { name, content } = csv([orderRow('D-1')]);
		const file = { name, mimeType: 'text/csv', buffer: content };
		await desk.page.setInputFiles('input[type=file]', file);
		await desk.page.fill('input[type=text]', 'Amina');
		await desk.page.click('#submit-btn');
		await desk.page.getByText('Your sheet is in order').first().waitFor({ timeout: MINUTE });
		await desk.page.click('#submit-btn');
		const button = messages.page.getByRole('link', { name: 'Send them' });
		await button.waitFor({ timeout: MINUTE });
		const { page: mails } = await openPage(browser, inbox);
		expect(await mails.innerText('body')).toContain('No e-mail leaves it.');
	}

	started.kill('SIGINT');
	expect(await started.ended).toBe(0);
	await started.gone(slack);
});
