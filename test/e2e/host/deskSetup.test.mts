import { OWNER } from '../../../dev/host/n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { Editor } from '../../helpers/editor/editor.mts';
import { addressShown } from '../../helpers/editor/trigger.mts';
import { useDemo } from './support.mts';

// Older releases lack some of what the desk uses.
const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

const demo = useDemo();

/** Notes every press of the mouse, also on the pages after this one. */
const NOTE_PRESSES = `addEventListener('pointerdown', () => {
	localStorage.setItem('presses', String(Number(localStorage.getItem('presses') ?? 0) + 1));
}, true)`;

newest('the desk is set up in the editor as its page says, with few clicks', async () => {
	const { host } = demo();
	const { client } = host;
	// One of each kind; that of the sandbox is there.
	await client.createCredential('Slack', 'slackApi', { accessToken: 'xoxb-any' });
	await client.createCredential('Mail', 'smtp', { host: '127.0.0.1', port: 1 });
	const browser = await launchBrowser();
	try {
		const editor = await Editor.signIn(browser, host.url, OWNER);
		const { page } = editor;
		page.setDefaultTimeout(40_000);
		await page.addInitScript(NOTE_PRESSES);
		const at = (id: string) => page.locator(`[data-test-id="${id}"]`).filter({ visible: true });
		const menu = async (...entries: RegExp[]) => {
			await at('workflow-menu').first().click();
			for (const entry of entries) {
				await page.getByRole('menuitem', { name: entry }).click();
			}
		};

		async function importFile(file: string): Promise<void> {
			await editor.newWorkflow();
			const chooser = page.waitForEvent('filechooser');
			await menu(/^Import/, /^From file/);
			await (await chooser).setFiles(`examples/desk/${file}`);
			await at('canvas-node').first().waitFor();
		}
		/** Writes into the node 'Settings', by the places of the values. */
		async function fillIn(...values: string[]): Promise<void> {
			await editor.openNode('Settings');
			for (const [index, value] of values.entries()) {
				const field = at('assignment').nth(index).locator('[data-test-id="assignment-value"]');
				await field.locator('textarea, input').first().fill(value);
			}
			await editor.closeNode();
		}
		async function chooseTimeZone(): Promise<void> {
			await menu(/^Settings/);
			const zones = page.locator('[data-test-id="workflow-settings-timezone"]');
			await zones.locator('input').click();
			await zones.locator('input').fill('Nairobi');
			await page.getByRole('option', { name: /Nairobi/ }).click();
			await page.getByRole('button', { name: 'Save', exact: true }).click();
			await at('workflow-settings-dialog').waitFor({ state: 'hidden' });
		}
		async function publish(): Promise<void> {
			await at('workflow-open-publish-modal-button').click();
			await at('workflow-publish-button').click();
			await page.getByRole('button', { name: 'Got it' }).click();
		}

		await importFile('payments.json');
		await fillIn('Shop <shop@example.org>', 'accounts@example.org');
		await editor.openNode('Payment changed');
		const callbackUrl = await addressShown(editor, 'Production');
		await editor.closeNode();
		await chooseTimeZone();
		await publish();
		await importFile('links.json');
		await fillIn(callbackUrl, 'Shop <shop@example.org>');
		await chooseTimeZone();
		await publish();
		const presses = Number(await page.evaluate("localStorage.getItem('presses')"));

		await until('the form', async () =>
			(await call(`${host.url}/form/payment-desk`)).status === 200 ? true : undefined,
		);
		const saved = await client.workflows();
		for (const each of saved.filter(({ name }) => name.startsWith('Payment desk'))) {
			const { nodes, active, settings } = await client.workflow(each);
			const without = nodes
				.filter(({ type }) => /unifiedPayments|slack|emailSend/.test(type))
				.filter(({ credentials }) => credentials === undefined);
			expect([active, settings?.timezone, without]).toEqual([true, 'Africa/Nairobi', []]);
		}
		// A double click is two; fields are filled in here without one.
		expect(presses).toBeLessThanOrEqual(33);
	} finally {
		await browser.close();
	}
});
