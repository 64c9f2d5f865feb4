import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import type { SavedCredential } from '../../../host/n8n/index.mts';
import { isAtLeast } from '../../../host/n8n/release.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { addressShown, listen } from '../../helpers/editor/trigger.mts';
import { useEditor } from './editorSupport.mts';
import { NODE_TYPE, place, runNode, to, useDemo } from './support.mts';
import { TRIGGER, TRIGGER_TYPE } from './triggerSupport.mts';

const demo = useDemo();

const open = useEditor(demo);

/** What the panel that adds nodes shows of a node: its name and its text. */
const NAME = 'Unified Payments';

describe('the panel that adds nodes', () => {
	test.each([
		...['link', 'payment link', 'momo', 'mpesa', 'm-pesa', 'callback', 'mobile money'],
		...['Kenya', 'Benin', "Cote d'Ivoire", 'Cameroon', 'Senegal', 'Tanzania', 'Uganda'],
		...['Zambia', 'Sierra Leone', 'Ghana', 'Nigeria'],
	])('finds it by the word %s, among the first three', async (word) => {
		const { editor } = open();
		await editor.openCreator(demo().workflow.id);

		expect((await editor.found(word, NAME)).slice(0, 3)).toContain(NAME);
	});

	// The panel of older releases shows names only.
	const withTexts = isAtLeast('2.41.0') ? test : test.skip;
	withTexts('says of the pair what both do', async () => {
		const { editor } = open();
		await editor.openCreator(demo().workflow.id);
		await editor.found('momo', NAME);

		expect(await editor.creatorText(NAME)).toContain(
			'Take payments in eleven African countries by link or mobile money, and start workflows when they are paid',
		);
	});
});

describe('the credential', () => {
	/** The fields that the dialog shows, from top to bottom; n8n adds one of its own to each credential. */
	const shown = async (): Promise<string[]> => {
		const { dialog } = open().editor;
		await dialog.locator('[data-test-id="parameter-input-secretKey"]').waitFor();
		const fields = await dialog.locator('[data-test-id^="parameter-input-"]').all();
		const ids = await Promise.all(
			fields.map(async (each) => await each.getAttribute('data-test-id')),
		);
		const names = ids.map((id) => id!.replace('parameter-input-', ''));
		return [...new Set(names)].filter((name) => !/^(?:allowed|field$|item$)/.test(name));
	};

	test('has four fields, the callback token with a word on why, and the rest behind Advanced', async () => {
		const { editor } = open();
		const { host, sandbox } = demo();
		const saved = await host.client.createCredential('Own template', 'unifiedPaymentsApi', {
			...sandboxCredential(sandbox),
			signatureAlgorithm: 'sha512',
		});
		await editor.openCredential(saved.name);

		const first = ['baseUrl', 'clientId', 'sender', 'secretKey', 'callbackToken', 'advanced'];
		expect(await shown()).toEqual(first);
		expect(await editor.dialog.innerText()).toContain('Only for the trigger');

		await editor.turn('advanced');
		expect(await shown()).toEqual(
			expect.arrayContaining(['authUrl', 'signatureTemplate', 'apiKeyHeader']),
		);
		// What was saved before there was a switch is still there.
		expect(await editor.chosen('signatureAlgorithm')).toBe('HMAC-SHA512');
		await editor.turn('advanced');
		// With another algorithm than the sandbox has, the service must refuse it: the value still counts.
		const refused = await editor.saveSecret(sandbox.integrations[0]!.secretKey, 'fails');
		expect(refused).toContain("'Client ID' and 'Secret Key' are right");
	});

	test('a wrong secret is said in the first words', async () => {
		const { editor } = open();
		await editor.openCredential(demo().credential.name);

		expect(await editor.saveSecret('not the key', 'fails')).toMatch(
			/^Wrong 'Secret Key' or 'Client ID'/m,
		);
		await editor.saveSecret(demo().sandbox.integrations[0]!.secretKey, 'works');
	});
});

