import {
	updateDisplayOptions,
	type INodeProperties,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { mapperFieldsOf } from '../fields/columns';
import { account } from './account/Account.resource';
import { balance } from './balance/Balance.resource';
import { searchWallets } from './balance/get.operation';
import { collection } from './collection/Collection.resource';
import { create as createCollection } from './collection/create.operation';
import { createAndWait } from './collection/createAndWait.operation';
import { country } from './country/Country.resource';
import type { Operation, Resource } from '../rows/operation';
import { create as createPaymentLink } from './paymentLink/create.operation';
import { searchPaymentLinks } from './paymentLink/get.operation';
import { paymentLink } from './paymentLink/PaymentLink.resource';
import { token } from './token/Token.resource';
import { transaction } from './transaction/Transaction.resource';

/** In the order of the editor. */
export const RESOURCES: readonly Resource[] = [
	account,
	balance,
	collection,
	country,
	paymentLink,
	token,
	transaction,
];

const nameOf = ({ option }: Resource | Operation): string => String(option.value);

export const RESOURCES_WITH_CREDENTIAL = RESOURCES.filter((each) => each.needsCredential).map(
	nameOf,
);

const resourcePicker: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: RESOURCES.map(({ option }) => option),
	default: nameOf(paymentLink),
};

const operationPicker = (resource: Resource): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [nameOf(resource)] } },
	options: resource.operations.map(({ option }) => option),
	default: nameOf(resource.operations[0]),
});

const operationFields = (resource: Resource): INodeProperties[] =>
	resource.operations.flatMap((operation) =>
		updateDisplayOptions(
			{ show: { resource: [nameOf(resource)], operation: [nameOf(operation)] } },
			operation.properties,
		),
	);

/** Everything the editor shows, made from the operations themselves. */
export const properties: INodeProperties[] = [
	resourcePicker,
	...RESOURCES.map(operationPicker),
	...RESOURCES.flatMap(operationFields),
];

/** What the editor offers when columns are mapped by hand, by the name of the method it asks. */
export const resourceMapping = {
	getAwaitedCollectionColumns: async (): Promise<ResourceMapperFields> =>
		mapperFieldsOf(createAndWait.properties),
	getCollectionColumns: async (): Promise<ResourceMapperFields> =>
		mapperFieldsOf(createCollection.properties),
	getPaymentLinkColumns: async (): Promise<ResourceMapperFields> =>
		mapperFieldsOf(createPaymentLink.properties),
};

/** The lists that one thing is picked from, by the name of the method the editor asks. */
export const listSearch = { searchPaymentLinks, searchWallets };
