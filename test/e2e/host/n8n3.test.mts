import { readdir } from 'node:fs/promises';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { sendFiveOrders } from '../../../dev/host/demo/sendSheet.mts';
import { startHost } from '../../../dev/host/n8n/index.mts';
import type { Host } from '../../../dev/host/n8n/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { useStage } from './standins/stage.mts';
import { NODE_TYPE, PACKAGE, place, runNode, saveNode, useForAll } from './support.mts';

// Older releases have neither the Migration Report for n8n 3 nor all of these settings.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

/** What becomes the default in n8n 3.0, as far as n8n 2.41 has a setting for it. */
const DEFAULTS_OF_3 = {
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 1024 * 1024),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	N8N_DISABLED_MODULES: 'chat-hub',
	N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'workflowsFromSameOwner',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// With the ranges that 3.0 adds to n8n's own list.
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2001::/32,2002::/16',
};

/** What an operator decides who uses this package, and a service at a private address. */
const DECIDED = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

/** To block addresses, n8n looks every name up, also behind a proxy as our stand-ins have one. */
const LOOK_UP_STAND_INS = `import { promises } from 'node:dns';
const { lookup } = promises;
promises.lookup = async (name, options) => await lookup(/(slack|twilio|facebook)\\.com$/.test(name) ? '127.0.0.1' : name, options);`;
const KNOWS_STAND_INS = {
	NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LOOK_UP_STAND_INS)}`,
};

/** What the report says about any n8n, whatever runs on it; docs/running-n8n.md lists them. */
const UP_TO_THE_OPERATOR = [
	// Not in a container: n8n from npm.
	'docker-only-deployment-v3',
	// Somebody who has set it has to look whether they call such addresses.
	'ssrf-default-blocked-ranges-v3',
	// n8n's editor, for everybody.
	'workflow-import-url-removed-v3',
];

interface Report {
	totalWorkflows: number;
	report: {
		workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }>;
		instanceResults: Array<{ ruleId: string }>;
	};
}

/** Settings, Migration Report: the names of the workflows and the rules of the instance. */
async function migrationReport({ client }: Host) {
	const path = '/rest/breaking-changes/report';
	const { totalWorkflows, report } = await client.post<Report>(`${path}/refresh?version=v3`, {});
	const workflows: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await client.get<{ affectedWorkflows: Array<{ name: string }> }>(
			`${path}/${ruleId}`,
		);
		workflows.push(...affectedWorkflows.map(({ name }) => `${name}: ${ruleId}`));
	}
	return { totalWorkflows, workflows, instance: report.instanceResults.map((each) => each.ruleId) };
}

/** An amount with which the sandbox leaves a payment pending. */
const PENDING = 990100;

const COLLECTION = {
	resource: 'collection',
	operation: 'createAndWait',
	country: 'KE',
	amount: String(PENDING),
	mobile: '0712345678',
	waitLimitMinutes: 5,
};

newest('With the defaults of n8n 3.0', () => {
	const stage = useStage({ ...DEFAULTS_OF_3, ...DECIDED, ...KNOWS_STAND_INS });

	test('the Migration Report names no example', async () => {
		const { client } = stage().host;
		const before = await migrationReport(stage().host);

		const files = await readdir('examples');
		const count = files.filter((file) => file.endsWith('.json')).length;
		expect(before.totalWorkflows).toBe(count);
		expect(before.workflows).toEqual([]);
		expect(before.instance.filter((rule) => !UP_TO_THE_OPERATOR.includes(rule))).toEqual([]);

		// It does find what is affected.
		await client.createWorkflow({
			name: 'Made with n8n 0.100',
			nodes: [place('Old', 'n8n-nodes-base.function', { functionCode: 'return items;' })],
			connections: {},
		});
		const { workflows } = await migrationReport(stage().host);
		expect(workflows).toEqual([expect.stringMatching(/^Made with n8n 0\.100: /)]);
	});

	test('a sheet becomes links that are approved and mailed, and a callback is told to the team', async () => {
		const { sandbox, messages } = stage();
		expect(await sendFiveOrders(stage())).toEqual({ links: 4, corrections: 1 });
		const { reference } = sandbox.state.links[0]!;
		await call(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome: 'success' },
		});
		expect((await messages.arrived('#payments'))[0]).toContain(': paid, ');
	});

	test('an execution sleeps until its collection is paid', async () => {
		const { host, sandbox } = stage();
		const all = await host.client.credentials();
		const credential = all.find(({ type }) => type === 'unifiedPaymentsApi')!;
		const workflow = await saveNode({ host, credential }, COLLECTION);
		const id = await host.client.start(workflow, 'Start');
		const becomes = async (status: string) =>
			await until(`the execution to be ${status}`, async () =>
				(await host.client.stored(id))?.status === status ? true : undefined,
			);
		await becomes('waiting');
		const transaction = sandbox.state.transactions.find(({ amount }) => amount === PENDING)!;
		expect(transaction.callback_url).toContain('/webhook-waiting/');
		sandbox.settle(transaction.ref, { status: 'success' });
		await becomes('success');

		const items = (await host.client.finished(id)).json('Success');
		expect(items).toEqual([expect.objectContaining({ state: 'success' })]);
	});

	test('a service at a private address that is not named gets nothing, and the row says why', async () => {
		const { host, sandbox } = stage();
		const credential = await host.client.createCredential('Elsewhere', 'unifiedPaymentsApi', {
			...sandboxCredential(sandbox),
			baseUrl: sandbox.url.replace('127.0.0.1', '127.0.0.2'),
		});
		const create = { ...COLLECTION, operation: 'create', amount: '151' };
		const { failure } = await runNode({ host, credential }, create);

		expect(failure?.message).toBe(
			'No connection to the service for the collection: nothing was sent [Item 0]',
		);
		expect(failure?.description).toMatch(/N8N_SSRF_ALLOWED_IP_RANGES \(SsrfBlockedIpError\)/);
		expect(sandbox.state.transactions.filter(({ amount }) => amount === 151)).toEqual([]);
	});
});

newest('Where n8n does not load packages that it has not verified', () => {
	const env = {
		...DEFAULTS_OF_3,
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
		// 3.0 does so by itself; with the setting above, 2.41 only refuses to install.
		N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true',
	};
	const host = useForAll(async () => await startHost({ env }));

	test('a workflow does not start and names the node, and the package cannot be installed', async () => {
		const credential = { id: '1', name: 'None', type: 'unifiedPaymentsApi' };
		await expect(runNode({ host: host(), credential }, COLLECTION)).rejects.toThrow(
			`Unrecognized node type: ${NODE_TYPE}`,
		);
		await expect(host().client.post('/rest/community-packages', { name: PACKAGE })).rejects.toThrow(
			'Installation of unverified community packages is forbidden!',
		);
	});
});
