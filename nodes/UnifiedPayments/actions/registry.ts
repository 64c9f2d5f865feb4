import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { balance } from './balance/Balance.resource';
import { collection } from './collection/Collection.resource';
import { country } from './country/Country.resource';
import type { Operation, Resource } from './operation';
import { paymentLink } from './paymentLink/PaymentLink.resource';
import { token } from './token/Token.resource';
import { transaction } from './transaction/Transaction.resource';

/** By the value that workflows save, in the order of the editor. */
const RESOURCES: Readonly<Record<string, Resource>> = {
	balance,
	collection,
	country,
	paymentLink,
	token,
	transaction,
};

const resources = Object.entries(RESOURCES);

/** Resources whose operations talk to the service, and so need the credential. */
export const SIGNED_RESOURCES = resources
	.map(([value]) => value)
	.filter((value) => value !== 'country');

export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource]!.operations : {};
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}

const resourcePicker: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(([, { option }]) => option),
	default: 'paymentLink',
};

const operationFields = ([value, { operations }]: [string, Resource]): INodeProperties[] =>
	Object.entries(operations).flatMap(([name, { properties }]) =>
		updateDisplayOptions({ show: { resource: [value], operation: [name] } }, properties),
	);

/** Everything the editor shows, made from the operations themselves. */
export const properties: INodeProperties[] = [
	resourcePicker,
	...resources.map(([, { picker }]) => picker),
	...resources.flatMap(operationFields),
];
