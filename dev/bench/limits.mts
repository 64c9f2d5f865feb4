/**
 * What it costs to refuse a sheet: `npm run bench:limits -- [rows] [rounds]`, on a real n8n. The peer
 * is 'Check', which reads the same sheet and refuses nothing.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDemo } from '../host/demo/index.mts';
import { buildIfStale } from '../host/n8n/index.mts';

const [rows = 10_000, rounds = 3] = process.argv.slice(2).map(Number);

const sheet: IDataObject[] = Array.from({ length: rows }, (_, index) => ({
	Country: 'Kenya',
	'Phone Number': `07${10_000_000 + index}`,
	'Amount (KES)': 100 + index,
	'Order No': `ORDER-${index}`,
}));

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

await buildIfStale();
const demo = await startDemo({});
try {
	const { id, name, type } = demo.credential;
	const run = async (parameters: INodeParameters): Promise<number> => {
		const workflow = await demo.host.client.createWorkflow({
			name: 'Limits',
			nodes: [
				{
					id: 'Start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				{
					id: 'Node',
					name: 'Node',
					type: 'n8n-nodes-unified-payments.unifiedPayments',
					typeVersion: 2,
					position: [200, 0],
					parameters: {
						resource: 'collection',
						inputMode: 'columns',
						columns: { mappingMode: 'autoMapInputData', value: null },
						...parameters,
					},
					credentials: { [type]: { id, name } },
				},
			],
			connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
			pinData: { Start: sheet.map((json) => ({ json })) },
		});
		const execution = await demo.host.client.run(workflow, 'Start');
		return execution.tasks('Node')[0]!.executionTime;
	};
	const checks: number[] = [];
	const refusals: number[] = [];
	await run({ operation: 'check' });
	for (let round = 0; round < rounds; round++) {
		checks.push(await run({ operation: 'check' }));
		refusals.push(await run({ operation: 'create', options: { maxTotal: 1_000_000 } }));
	}
	const [read, refused] = [median(checks), median(refusals)];
	console.log(`${rows} rows, medians of ${rounds} rounds`);
	console.log(`Check, which reads them:             ${read} ms`);
	console.log(`Create above 'Max Total', in all:    ${refused} ms`);
	console.log(
		`Create ÷ Check:                      ${(refused / read).toFixed(2)} (goal: below 2)`,
	);
	console.log(`requests to the service:             ${demo.sandbox.state.requests.length}`);
} finally {
	await demo.stop();
}
