import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runRows } from '../rows/runRows';
import { NotSentError } from '../transport/errors';
import type { Operation } from './operation';
import { RESOURCES } from './registry';

/** From the resource and operation that the workflow saved to the items of all rows. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = this.getNodeParameter('resource', 0, '') as string;
	const name = this.getNodeParameter('operation', 0, '') as string;
	const operation = findOperation(resource, name) ?? noOperation(resource, name);
	return [await runRows(this, operation)];
}

const findOperation = (resource: string, name: string): Operation | undefined =>
	RESOURCES.find(({ option }) => option.value === resource)?.operations.find(
		({ option }) => option.value === name,
	);

/** A workflow edited by hand may name anything; each row then says so, on the right branch. */
const noOperation = (resource: string, name: string): Operation => ({
	kind: 'read',
	option: { name, value: name },
	properties: [],
	async run() {
		throw new NotSentError(
			`There is no operation '${name}' of the resource '${resource}'`,
			"Choose 'Resource' and 'Operation' from the lists of the node.",
		);
	},
});
