import type { INodeProperties } from 'n8n-workflow';

export const amountField: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1500.50',
	description: 'What the customer pays. At most two decimals; whole numbers for XOF and XAF.',
};

export const callbackUrlField: INodeProperties = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/payments',
	description:
		"Address that the service notifies about the result. The credential's callback token is added to it.",
};
