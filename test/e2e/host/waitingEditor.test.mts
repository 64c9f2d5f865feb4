import type { Browser } from 'playwright-core';

import { OWNER } from '../../../host/n8n/index.mts';
import { until } from '../../../host/shared/until.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { Editor } from '../../helpers/editor/editor.mts';
import { NODE_TYPE, place } from './support.mts';
import { asleep, newOrder, saveWaiting, useWaitingDemo } from './waitingSupport.mts';

const demo = useWaitingDemo();
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	browser = await launchBrowser();
	editor = await Editor.signIn(browser, demo().host().url, OWNER);
}, 240_000);
afterAll(async () => await browser?.close());

test('while it sleeps, the editor says what it waits for', async () => {
	const workflow = await saveWaiting(demo(), { rows: [{ amount: 60, order: newOrder() }] });
	await editor.openWorkflow(workflow.id);
	await editor.page.locator('[data-test-id="execute-workflow-button"]').click();
	const [execution] = await until('the execution', async () => {
		const all = await demo().host().client.executions(workflow);
		return all.length > 0 ? all : undefined;
	});
	await asleep(demo(), execution!.id);
	await editor.openNode('Node');
	await editor.page
		.getByText('Waiting until the payments have succeeded or failed, at most 30 minutes.')
		.first()
		.waitFor();
	await editor.closeNode();
});

test('operations that wait are offered to workflows, and not to AI agents', async () => {
	const { client } = demo().host();
	const offered = async (type: string, resource: string) => {
		const { id } = await client.createWorkflow({
			name: `Operations of ${type}`,
			nodes: [{ ...place('Payments', type, { resource }), position: [200, 200] }],
			connections: {},
		});
		await editor.openWorkflow(id);
		await editor.openNode('Payments');
		const choices = await editor.choices('operation');
		await editor.closeNode();
		return choices;
	};
	expect(await offered(NODE_TYPE, 'collection')).toEqual(['Create', 'Create and Wait', 'Check']);
	expect(await offered(`${NODE_TYPE}Tool`, 'collection')).toEqual(['Create', 'Check']);
	expect(await offered(NODE_TYPE, 'paymentLink')).toContain('Wait Until Paid');
	expect(await offered(`${NODE_TYPE}Tool`, 'paymentLink')).not.toContain('Wait Until Paid');
	expect(await offered(NODE_TYPE, 'transaction')).toContain('Wait Until Final');
	expect(await offered(`${NODE_TYPE}Tool`, 'transaction')).toEqual(['Get']);
});
