import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startDemo } from '../../../host/demo/index.mts';
import type { Demo } from '../../../host/demo/index.mts';
import { buildIfStale } from '../../../host/n8n/index.mts';
import { until } from '../../../host/shared/until.mts';
import { saveNode } from './support.mts';

jest.setTimeout(30 * 60_000);

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
	}));

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
