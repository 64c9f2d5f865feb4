import { until } from '../../../dev/host/shared/until.mts';
import { useEditor } from './editorSupport.mts';
import { runNode, saveNode, useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

test('the currency follows the country', async () => {
	const { editor } = open();
	const parameters = { resource: 'paymentLink', operation: 'create', country: 'KE' };
	const { id } = await saveNode(demo(), parameters, { position: [400, 0] });
	await editor.openWorkflow(id);
	await editor.openNode('Node');
	expect(await editor.chosen('country')).toBe('Kenya (KES)');

	await editor.choose('country', 'Ghana');
	// The list cannot be opened while it is loaded again.
	await until('the currency of Ghana', async () =>
		(await editor.chosen('currency')) === 'Automatic (GHS)' ? true : undefined,
	);
});

test('a payment link is picked from the list, found by what it is for', async () => {
	const { editor } = open();
	const fields = {
		country: 'KE',
		amount: 5,
		businessName: 'Shop',
		itemName: '={{ $json.item }}',
		callbackUrl: 'https://shop.example.com/paid',
	};
	const rows = [{ item: 'Sugar' }, { item: 'Salt' }];
	await runNode(demo(), { resource: 'paymentLink', operation: 'create', ...fields }, { rows });
	const get = await saveNode(
		demo(),
		{ resource: 'paymentLink', operation: 'get' },
		{ position: [400, 0] },
	);
	await editor.openWorkflow(get.id);
	await editor.openNode('Node');

	expect(await editor.offered('paymentLink', 'Sugar')).toContain('Salt – 5.00 KES');
	expect(await editor.offered('paymentLink', 'Sugar', 'sugar')).toEqual(['Sugar – 5.00 KES']);
	await editor.pick('Sugar');
	expect(await editor.picked('paymentLink')).toBe('Sugar – 5.00 KES');
	await editor.pressExecute();
	await editor.outputShows('Sugar');
	expect(await editor.output()).not.toContain('Salt');
});

test('while it sleeps, the editor says what it waits for', async () => {
	const { editor } = open();
	// An amount with which the sandbox leaves a payment pending.
	const collection = { country: 'KE', amount: '990100', mobile: '0712 345678' };
	const parameters = { resource: 'collection', operation: 'createAndWait', ...collection };
	const { id } = await saveNode(demo(), parameters, { position: [400, 0] });
	await editor.openWorkflow(id);
	await editor.openNode('Node');
	await editor.pressExecute();
	await editor.page
		.getByText(/Waiting until the payments have succeeded or failed, at most \d+ minutes/)
		.first()
		.waitFor();
	await editor.closeNode();
});
