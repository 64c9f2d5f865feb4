import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeEditorScreenshots } from '../../../tools/screenshots/editor.mts';
import { useEditor } from './editorSupport.mts';
import { runNode, saveNode, useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

test('the panel that adds nodes finds the node and offers its actions', async () => {
	const { editor } = open();
	await editor.openWorkflow(demo().workflow.id);

	expect(await editor.findNode('Unified Payments')).toEqual(
		expect.arrayContaining([
			'Create payment link',
			'Collect payment by mobile money',
			'Get wallet balance',
		]),
	);
});

test('the dropdowns offer resources, operations and countries; the currency follows the country', async () => {
	const { editor } = open();
	await editor.openWorkflow(demo().workflow.id);
	await editor.openNode('Create payment link');

	expect(await editor.choices('resource')).toEqual([
		'Account',
		'Balance',
		'Collection',
		'Country',
		'Payment Link',
		'Token',
		'Transaction',
	]);
	expect(await editor.choices('operation')).toEqual([
		'Create',
		'Check',
		'Get',
		'Get Many',
		'Wait Until Paid',
	]);
	const countries = await editor.choices('country');
	expect(countries).toHaveLength(11);
	expect(countries).toEqual([...countries].sort());
	expect(await editor.chosen('country')).toBe('Kenya (KES)');
	expect((await editor.choices('currency'))[0]).toBe('Automatic (KES)');

	await editor.choose('country', 'Ghana');
	expect((await editor.choices('currency'))[0]).toBe('Automatic (GHS)');
});

test('executing the step in the editor sends what is in the fields', async () => {
	const { editor } = open();
	await editor.openWorkflow(demo().workflow.id);
	await editor.openNode('Create payment link');
	await editor.choose('country', 'Ghana');
	await editor.type('amount', '12.50');
	await editor.executeStep();

	expect(demo().sandbox.state.links[0]).toMatchObject({ currency: 'GHS', amount: 12.5 });
});

test('a wallet is picked from the list, found by its currency', async () => {
	const { editor } = open();
	await editor.openWorkflow(
		(await saveNode(demo(), { resource: 'balance' }, { position: [400, 0] })).id,
	);
	await editor.openNode('Node');

	expect((await editor.offered('walletAccount', '(KES)')).length).toBeGreaterThan(1);
	expect(await editor.offered('walletAccount', '(UGX)', 'ugx')).toHaveLength(1);
	await editor.pick('(UGX)');
	expect(await editor.picked('walletAccount')).toContain('(UGX)');
	await editor.pressExecute();
	await editor.outputShows('UGX');
	expect(await editor.output()).not.toContain('KES');
});

test('so is a payment link, found by what it is for', async () => {
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

test("the credential dialog shows the service's verdict, bad and good", async () => {
	const { editor } = open();
	const { credential, sandbox } = demo();
	await editor.openCredential(credential.name);

	const refused = await editor.saveSecret('not the key', 'fails');
	expect(refused).toContain(sandbox.state.requests[0]?.message);
	const accepted = await editor.saveSecret(sandbox.integrations[0]!.secretKey, 'works');
	expect(accepted).toContain('Connection tested successfully');
});

test('screenshots for the documentation are taken', async () => {
	const { browser } = open();
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-screenshots-'));
	try {
		const files = await takeEditorScreenshots({ browser, demo: demo(), folder });
		const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));

		expect(files).toHaveLength(7);
		expect(Math.min(...sizes)).toBeGreaterThan(10_000);
	} finally {
		await rm(folder, { recursive: true });
	}
});
