import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { startDemo } from '../../../host/demo/index.mts';
import type { Demo } from '../../../host/demo/index.mts';
import { Editor } from '../../helpers/editor/editor.mts';
import { buildIfStale, OWNER } from '../../../host/n8n/index.mts';
import { until } from '../../../host/shared/until.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { runNode, saveNode, useDemo } from './support.mts';

const demo = useDemo({ mode: 'rich' });

beforeEach(() => demo().sandbox.reset());

const collect = {
	resource: 'collection',
	operation: 'create',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null },
};

const sheet = (count: number) =>
	Array.from({ length: count }, (_, i) => ({
		Country: 'Kenya',
		'Phone Number': `07${String(10_000_000 + i)}`,
		'Amount (KES)': 100 + i,
		'Order No': `ORDER-${i}`,
		Notes: '',
	}));

test('a sheet is read by its headings, and what was ignored is said', async () => {
	const run = await runNode(demo(), collect, { rows: sheet(3) });

	expect(run.failure?.message).toBeUndefined();
	expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(Array(3).fill('accepted'));
	expect(run.hints('Node').join()).toContain('Ignored: "Notes"');
	expect(demo().sandbox.state.ledger.entries[0]?.params).toMatchObject({
		amount: 100,
		mobile: '254710000000',
		third_party_reference_1: 'ORDER-0',
	});
});

test('running the same sheet again sends nothing', async () => {
	const workflow = await saveNode(demo(), collect, { rows: sheet(3) });
	await demo().host.client.run(workflow, 'Start');
	const again = await demo().host.client.run(workflow, 'Start');

	expect(again.json('Success').map(({ outcome }) => outcome)).toEqual(Array(3).fill('duplicate'));
	expect(demo().sandbox.state.ledger.accepted).toBe(3);
});

test('a long run says in the log how far it is', async () => {
	const parameters = { ...collect, options: { requestsPerSecond: 10 } };
	await runNode(demo(), parameters, { rows: sheet(60) });

	expect(demo().host.log()).toMatch(
		/Node: \d+ of 60 rows done \(\d+ %\), about \d+ s left: \d+ accepted/,
	);
});

test('an error that ends a run shows below it what was made', async () => {
	demo().sandbox.faults.add({ kind: 'server-error', status: 500, nth: 3 });
	const parameters = { ...collect, options: { concurrency: 1 } };
	const run = await runNode(demo(), parameters, { rows: sheet(4) });

	expect(run.status).toBe('error');
	const { messages } = run.failure as unknown as { messages: string[] };
	const [first] = demo().sandbox.state.ledger.entries;
	expect(messages).toContain(`Row 2 accepted: ${first!.reference}`);
});

describe('in the editor', () => {
	let browser: Browser;
	let editor: Editor;
	beforeAll(async () => {
		browser = await launchBrowser();
		editor = await Editor.signIn(browser, demo().host.url, OWNER);
	}, 120_000);
	afterAll(async () => await browser?.close());

	test('columns take the place of the fields, and are run as they stand', async () => {
		const parameters = { resource: 'collection', operation: 'create' };
		const position: [number, number] = [300, 300];
		const workflow = await saveNode(demo(), parameters, { rows: sheet(2), position });
		await editor.openWorkflow(workflow.id);
		await editor.openNode('Node');
		await editor.choose('inputMode', 'Columns');

		await expect(editor.panel.innerText()).resolves.toContain('Mapping Column Mode');
		await expect(editor.panel.innerText()).resolves.not.toContain('Payment Method Type');
		await editor.executeStep();
		await editor.outputShows('ORDER-0');
		expect(demo().sandbox.state.ledger.accepted).toBe(2);
	});
});

/** The short form of `npm run test:soak`. */
test('after n8n was killed in the middle of a sheet, the next run sends only the rest', async () => {
	const data = await mkdtemp(join(tmpdir(), 'unified-payments-killed-'));
	const rows = sheet(400);
	await buildIfStale();
	let own: Demo | undefined;
	try {
		own = await startDemo({ data, switches: { mode: 'rich' } });
		const { sandbox, host, credential } = own;
		const parameters = { ...collect, options: { requestsPerSecond: 100 } };
		const workflow = await saveNode(own, parameters, { rows, credential });
		await host.client.start(workflow, 'Start');
		await until('a hundred rows', async () =>
			sandbox.state.ledger.accepted > 100 ? true : undefined,
		);
		await host.kill();
		const before = sandbox.state.ledger.countBy('third_party_reference_1');
		const port = sandbox.port;
		await sandbox.close();

		own = await startDemo({ data, sandboxPort: port, switches: { mode: 'rich' } });
		const saved = (await own.host.client.workflows()).find(({ name }) => name === workflow.name)!;
		const run = await own.host.client.run(saved, 'Start');
		const after = own.sandbox.state.ledger.countBy('third_party_reference_1');

		// The sandbox remembers what it took before: nothing is there twice.
		expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)));
		expect(Object.entries(after).filter(([, times]) => times > 1)).toEqual([]);
		const outcomes = run.json('Success').map(({ outcome }) => outcome);
		expect(outcomes).toHaveLength(rows.length);
		const sent = outcomes.filter((outcome) => outcome === 'accepted').length;
		expect(sent).toBe(Object.keys(after).length - Object.keys(before).length);
		expect(sent).toBeGreaterThan(100);
		expect(outcomes.filter((outcome) => outcome === 'duplicate').length).toBeGreaterThan(0);
	} finally {
		await own?.stop();
		await rm(data, { recursive: true, force: true });
	}
});
