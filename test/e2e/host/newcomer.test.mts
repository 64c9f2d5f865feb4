import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { addressShown, addTrigger, listen } from '../../helpers/editor/trigger.mts';
import { useEditor } from './editorSupport.mts';
import { runNode, saveNode, useDemo } from './support.mts';

const demo = useDemo();

const open = useEditor(demo);

const NAME = 'Unified Payments';

test.each([
	...['link', 'payment link', 'momo', 'mpesa', 'm-pesa', 'callback', 'mobile money'],
	...[
		'stk push',
		'safaricom',
		'wallet',
		'tigo',
		'mtn',
		'receipt',
		'bill customer',
		'resend prompt',
	],
	...['Kenya', 'Benin', "Cote d'Ivoire", 'Cameroon', 'Senegal', 'Tanzania', 'Uganda'],
	...['Zambia', 'Sierra Leone', 'Ghana', 'Nigeria'],
])('the panel that adds nodes finds it by the word %s, among the first three', async (word) => {
	const { editor } = open();
	await editor.openCreator(demo().workflow.id);

	expect((await editor.found(word, NAME)).slice(0, 3)).toContain(NAME);
});

test('the credential has four fields, and the rest behind Advanced', async () => {
	const { editor } = open();
	const { host, sandbox } = demo();
	const { dialog } = editor;
	/** The fields that it shows, from top to bottom; n8n adds one of its own to each credential. */
	const shown = async (): Promise<string[]> => {
		const fields = await dialog.locator('[data-test-id^="parameter-input-"]').all();
		const ids = await Promise.all(
			fields.map(async (each) => await each.getAttribute('data-test-id')),
		);
		const names = ids.map((id) => id!.replace('parameter-input-', ''));
		return [...new Set(names)].filter((name) => !/^(?:allowed|field$|item$)/.test(name));
	};
	const saved = await host.client.createCredential('Own template', 'unifiedPaymentsApi', {
		...sandboxCredential(sandbox),
		signatureAlgorithm: 'sha512',
	});
	await editor.openCredential(saved.name);

	const first = ['baseUrl', 'clientId', 'sender', 'secretKey', 'advanced'];
	expect(await shown()).toEqual(first);

	await editor.turn('advanced');
	await dialog.locator('[data-test-id="parameter-input-authUrl"]').waitFor();
	expect(await shown()).toEqual(
		expect.arrayContaining(['authUrl', 'signatureTemplate', 'apiKeyHeader']),
	);
	// What was saved before there was a switch is still there.
	expect(await editor.chosen('signatureAlgorithm')).toBe('HMAC-SHA512');
	await editor.turn('advanced');
	// With another algorithm than the sandbox has, the service must refuse it: the value still counts.
	const refused = await editor.saveRefused(sandbox.integrations[0]!.secretKey);
	expect(refused).toContain('Couldn’t connect with these settings');
	expect(refused).toContain("'Diagnose'");
});

test('columns take the place of the fields, are told in a note, and are run as they stand', async () => {
	const { editor } = open();
	const row = { Country: 'Kenya', 'Phone Number': '0712 345678', Amount: 10, 'Order No': 'C-1' };
	const saved = await saveNode(
		demo(),
		{ resource: 'collection', operation: 'create' },
		{ rows: [row, { ...row, 'Order No': 'C-2' }], position: [300, 300] },
	);
	await editor.openWorkflow(saved.id);
	await editor.openNode('Node');
	await editor.choose('inputMode', 'Columns');
	const panel = async () => await editor.panel.innerText();
	expect(await panel()).not.toContain('Payment Method Type');
	expect(await panel()).toMatch(/named the same[^]*Beside the names of the fields/);
	await editor.executeStep();
	await editor.outputShows('C-1');
	expect(demo().sandbox.state.ledger.accepted).toBe(2);

	await editor.chooseMapping('Map Each Column Manually');
	await until('the note to go', async () =>
		(await panel()).includes('Beside the names') ? undefined : true,
	);
});

test('the trigger shows a callback to its test URL', async () => {
	const { editor } = open();
	const { host, sandbox } = demo();
	const payment = { country: 'KE', amount: '990200', mobile: '0712 345678' };
	await runNode(demo(), { resource: 'collection', operation: 'create', ...payment });
	const { ref } = sandbox.state.transactions[0]!;
	await editor.newWorkflow();
	await addTrigger(editor);
	await editor.chooseCredential(demo().credential.name);

	const production = await addressShown(editor, 'Production');
	const address = await addressShown(editor, 'Test');
	expect(production).toMatch(new RegExp(`^${host.url}/webhook/[0-9a-f-]+/webhook$`));
	expect(address).toBe(production.replace('/webhook/', '/webhook-test/'));
	await listen(editor);
	// The editor says that it listens before the server does.
	const reply = await until('the address for tests', async () => {
		const answer = await call(address, { method: 'POST', body: { ref } });
		return answer.status === 404 ? undefined : answer;
	});
	expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { accepted: true }]);
	await editor.outputShows('transaction.updated');
});
