import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import type { Browser, Locator } from 'playwright-core';

import type { Demo } from '../../host/demo/index.mts';
import { OWNER } from '../../host/n8n/index.mts';
import type { NewWorkflow } from '../../host/n8n/index.mts';
import { Editor } from '../../../test/helpers/editor/editor.mts';

export interface ScreenshotOptions {
	browser: Browser;
	demo: Demo;
	/** Where the files are saved, usually docs/images. */
	folder: string;
}

/** Takes screenshots of the nodes in n8n's editor, and returns their paths. */
export async function takeEditorScreenshots({
	browser,
	demo,
	folder,
}: ScreenshotOptions): Promise<string[]> {
	const editor = await Editor.signIn(browser, demo.host.url, OWNER);
	const taken: string[] = [];
	const take = async (name: string, part?: Locator) => {
		const file = join(folder, `editor-${name}.png`);
		await editor.screenshot(file, part);
		taken.push(file);
	};
	try {
		await openNewNode(editor, demo, 'Create payment link', linkExample(demo));
		await editor.page.setViewportSize({ width: 1400, height: 1000 });
		await editor.executeStep();
		await take('node');

		await editor.closeNode();
		await editor.findNode('Unified Payments');
		await editor.page.setViewportSize({ width: 1400, height: 1000 });
		await take('actions');

		await openNewNode(editor, demo, 'Collect', columnsExample(demo));
		await editor.executeStep();
		await take('columns');

		await openNewNode(editor, demo, 'Unified Payments Trigger', triggerExample(demo));
		await take('trigger');

		// High enough for everything that is shown at first.
		await editor.page.setViewportSize({ width: 1400, height: 1200 });
		await editor.openCredential(demo.credential.name);
		await take('credential', editor.dialog);
	} finally {
		await editor.close();
	}
	return taken;
}

/** Opens a node of a workflow that is created for the screenshot. */
async function openNewNode(editor: Editor, { host }: Demo, name: string, workflow: NewWorkflow) {
	const { id } = await host.client.createWorkflow(workflow);
	await editor.openWorkflow(id);
	await editor.openNode(name);
}

const nodeOf = (
	{ credential: { id, name, type } }: Demo,
	node: string,
	parameters = {},
): INode => ({
	id: node,
	name: node === 'unifiedPayments' ? 'Collect' : 'Unified Payments Trigger',
	type: `n8n-nodes-unified-payments.${node}`,
	typeVersion: 2,
	position: [300, 0],
	parameters,
	credentials: { [type]: { id, name } },
});

/** One link, filled in by hand. */
const linkExample = (demo: Demo): NewWorkflow => ({
	name: 'Link',
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			...nodeOf(demo, 'unifiedPayments', {
				amount: '1,500',
				businessName: 'Amina Shop',
				itemName: 'Order 1042',
				orderReference: 'order-1042',
				callbackUrl: 'https://n8n.example.com/webhook/payments',
			}),
			name: 'Create payment link',
		},
	],
	connections: { Start: { main: [[{ node: 'Create payment link', type: 'main', index: 0 }]] } },
});

/** A sheet as people write it. */
const columnsExample = (demo: Demo): NewWorkflow => ({
	name: 'Columns',
	nodes: [
		{
			id: 'start',
			name: 'Sheet',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		nodeOf(demo, 'unifiedPayments', {
			resource: 'collection',
			operation: 'create',
			inputMode: 'columns',
			columns: { mappingMode: 'autoMapInputData', value: null },
		}),
	],
	connections: { Sheet: { main: [[{ node: 'Collect', type: 'main', index: 0 }]] } },
	pinData: {
		Sheet: [
			['Kenya', '0712 345678', '1,250.50', 'INV-1042'],
			['UG', '772123456', '15 000', 'INV-1043'],
			['Zambia', '+260 95 5123456', 320, 'INV-1044'],
		].map(([Country, phone, Amount, invoice]) => ({
			json: { Country, 'Phone Number': phone, Amount, 'Invoice No': invoice, Notes: '' },
		})) as NonNullable<NewWorkflow['pinData']>[string],
	},
});

const triggerExample = (demo: Demo): NewWorkflow => ({
	name: 'Trigger',
	nodes: [{ ...nodeOf(demo, 'unifiedPaymentsTrigger'), typeVersion: 2, webhookId: 'payments' }],
	connections: {},
});
