import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runRows } from '../rows/runRows';
import { runWait } from '../rows/runWait';
import { NotSentError } from '../transport/errors';
import { NOT_AS_TOOL, type Operation, type RowOperation } from '../rows/operation';
import { RESOURCES } from './registry';

/** From the resource and operation that the workflow saved to the items of all rows. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = this.getNodeParameter('resource', 0, '') as string;
	const name = this.getNodeParameter('operation', 0, '') as string;
	const operation = findOperation(resource, name) ?? noOperation(resource, name);
	if (isTool(this) && operation.option.displayOptions === NOT_AS_TOOL.displayOptions) {
		return [await runRows(this, notAsTool(operation))];
	}
	if (operation.kind === 'wait') return [await runWait(this, operation)];
	return [await runRows(this, operation)];
}

/** n8n names the tools of an AI agent after the node that they are made of. */
const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

const findOperation = (resource: string, name: string): Operation | undefined =>
	RESOURCES.find(({ option }) => option.value === resource)?.operations.find(
		({ option }) => option.value === name,
	);

/** A workflow edited by hand may name anything; each row then says so, on the right branch. */
const noOperation = (resource: string, name: string): RowOperation =>
	refusal(
		{ name, value: name },
		`There is no operation '${name}' of the resource '${resource}'`,
		"Choose 'Resource' and 'Operation' from the lists of the node.",
	);

const notAsTool = ({ option }: Operation): RowOperation =>
	refusal(
		option,
		`'${option.name}' cannot be used by an AI agent`,
		"An agent's tools run without a pause, and their results go to its model. Let it use 'Create' or 'Get', and do this in the workflow.",
	);

const refusal = (
	option: Operation['option'],
	message: string,
	description: string,
): RowOperation => ({
	kind: 'read',
	option,
	properties: [],
	async run() {
		throw new NotSentError(message, description);
	},
});
