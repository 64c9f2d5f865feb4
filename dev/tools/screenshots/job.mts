import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Demo } from '../../host/demo/index.mts';
import { askAndAnswer, uploadSheet } from '../../host/demo/sendSheet.mts';
import { FIVE_ORDERS } from '../../host/messages/page.mts';
import { OWNER } from '../../host/n8n/index.mts';
import { PHONE } from '../../../test/helpers/browser.mts';
import { Editor } from '../../../test/helpers/editor/editor.mts';
import type { ScreenshotOptions } from './editor.mts';

const SMALL = { ...PHONE, deviceScaleFactor: 1.5 };

/** Takes screenshots of the main job, from the sheet to the message about a payment; returns their paths. */
export async function takeJobScreenshots({
	browser,
	demo,
	folder,
}: ScreenshotOptions): Promise<string[]> {
	const pathOf = (name: string) => join(folder, `job-${name}.png`);
	const files = ['1-sheet', '2-approve', '3-pay', '4-paid', '5-message'].map(pathOf);
	const editor = await Editor.signIn(browser, demo.host.url, OWNER);
	try {
		await editor.openWorkflow(demo.workflow.id);
		await editor.fit(1700, 900);
		await editor.screenshot(files[0]!, editor.canvas);
	} finally {
		await editor.close();
	}
	const content = await readFile(`examples/sheets/${FIVE_ORDERS}`);
	const found = await uploadSheet(demo.formUrl, { name: FIVE_ORDERS, content });
	await askAndAnswer(found, demo.messages!, 'Send them', async (address) => {
		const context = await browser.newContext({ viewport: { width: 620, height: 560 } });
		const decision = await context.newPage();
		await decision.goto(address);
		await decision.getByRole('button', { name: 'Answer' }).waitFor();
		await decision.screenshot({ path: files[1]!, animations: 'disabled' });
		await context.close();
	});

	const customer = await browser.newContext({ ...SMALL, locale: 'en-GB', reducedMotion: 'reduce' });
	const page = await customer.newPage();
	await page.goto(await linkToPay(demo));
	await page.getByRole('button', { name: /^Pay/ }).waitFor();
	await page.screenshot({ path: files[2]!, animations: 'disabled' });
	await page.getByRole('button', { name: /^Pay/ }).click();
	await page.getByRole('heading', { name: 'Payment received' }).waitFor();
	await page.screenshot({ path: files[3]!, animations: 'disabled' });
	await customer.close();

	await demo.messages!.arrived('#payments');
	const team = await browser.newContext({ viewport: { width: 760, height: 340 } });
	const messages = await team.newPage();
	await messages.goto(demo.messages!.url);
	await messages.locator('article').first().waitFor();
	await messages.screenshot({ path: files[4]!, animations: 'disabled' });
	await team.close();
	return files;
}

/** The first link of the sheet whose payments are reported to Slack. */
async function linkToPay({ sandbox }: Demo): Promise<string> {
	const link = sandbox.state.links.find(({ order }) => order !== null) ?? sandbox.state.links[0]!;
	return link.link;
}
