import {
	updateDisplayOptions,
	type INodeProperties,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { mapperFieldsOf } from '../fields/columns';
import { checkCollectionOptionsField, checkLinkOptionsField } from '../fields/optionGroups';
import type { Operation, Resource } from '../rows/operation';
import { diagnose } from './account/diagnose.operation';
import { get as getBalance, searchWallets } from './balance/get.operation';
import { checkOf } from './check.operation';
import { create as createCollection } from './collection/create.operation';
import { createAndWait } from './collection/createAndWait.operation';
import { getAll as getCountries } from './country/getAll.operation';
import { create as createPaymentLink } from './paymentLink/create.operation';
import { get as getPaymentLink, searchPaymentLinks } from './paymentLink/get.operation';
import { getAll as getPaymentLinks } from './paymentLink/getAll.operation';
import { waitUntilPaid } from './paymentLink/waitUntilPaid.operation';
import { get as getToken } from './token/get.operation';
import { get as getTransaction } from './transaction/get.operation';
import { waitUntilFinal } from './transaction/waitUntilFinal.operation';

/** In the order of the editor. */
export const RESOURCES: readonly Resource[] = [
	{
		option: {
			name: 'Account',
			value: 'account',
			description: 'Whether the service works as this node expects',
		},
		operations: [diagnose],
	},
	{
		option: { name: 'Balance', value: 'balance', description: 'Money in the wallets' },
		operations: [getBalance],
	},
	{
		option: {
			name: 'Collection',
			value: 'collection',
			description: 'Requests for payment by mobile money',
		},
		operations: [
			createCollection,
			createAndWait,
			checkOf(createCollection, checkCollectionOptionsField, 'Check collections'),
		],
	},
	{
		option: { name: 'Country', value: 'country', description: 'Where payments can be taken' },
		operations: [getCountries],
	},
	{
		option: {
			name: 'Payment Link',
			value: 'paymentLink',
			description: 'Hosted pages where customers pay',
		},
		operations: [
			createPaymentLink,
			checkOf(createPaymentLink, checkLinkOptionsField, 'Check payment links'),
			getPaymentLink,
			getPaymentLinks,
			waitUntilPaid,
		],
	},
	{
		option: { name: 'Token', value: 'token', description: 'API tokens' },
		operations: [getToken],
	},
	{
		option: { name: 'Transaction', value: 'transaction', description: 'Status of a payment' },
		operations: [getTransaction, waitUntilFinal],
	},
];

const nameOf = ({ option }: Resource | Operation): string => String(option.value);

/** The tables of countries are in this package: nothing is asked of the service. */
export const RESOURCES_WITH_CREDENTIAL = RESOURCES.map(nameOf).filter((name) => name !== 'country');

const resourcePicker: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: RESOURCES.map(({ option }) => option),
	default: 'paymentLink',
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
