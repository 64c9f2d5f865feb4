import type { Page } from 'playwright-core';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import type { Sandbox } from '../../../dev/sandbox/index.mts';
import { openPage } from '../../helpers/browser.mts';
import { addressShown, addTrigger } from '../../helpers/editor/trigger.mts';
import { useEditor } from './editorSupport.mts';
import { useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

/** Notes what somebody does with the mouse and the keyboard, until it is read. */
async function countingHands(page: Page): Promise<() => { clicks: number; fields: number }> {
	const counted = { clicks: 0, fields: 0 };
	await page.exposeFunction('noteHand', (kind: keyof typeof counted) => counted[kind]++);
	const listening = `for (const [event, kind] of [['click', 'clicks'], ['change', 'fields']])
		document.addEventListener(event, ({ isTrusted }) => isTrusted && window.noteHand(kind), true);`;
	await page.addInitScript(listening);
	return () => counted;
}

/** A service that nobody has seen before. */
let odd: Sandbox;
beforeAll(async () => {
	odd = await startSandbox({
		mode: 'spec',
		listEntries: 'otherNames',
		signature: { template: '{client_id}|{sender}|{salt}|{timestamp}|{params}', params: 'sorted' },
	});
});
afterAll(async () => await odd.close());

// Older releases have no dialog to publish, but a switch.
const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

newest(
	'the first day: a service that signs and lists in its own way, from the credential to a paid link',
	async () => {
		const { editor, browser } = open();
		const { page } = editor;
		const { client } = demo().host;
		const hands = await countingHands(page);
		const begun = Date.now();
		const { baseUrl, clientId, sender, secretKey } = sandboxCredential(odd);

		// 2. The credential. The signature is refused.
		await editor.newWorkflow();
		await editor.addNode('Unified Payments', 'Diagnose account');
		await editor.newCredential();
		await editor.type('baseUrl', String(baseUrl));
		await editor.type('clientId', String(clientId));
		await editor.type('sender', String(sender));
		expect(await editor.saveRefused(String(secretKey))).toContain(
			"turn on 'Find Signature Settings' under 'Advanced', and save",
		);
		await editor.turn('advanced');
		await editor.turn('findSignature');
		const found = await editor.saveAndTest();
		const [, template, algorithm, encoding] =
			/Template' (\S+) and 'Signature Algorithm' (\S+) and 'Signature Encoding' (\w+)/.exec(found)!;
		await editor.type('signatureTemplate', template!);
		expect(await editor.chosen('signatureAlgorithm')).toBe(algorithm);
		expect(await editor.chosen('signatureEncoding')).toBe(encoding);
		await editor.turn('findSignature');
		expect(await editor.saveAndTest()).toBe('The service accepted the credential');
		await editor.closeDialog();

		// 3. Diagnose.
		await editor.executeStep();
		await editor.outputShows('signed as the service expects it');
		const table = await editor.output();
		expect(table).toMatch(/signed as the service expects it\s+yes/);
		expect(table).not.toMatch(/\tno\t/);

		// 4. The first paid link.
		const NAME = 'Unified Payments account';
		await editor.newWorkflow();
		await addTrigger(editor);
		await editor.chooseCredential(NAME);
		const callbackUrl = await addressShown(editor, 'Production');
		await editor.closeNode();
		await editor.publish();
		const listening = page.url().split('/').at(-1)!.split('?')[0]!;
		await editor.newWorkflow();
		await editor.addNode('Unified Payments', 'Create payment link');
		await editor.chooseCredential(NAME);
		await editor.type('amount', '10');
		await editor.type('businessName', 'Savanna Coffee');
		await editor.type('itemName', 'Test');
		await editor.type('orderReference', 'TEST-1');
		await editor.type('callbackUrl', callbackUrl);
		await editor.executeStep();
		await editor.outputShows('accepted');
		const link = /https?:\/\/\S+\/pay\/\S+/.exec(await editor.output())![0];
		const customer = await openPage(browser, link);
		for (const [label, value] of [
			[/first name/i, 'Amina'],
			[/last name/i, 'Otieno'],
			[/mobile number/i, '0712345678'],
		] as const) {
			await customer.page.getByLabel(label).fill(value);
		}
		await customer.page.getByRole('button', { name: /^Pay/ }).click();
		await customer.page.getByRole('heading', { name: 'Payment received' }).waitFor();
		const [run] = await until('the run of the trigger', async () => {
			const runs = await client.executions({ id: listening, name: '', versionId: '' });
			return runs.length > 0 ? runs : undefined;
		});
		const heard = await client.finished(run!.id);
		expect(heard.json('Unified Payments Trigger')).toMatchObject([
			{ verified: 'confirmed', state: 'success', orderReference: 'TEST-1', paidInFull: true },
		]);

		const seconds = Math.round((Date.now() - begun) / 1000);
		const { clicks, fields } = hands();
		console.log(`The first day: ${seconds} seconds, ${clicks} clicks, ${fields} fields`);
		// What somebody has to do, whatever the machine does.
		expect(clicks).toBeLessThan(60);
		expect(fields).toBeLessThan(20);
		await customer.context.close();
	},
);
