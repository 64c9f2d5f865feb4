import { NODE, connect, node, pass, runNode, runWorkflow } from '../../../host/engine/index.mts';
import { toyNode } from './toys/node.mts';

const echo = toyNode(async function () {
	return [
		this.getInputData().map((item, i) => ({
			json: {
				row: item.json.row,
				operation: this.getNodeParameter('operation', i),
				amount: this.getNodeParameter('amount', i, null),
				reference: this.getNodeParameter('reference', i, null),
			},
			pairedItem: { item: i },
		})),
	];
});

test('rows keep their order and their pairing', async () => {
	const { success, status } = await runNode(
		echo,
		{},
		{ items: [{ row: 1 }, { row: 2 }, { row: 3 }] },
	);

	expect(status).toBe('success');
	expect(success.map(({ json }) => json.row)).toEqual([1, 2, 3]);
	expect(success.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0, input: undefined },
		{ item: 1, input: undefined },
		{ item: 2, input: undefined },
	]);
});

test('a later node reaches the row of an earlier one through the pairing', async () => {
	const name = 'n8n-nodes-unified-payments.toy';
	const reversed = toyNode(async function () {
		const rows = this.getInputData().map((_, i) => ({ json: {}, pairedItem: { item: i } }));
		return [rows.reverse()];
	});
	const { json } = await runWorkflow({
		nodes: [
			pass('Start'),
			node('Reversed', 'toys.reversed'),
			node('Last', name, { amount: '={{ $("Start").item.json.row * 10 }}' }),
		],
		connections: connect(['Start', 'Reversed'], ['Reversed', 'Last']),
		nodeTypes: { 'toys.reversed': reversed, [name]: echo },
		items: [{ json: { row: 1 } }, { json: { row: 2 } }],
	}).then((result) => ({ json: result.json('Last') }));

	expect(json.map(({ amount }) => amount)).toEqual([20, 10]);
});

test('defaults are filled in, and what is not displayed is not there', async () => {
	const { successJson } = await runNode(echo, { reference: 'hidden in this operation' });

	expect(successJson).toEqual([{ row: undefined, operation: 'send', amount: 5, reference: null }]);
});

test('expressions are resolved per row', async () => {
	const parameters = { amount: '={{ $json.price * 2 }}' };
	const { successJson } = await runNode(echo, parameters, { items: [{ price: 1 }, { price: 21 }] });

	expect(successJson.map(({ amount }) => amount)).toEqual([2, 42]);
});

test('a failing expression is the error of the run', async () => {
	const { nodeError, status } = await runNode(echo, {
		amount: '={{ $("Nowhere").item.json.price }}',
	});

	expect(status).toBe('error');
	expect(nodeError?.message).toBe("Referenced node doesn't exist");
});

test('a missing required parameter stops the workflow before it runs', async () => {
	const { status, failure, tasks } = await runNode(echo, { operation: 'read' }).then((result) => ({
		status: result.status,
		failure: result.failure,
		tasks: result.tasks(NODE),
	}));

	expect(status).toBe('error');
	expect(failure?.message).toContain('issues');
	expect(tasks).toEqual([]);
});

test('hints, static data and log lines of a run are at hand', async () => {
	const talkative = toyNode(async function () {
		this.addExecutionHints({ message: '2 created', location: 'outputPane' });
		this.getWorkflowStaticData('node').seen = 2;
		this.logger.info('hello', { rows: 2 });
		return [[]];
	});
	const result = await runNode(talkative, {}, { staticData: { global: { before: 1 } } });

	expect(result.nodeHints).toEqual([{ message: '2 created', location: 'outputPane' }]);
	expect(result.staticData).toEqual({ global: { before: 1 }, [`node:${NODE}`]: { seen: 2 } });
	expect(result.log).toContainEqual({ level: 'info', message: 'hello', metadata: { rows: 2 } });
});
