import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';

import type { Execution, NewWorkflow } from '../../../host/n8n/index.mts';
import { chosenVersion, N8N_VERSION } from '../../../host/n8n/release.mts';
import { findDescription, findProblems } from '../../helpers/parameters.mts';
import { place, to } from './support.mts';
import { rename, useStage, withNode } from './standins/stage.mts';

const stage = useStage();

const FILES = readdirSync('examples').sort();

/** Reads the files that an example makes, as somebody who downloads and opens them. */
function opened(workflow: NewWorkflow, ...makers: string[]): NewWorkflow {
	const readers = makers.map((maker) => ({
		...place(`${maker}, opened`, 'n8n-nodes-base.extractFromFile', {
			operation: 'xlsx',
			binaryPropertyName: 'data',
			options: {},
		}),
		typeVersion: 1.1,
	}));
	const links = Object.fromEntries(
		makers.map((maker) => [maker, { main: [to(`${maker}, opened`)] }]),
	);
	return {
		...workflow,
		nodes: [...workflow.nodes, ...readers],
		connections: { ...workflow.connections, ...links },
	};
}

async function run(
	file: string,
	change?: (workflow: NewWorkflow) => NewWorkflow,
): Promise<Execution> {
	return await stage().host.client.run(await stage().importExample(file, change), 'Start');
}

/** What left a node of a workflow that is broken; nothing, too, where n8n refuses to start it. */
async function output(
	node: string,
	file: string,
	change: (workflow: NewWorkflow) => NewWorkflow,
): Promise<IDataObject[]> {
	const { client } = stage().host;
	const workflow = await stage().importExample(file, change);
	const started = await client.start(workflow, 'Start').catch((error: Error) => error);
	if (typeof started === 'string') return (await client.finished(started)).json(node);
	expect(started.message).toContain('The workflow has issues');
	return [];
}

const SHEET = 'sheet-to-payment-links.json';

