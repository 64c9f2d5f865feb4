import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import { useEditor } from './editorSupport.mts';
import { place, useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

test('from an empty canvas to a payment link, with a credential made on the way', async () => {
	const { editor } = open();
	const { sandbox } = demo();
	await editor.newWorkflow();
	await editor.addNode('Unified Payments', 'Create payment link');
	expect(await editor.chosen('resource')).toBe('Payment Link');
	expect(await editor.chosen('operation')).toBe('Create');

	const { baseUrl, clientId, sender, secretKey } = sandboxCredential(sandbox);
	await editor.newCredential();
	await editor.type('baseUrl', String(baseUrl));
	await editor.type('clientId', String(clientId));
	await editor.type('sender', String(sender));
	const refused = await editor.saveSecret('not the key', 'fails');
	expect(refused).toContain(sandbox.state.requests[0]?.message);
	await editor.saveSecret(String(secretKey), 'works');
	await editor.closeDialog();

	await editor.choose('country', 'Ghana');
	expect((await editor.choices('currency'))[0]).toBe('Automatic (GHS)');
	await editor.type('amount', '75.25');
	await editor.type('businessName', 'Kofi Crafts');
	await editor.type('itemName', 'Basket');
	await editor.executeStep();

	expect(sandbox.state.links[0]).toMatchObject({
		currency: 'GHS',
		amount: 75.25,
		item_name: 'Basket',
	});
	await editor.outputShows('accepted');
});

test('the icon is drawn, and is another one in the dark', async () => {
	const { editor } = open();
	await editor.openWorkflow(demo().workflow.id);
	await editor.theme('light');
	const light = await editor.icon('Create payment link');
	await editor.theme('dark');
	const dark = await editor.icon('Create payment link');
	await editor.theme('light');

	expect(light).toMatch(/\/unifiedPayments\.svg$/);
	expect(dark).toMatch(/\/unifiedPayments\.dark\.svg$/);
});

test('an agent is offered the node as a tool', async () => {
	const { editor } = open();
	const agent = {
		...place('AI Agent', '@n8n/n8n-nodes-langchain.agent'),
		typeVersion: 1.7,
	};
	const workflow = await demo().host.client.createWorkflow({
		name: 'Agent',
		nodes: [agent],
		connections: {},
	});
	await editor.openWorkflow(workflow.id);

	expect(await editor.findTool('AI Agent', 'Unified Payments')).toContain('Unified Payments Tool');
});
