import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { PLACE_OF_URL } from '../../../dev/host/demo/examples.mts';
import { callbackUrlField } from '../../../nodes/UnifiedPayments/fields/callbackUrl.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { findProblems } from '../../helpers/parameters.mts';
import { FILES, readWorkflow } from './runExample.mts';

const PACKAGE = 'n8n-nodes-unified-payments';
const DESK = FILES.filter((file) => file.startsWith('desk/'));
const textOf = (file: string) => readFileSync(join('examples', file), 'utf8');

const isOurs = ({ type }: INode) => type.startsWith(`${PACKAGE}.`);

/** As the host describes it: used as a tool, a node has a description for the agent. */
function describeNode({ type }: INode): INodeTypeDescription {
	const { description: action } = new UnifiedPayments();
	const { description: trigger } = new UnifiedPaymentsTrigger();
	const name = type.replace(`${PACKAGE}.`, '');
	if (name === trigger.name) return trigger;
	if (name === action.name) return action;
	const forAgents = ['descriptionType', 'toolDescription'].map((field) => ({
		displayName: field,
		name: field,
		type: 'string' as const,
		default: '',
	}));
	return { ...action, name, properties: [...forAgents, ...action.properties] };
}

const problemsOf = (node: INode) => findProblems(node, describeNode(node));

describe.each(FILES)('%s', (file) => {
	const { nodes, connections, pinData } = readWorkflow(file);

	it('uses names of our nodes that exist, and the values they offer', () => {
		const ours = nodes.filter(isOurs);
		expect(ours).not.toEqual([]);
		expect(ours.flatMap(problemsOf)).toEqual([]);
		for (const node of ours) expect(node.typeVersion).toBe(2);
	});

	it('connects nodes that are there, each under a name of its own', () => {
		const names = nodes.map(({ name }) => name);
		const ends = Object.values(connections)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map((end) => end!.node);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...ends]));
	});

	it('brings nothing of anybody: no credentials, pinned data, secrets, nor an address of its own', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		expect(nodes.filter(({ webhookId }) => webhookId !== undefined)).toEqual([]);
		expect(pinData).toBeUndefined();
		expect(textOf(file)).not.toMatch(/xox[bp]-|sk-[A-Za-z0-9]{8}|secret|password|127\.0\.0\.1/i);
	});

	it('sends nothing to a live account that only pressed the button', () => {
		const settings = nodes.find(({ name }) => name === 'Settings')?.parameters.assignments as
			{ assignments: Array<{ name: string; value: string }> } | undefined;
		/** What is typed, or what the node 'Settings' says. */
		const callbackUrlOf = ({ callbackUrl }: INodeParameters) => {
			if (callbackUrl !== "={{ $('Settings').first().json.callbackUrl }}") return callbackUrl;
			return settings?.assignments.find(({ name }) => name === 'callbackUrl')?.value;
		};
		const creating = nodes.filter(
			(node) => isOurs(node) && /^create/.test(String(node.parameters.operation)),
		);
		const harmless = creating.filter(
			({ type, parameters }) =>
				// As a tool it is connected to a review, which the end-to-end tests press.
				type.endsWith('Tool') ||
				(parameters.options as INodeParameters).dryRun === true ||
				(parameters.resource === 'paymentLink' && callbackUrlOf(parameters) === PLACE_OF_URL),
		);
		expect(creating).toEqual(harmless);
		expect(callbackUrlField.read(PLACE_OF_URL).ok).toBe(false);
	});

	it('has its place in the documentation, with a picture', () => {
		const isDesk = file.startsWith('desk/');
		const docs = readFileSync(isDesk ? 'docs/desk.md' : 'docs/examples.md', 'utf8');
		const name = file.replace('.json', '.png');
		const picture = `images/${isDesk ? name.replace('desk/', 'desk-') : `example-${name}`}`;
		expect(docs).toContain(`../examples/${file}`);
		expect(docs).toContain(picture);
		expect(existsSync(join('docs', picture))).toBe(true);
	});
});

it('both workflows of the desk make the same tables, whichever comes first', () => {
	const made = new Map<string, unknown>();
	for (const { parameters } of DESK.flatMap((file) => readWorkflow(file).nodes)) {
		const { operation, tableName, columns } = parameters;
		if (operation !== 'create' || tableName === undefined) continue;
		expect(made.get(String(tableName)) ?? columns).toEqual(columns);
		made.set(String(tableName), columns);
	}
	expect([...made.keys()].sort()).toEqual(
		['letters', 'payments', 'rows'].map((table) => `Payment desk: ${table}`),
	);
});
