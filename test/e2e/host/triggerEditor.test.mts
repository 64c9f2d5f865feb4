import {
	addressShown,
	addTrigger,
	findTrigger,
	listen,
	outputNames,
} from '../../helpers/editor/trigger.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { useEditor } from './editorSupport.mts';
import { NODE_TYPE, runNode, useDemo } from './support.mts';
import { TRIGGER, TRIGGER_TYPE } from './triggerSupport.mts';

const demo = useDemo();

const open = useEditor(demo);

test('both nodes are loaded, with icons for both themes that are served', async () => {
	const { client, url } = demo().host;
	const types = await client.nodeTypes(NODE_TYPE, TRIGGER_TYPE);

	expect(types.map(({ name }) => name)).toEqual(['unifiedPayments', 'unifiedPaymentsTrigger']);
	for (const { iconUrl } of types) {
		const { light, dark } = iconUrl as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const path of [light, dark]) {
			const icon = await call(`${url}/${path}`);
			expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
			expect(icon.text).toContain('<svg');
		}
	}
});

test('its codex and the names of its outputs reach the editor', async () => {
	const [type] = await demo().host.client.nodeTypes(TRIGGER_TYPE);

	// With exactly 1, n8n would evaluate an expression at every request.
	expect(type?.version).toBe(2);
	expect(type?.outputNames).toEqual(['Callback', 'Rejected']);
	expect(type?.codex?.categories).toContain('Finance & Accounting');
});

test('the panel of an empty canvas finds it, under the same name as the node', async () => {
	const { editor } = open();
	await editor.newWorkflow();

	expect(await findTrigger(editor)).toEqual(['On new Unified Payments event']);
});

test('on the canvas it has two outputs with names, and an icon for each theme', async () => {
	const { editor } = open();
	await editor.newWorkflow();
	await addTrigger(editor);
	await editor.closeNode();

	expect(await outputNames(editor)).toEqual(['Callback', 'Rejected']);
	const light = await editor.icon(TRIGGER);
	await editor.theme('dark');
	const dark = await editor.icon(TRIGGER);
	await editor.theme('light');
	expect([light, dark]).toEqual([
		expect.stringMatching(/unifiedPayments\.svg$/),
		expect.stringMatching(/unifiedPayments\.dark\.svg$/),
	]);
});

test('it shows both addresses; a callback to the one for tests is shown at once', async () => {
	const { editor } = open();
	const { url } = demo().host;
	const payment = { country: 'KE', amount: '990200', mobile: '0712 345678' };
	await runNode(demo(), { resource: 'collection', operation: 'create', ...payment });
	const { ref } = demo().sandbox.state.transactions[0]!;
	await editor.newWorkflow();
	await addTrigger(editor);
	const production = await addressShown(editor, 'Production');
	const address = await addressShown(editor, 'Test');
	expect(production).toMatch(new RegExp(`^${url}/webhook/[0-9a-f-]+/webhook$`));
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