describe('columns', () => {
	const sheet = async (rows: object[], options = {}) => {
		const { credential, host } = demo();
		const { id, name, type } = credential;
		const saved = await host.client.createWorkflow({
			name: 'Columns',
			nodes: [
				place('Sheet', 'n8n-nodes-base.manualTrigger'),
				{
					...place('Collect', NODE_TYPE, {
						resource: 'collection',
						operation: 'create',
						inputMode: 'columns',
						columns: { mappingMode: 'autoMapInputData', value: null },
						options,
					}),
					position: [300, 0],
					credentials: { [type]: { id, name } },
				},
			],
			connections: { Sheet: { main: [to('Collect')] } },
			pinData: { Sheet: rows.map((json) => ({ json: { ...json } })) },
		});
		await open().editor.openWorkflow(saved.id);
		await open().editor.openNode('Collect');
	};
	const ROW = { Country: 'Kenya', 'Phone Number': '0712 345678', Amount: 10 };

	test('our note says that the one of n8n does not apply, as long as that one is there', async () => {
		const { editor } = open();
		await sheet([ROW]);
		const panel = async () => await editor.panel.innerText();
		expect(await panel()).toMatch(/named the same[^]*The note above does not apply here/);

		await editor.chooseMapping('Map Each Column Manually');
		await until('the note to go', async () =>
			(await panel()).includes('does not apply') ? undefined : true,
		);
		expect(await panel()).not.toContain('named the same');
	});

	test('what to do names labels that the panel has', async () => {
		const { editor } = open();
		await sheet([{ Country: 'Kenya', Amount: 10 }]);
		await editor.pressExecute();
		await editor.outputShows('Map Each Column Manually');

		const advice = await editor.output();
		expect(advice).toContain("The input has no column for 'Mobile'");
		const labels = /set '([^']+)' to '([^']+)'/.exec(advice)!;
		expect(await editor.panel.innerText()).toContain(labels[1]);
		await editor.chooseMapping(labels[2]!);
	});

	test('a dry run has no nulls in its rows', async () => {
		const { editor } = open();
		await sheet([ROW, { ...ROW, Country: 'Ghana' }], { dryRun: true });
		await editor.executeStep();
		await editor.outputShows('Dry run: would be sent');

		const output = await editor.output();
		expect(output).not.toMatch(/\bnull\b/);
		// Advice for Ghana names countries that can be chosen next, and no others.
		expect(output).toContain('In Ghana customers can pay by payment link');
		expect(output).not.toContain('Senegal');
	});

	test('says in words how many rows were sent before, and names a field once', async () => {
		const { editor } = open();
		const order = { ...ROW, Order: `A-${Date.now()}` };
		await sheet([order, order]);
		await editor.executeStep();
		await editor.outputShows('1 skipped as a duplicate');

		await sheet([{ ...order, Amount: 'many' }]);
		await editor.pressExecute();
		await editor.outputShows(`'Amount' in order ${order.Order}, row 2 is "many"`);
		expect(await editor.output()).not.toContain('column "Amount"');
	});

	test('the hint of Mobile is about every country', async () => {
		const { editor } = open();
		await sheet([ROW]);
		await editor.choose('inputMode', 'Fields');
		const hint = 'The customer receives a verification token here, and must verify it to pay';
		await editor.panel.getByText(hint).waitFor();

		expect(await editor.panel.innerText()).not.toContain('Senegal');
	});
});

describe('the trigger', () => {
	let without: SavedCredential;
	let withToken: SavedCredential;
	beforeAll(async () => {
		const { host, sandbox } = demo();
		const data = sandboxCredential(sandbox);
		without = await host.client.createCredential('No token', 'unifiedPaymentsApi', data);
		withToken = await host.client.createCredential('With token', 'unifiedPaymentsApi', {
			...data,
			callbackToken: 'a long and random text',
		});
	});

	const openTrigger = async ({ id, name, type }: SavedCredential) => {
		const saved = await demo().host.client.createWorkflow({
			name: `Trigger: ${name}`,
			nodes: [
				{
					...place(TRIGGER, TRIGGER_TYPE),
					typeVersion: 2,
					webhookId: crypto.randomUUID(),
					credentials: { [type]: { id, name } },
				},
			],
			connections: {},
		});
		await open().editor.openWorkflow(saved.id);
		await open().editor.openNode(TRIGGER);
	};
	const said = async (words: RegExp) =>
		await until(`${words} in the panel`, async () => {
			const chosen = await open().editor.chosen('callbackTokenState');
			return words.test(chosen) ? chosen : undefined;
		});

	test('says whether this credential has a token, also when another one is chosen', async () => {
		await openTrigger(without);
		await said(/^None in This Credential/);

		await open().editor.chooseCredential(withToken.name);
		await said(/^Set in This Credential/);
	});

	test('says so with the result of a run, too', async () => {
		const { editor } = open();
		const payment = { country: 'KE', amount: '990200', mobile: '0712 345678' };
		await runNode(demo(), { resource: 'collection', operation: 'create', ...payment });
		const { ref } = demo().sandbox.state.transactions[0]!;
		await openTrigger(without);
		const address = await addressShown(editor, 'Test');
		await listen(editor);
		await until('the address for tests', async () => {
			const { status } = await call(address, { method: 'POST', body: { ref } });
			return status === 404 ? undefined : status;
		});
		await editor.outputShows('transaction.updated');

		expect(await editor.output()).toContain("This credential has no 'Callback Token'");
	});
});
