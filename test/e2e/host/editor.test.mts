import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../../host/shared/until.mts';
import { takeEditorScreenshots } from '../../../tools/screenshots/editor.mts';
import { useEditor } from './editorSupport.mts';
import { runNode, saveNode, useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

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
	// The list cannot be opened while it is loaded again.
	await until('the currency of Ghana', async () =>
		(await editor.chosen('currency')) === 'Automatic (GHS)' ? true : undefined,
	);
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
