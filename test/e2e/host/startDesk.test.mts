import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildIfStale } from '../../../host/n8n/index.mts';
import { install } from '../../../host/n8n/install.mts';
import { isAtLeast, N8N_VERSION } from '../../../host/n8n/release.mts';
import { freePort } from '../../../host/shared/port.mts';
import { until } from '../../../host/shared/until.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { startCommand } from './command.mts';
import { csv, orderRow } from './standins/desk.mts';

const MINUTE = 60_000;
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36';
jest.setTimeout(10 * MINUTE);

// Older releases lack some of what the desk uses.
const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

beforeAll(async () => {
	await buildIfStale();
	await install();
}, 30 * MINUTE);

test('--desk needs Slack', async () => {
	const refused = startCommand(['--desk', '--no-slack']);
	expect(await refused.ended).toBe(2);
	expect(refused.output()).toContain('--desk asks for approval in the stand-in for Slack');
});

newest(
	'npm start -- --desk: a sheet is uploaded, approved, and its links are in the inbox',
	async () => {
		const data = await mkdtemp(join(tmpdir(), 'unified-payments-desk-demo-'));
		const browser = await launchBrowser();
		const flags = ['--port', '--sandbox-port', '--slack-port', '--mail-port'];
		const ports = await Promise.all(flags.map(async () => await freePort()));
		const args = flags.flatMap((flag, index) => [flag, String(ports[index])]);
		const command = startCommand([...args, '--data', data, '--desk']);
		try {
			await command.says('Ctrl-C stops everything');
			const addressOf = (words: string) =>
				new RegExp(`(http\\S+)  ${words}`).exec(command.output())![1]!;
			// n8n takes a browser without a window for a robot.
			const context = await browser.newContext({ userAgent: PERSON });
			const form = await context.newPage();
			await form.goto(addressOf('upload a sheet'));
			const { name, content } = csv([orderRow('D-1')]);
			const file = { name, mimeType: 'text/csv', buffer: content };
			await form.setInputFiles('input[type=file]', file);
			await form.fill('input[type=text]', 'Amina');
			await form.click('#submit-btn');
			await form.getByText('Your sheet is in order').first().waitFor({ timeout: MINUTE });
			await form.click('#submit-btn');

			const slack = await context.newPage();
			await slack.goto(addressOf('approve it'));
			const button = slack.getByRole('link', { name: 'Send them' });
			const answer = await button.getAttribute('href', { timeout: MINUTE });
			// n8n may not have stored yet that it waits.
			await until('the answer to be taken', async () =>
				(await slack.goto(String(answer)))?.ok() ? true : undefined,
			);
			await form.getByText('One payment link made').first().waitFor({ timeout: MINUTE });

			const inbox = await context.newPage();
			await inbox.goto(addressOf('the e-mails'));
			const link = inbox.getByRole('link', { name: `http://127.0.0.1:${ports[1]}/pay/` });
			await link.first().waitFor({ timeout: 3 * MINUTE });
			expect(await inbox.innerText('body')).toContain('No e-mail leaves it.');
		} finally {
			await browser.close();
			command.kill('SIGTERM');
			await command.ended;
			await rm(data, { recursive: true, force: true, maxRetries: 5 });
		}
	},
);
