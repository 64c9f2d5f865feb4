import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { CREDENTIAL_NAME } from './protocol/credential';
import { lifecycle } from './trigger/activation';
import { panel, properties, webhooks } from './trigger/description';
import { receiveCallback } from './trigger/endpoint/receive';
import { emitCallbacks } from './trigger/execution/emit';

export class UnifiedPaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified Payments Trigger',
		name: 'unifiedPaymentsTrigger',
		icon: {
			light: 'file:../../icons/unifiedPayments.svg',
			dark: 'file:../../icons/unifiedPayments.dark.svg',
		},
		group: ['trigger'],
		// For a trigger of version 1, n8n evaluates an expression at every request (docs/decisions/0007).
		version: 2,
		subtitle: '={{ "verification: " + $parameter["verification"] }}',
		// In the panel that adds nodes, n8n shows this text for the pair of node and trigger.
		description:
			'Take payments in eleven African countries by link or mobile money, and start workflows when they are paid',
		defaults: { name: 'Unified Payments Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Callback', 'Rejected'],
		credentials: [{ name: CREDENTIAL_NAME, required: true }],
		webhooks,
		...panel,
		properties,
	};

	webhookMethods = { default: lifecycle };

	/** At the endpoint: cheap checks, then n8n stores the callback and answers. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveCallback.call(this);
	}

	/** In the execution, perhaps on another machine: confirm, skip repeats, emit. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await emitCallbacks(this);
	}
}
