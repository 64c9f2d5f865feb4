import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { PLACES } from '../../../dev/host/demo/examples.mts';
import { callbackUrlField } from '../../../nodes/UnifiedPayments/fields/callbackUrl.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { findProblems } from '../../helpers/parameters.mts';
import { FILES, readWorkflow } from './runExample.mts';

const PACKAGE = 'n8n-nodes-unified-payments';
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
		expect(textOf(file)).not.toMatch(/xox[bp]-|\bsk-[A-Za-z0-9]{8}|secret|password|127\.0\.0\.1/i);
	});

	it('is small: 20 nodes at most, 3 of them code', () => {
		const working = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		expect(working.length).toBeLessThanOrEqual(20);
		expect(working.filter(({ type }) => type.endsWith('.code')).length).toBeLessThanOrEqual(3);
	});

	it('sends nothing to a live account that only pressed the button, and then does not end as if it had', () => {
		const creating = nodes.filter(
			({ type, parameters: { operation, options } }) =>
				type === `${PACKAGE}.unifiedPayments` &&
				/^create/.test(String(operation)) &&
				!(operation === 'create' && (options as INodeParameters).dryRun === true),
		);
		const places = Object.values(PLACES).filter((place) => textOf(file).includes(place));
		expect(creating.length === 0 || places.length > 0).toBe(true);
		const dry = nodes.filter(
			({ parameters }) => (parameters.options as INodeParameters | undefined)?.dryRun === true,
		);
		expect(dry.length === 0 || creating.length > 0).toBe(true);
		for (const { parameters } of nodes) {
			expect((parameters.options as INodeParameters | undefined)?.onDuplicate).toBeUndefined();
		}
	});
});

it('what stands where the user writes is refused as long as it stands there', () => {
	expect(callbackUrlField.read(PLACES.url).ok).toBe(false);
});

it('the examples with tables make the same, whichever comes first', () => {
	const made = new Map<string, unknown>();
	for (const { parameters } of FILES.flatMap((file) => readWorkflow(file).nodes)) {
		const { operation, tableName, columns } = parameters;
		if (operation !== 'create' || tableName === undefined) continue;
		expect(made.get(String(tableName)) ?? columns).toEqual(columns);
		made.set(String(tableName), columns);
	}
	expect([...made.keys()].sort()).toEqual(['Confirmed payments', 'Payment link orders']);
});