describe('Sheet to payment links', () => {
	const LINKS = 'Sheet with links';
	const ERRORS = 'Error sheet';
	const open = (workflow: NewWorkflow) => opened(workflow, LINKS, ERRORS);

	const accepted = (order: string) =>
		expect.objectContaining({
			order,
			outcome: 'accepted',
			link: expect.stringMatching(/^http:.*\/pay\//) as string,
			reference: expect.stringMatching(/^PL-/) as string,
		}) as unknown;

	test('a sheet becomes a file with links, and a file with what to correct and how', async () => {
		const execution = await run(SHEET, open);

		expect(execution.failure).toBeUndefined();
		expect(execution.json(`${LINKS}, opened`)).toEqual(['A-1', 'A-2', 'A-3'].map(accepted));
		const [wrong, ...others] = execution.json(`${ERRORS}, opened`);
		expect(others).toEqual([]);
		expect(wrong).toMatchObject({ order: 'A-4', name: 'Okello', outcome: 'not_sent' });
		// Everything that is wrong with the row, at once.
		const words = `${String(wrong?.what)} ${String(wrong?.how)}`;
		expect(words).toContain('which could mean thousands or decimals');
		expect(words).toContain('which is a number of Kenya, not of Uganda');
		expect(execution.json('Check rows').map(({ outcome }) => outcome)).toEqual(
			Array(3).fill('valid'),
		);
	});

	test('an Excel file will do as well', async () => {
		const rows = [
			{ Order: 'X-1', Country: 'Kenya', Total: 1250.5, Business: 'Shop', Product: 'Tea' },
			{ Order: 'X-2', Country: 'Ghana', Total: 'a lot', Business: 'Shop', Product: 'Tea' },
		];
		const execution = await run(SHEET, (workflow) => {
			const file = withNode(open(workflow), 'Make it a file', (node) => ({
				...node,
				parameters: {
					operation: 'xlsx',
					binaryPropertyName: 'data',
					options: { fileName: 'customers.xlsx' },
				},
			}));
			return {
				...withNode(file, 'Read the sheet', (node) => ({
					...node,
					parameters: { ...node.parameters, operation: 'xlsx' },
				})),
				pinData: { 'Demo sheet': rows.map((json) => ({ json })) },
			};
		});

		expect(execution.json(`${LINKS}, opened`)).toEqual([accepted('X-1')]);
		expect(execution.json(`${ERRORS}, opened`)).toEqual([
			expect.objectContaining({ order: 'X-2', outcome: 'not_sent' }),
		]);
	});

	test('a row whose answer is lost is in the error sheet as unknown; run again, it is not sent twice', async () => {
		const { sandbox, host, importExample } = stage();
		const workflow = await importExample(SHEET, open);
		const before = sandbox.state.links.length;
		sandbox.faults.add({ kind: 'reset-after', route: 'paymentLink.create', first: 1 });
		const first = await host.client.run(workflow, 'Start');
		const second = await host.client.run(workflow, 'Start');

		expect(first.json(`${LINKS}, opened`)).toHaveLength(2);
		const outcomes = first.json(`${ERRORS}, opened`).map(({ outcome }) => outcome);
		expect(outcomes.sort()).toEqual(['not_sent', 'unknown']);
		expect(sandbox.state.links).toHaveLength(before + 3);
		const again = second.json('To send').map(({ outcome }) => outcome);
		expect(again.sort()).toEqual(['duplicate', 'duplicate', 'unknown']);
	});

	test('with a parameter under a wrong name it does not come to the same end', async () => {
		const sent = await output('To send', SHEET, (workflow) =>
			withNode(workflow, 'Create payment links', (node) => rename(node, 'inputMode', 'inputModes')),
		);

		expect(sent).toEqual([]);
	});
});

const GOOGLE = 'google-sheets-to-payment-links.json';

test('Google Sheets to payment links: between reading and writing, all of it runs', async () => {
	const customer = { First: '', Country: 'KE', Amount: 80, Business: 'Shop', Item: 'Tea' };
	const rows = [
		{ row_number: 2, Order: 'G-1', ...customer, link: 'https://pay.example/1' },
		{ row_number: 3, Order: 'G-2', ...customer, link: '' },
		{ row_number: 4, Order: 'G-3', ...customer, Amount: '', link: '' },
	];
	const execution = await run(GOOGLE, (workflow) => ({
		...workflow,
		pinData: {
			'Read customers': rows.map((json) => ({ json })),
			'Write links back': [{ json: {} }],
			'Write error sheet': [{ json: {} }],
		},
	}));

	expect(execution.failure).toBeUndefined();
	expect(execution.json('Result')).toEqual([
		expect.objectContaining({
			row_number: 3,
			outcome: 'accepted',
			link: expect.stringContaining('/pay/') as string,
		}),
	]);
	expect(execution.json('To correct')).toEqual([
		expect.objectContaining({ order: 'G-3', outcome: 'not_sent' }),
	]);
});

describe('Reconcile', () => {
	const RECONCILE = 'reconcile.json';

	test('open rows are looked up and settled; what is not found is for a person', async () => {
		const { sandbox } = stage();
		const execution = await run(RECONCILE, (workflow) =>
			opened(workflow, 'Settled sheet', 'Sheet for a person'),
		);

		expect(execution.failure).toBeUndefined();
		const settled = execution.json('Settled sheet, opened');
		expect(settled.map(({ order, before, result }) => [order, before, result])).toEqual([
			['B-1', 'pending', 'success'],
			['B-2', 'pending', 'failed'],
			['B-3', 'pending', 'still open'],
		]);
		expect(settled[1]?.why).toContain('insufficient funds');
		const left = execution.json('Sheet for a person, opened');
		expect(left.map(({ order, before }) => [order, before]).sort()).toEqual([
			['B-4', 'unknown'],
			['B-5', 'unknown'],
		]);
		// It only asks: the three payments of the demonstration are all there is.
		const { transactions } = sandbox.state;
		expect(transactions.filter(({ kind }) => kind === 'collection')).toHaveLength(3);
	});

	test('with a parameter under a wrong name nothing is settled', async () => {
		const settled = await output('Settled', RECONCILE, (workflow) =>
			withNode(workflow, 'Look up', (node) => rename(node, 'reference', 'references')),
		);

		expect(settled).toEqual([]);
	});
});

describe('the parameters of every node', () => {
	let types: INodeTypeDescription[];
	beforeAll(async () => (types = await stage().host.client.allNodeTypes()));

	const nodesOf = (file: string) =>
		(JSON.parse(readFileSync(join('examples', file), 'utf8')) as NewWorkflow).nodes;

	function problemsOf(node: INode): string[] {
		const description = findDescription(node, types);
		if (description === undefined) return [`${node.name}: no ${node.type} ${node.typeVersion}`];
		return findProblems(node, description);
	}

	// Older releases lack some of the nodes; what the examples need is in docs/examples.md.
	const newest = chosenVersion() === N8N_VERSION ? test : test.skip;

	newest.each(FILES)('%s: this n8n knows them all', (file) => {
		expect(nodesOf(file).flatMap(problemsOf)).toEqual([]);
	});

	newest.each(FILES)('%s: under a wrong name, each of them is found', (file) => {
		const unnoticed = nodesOf(file).flatMap((node) =>
			Object.keys(node.parameters)
				.filter((parameter) => problemsOf(rename(node, parameter, `${parameter}X`)).length === 0)
				.map((parameter) => `${node.name}: ${parameter}`),
		);
		expect(unnoticed).toEqual([]);
	});
});
