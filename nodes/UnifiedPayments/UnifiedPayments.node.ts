import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { guidance } from './actions/guidance';
import {
	listSearch,
	properties,
	resourceMapping,
	RESOURCES_WITH_CREDENTIAL,
} from './actions/registry';
import { router } from './actions/router';
import { getCurrencies } from './fields/country';
import { CREDENTIAL_NAME } from './protocol/credential';
import { resumeExecution, sleeping } from './waiting/resume';

export class UnifiedPayments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified Payments',
		name: 'unifiedPayments',
		icon: {
			light: 'file:../../icons/unifiedPayments.svg',
			dark: 'file:../../icons/unifiedPayments.dark.svg',
		},
		group: ['transform'],
		// For a node of version 1, n8n evaluates an expression for every callback to an execution that
		// sleeps in it (docs/decisions/0007).
		version: 2,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Take payments in eleven African countries: links, mobile money, status, balances',
		defaults: { name: 'Unified Payments' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: CREDENTIAL_NAME,
				required: true,
				displayOptions: { show: { resource: RESOURCES_WITH_CREDENTIAL } },
			},
		],
		...sleeping,
		...guidance,
		properties,
	};

	methods = {
		loadOptions: { getCurrencies },
		listSearch,
		resourceMapping,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await router.call(this);
	}

	/** A callback to an execution that sleeps in this node. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeExecution.call(this);
	}
}
