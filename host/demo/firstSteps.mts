import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/index.mts';

const NODE_TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

/** A workflow to click through: create a payment link, then read the balances. */
export function firstSteps(credential: SavedCredential, callbackUrl?: string): NewWorkflow {
	const { id, name, type } = credential;
	const step = (title: string, column: number, parameters: INode['parameters']): INode => ({
		id: title,
		name: title,
		type: NODE_TYPE,
		typeVersion: 1,
		position: [column * 240, 0],
		parameters,
		credentials: { [type]: { id, name } },
	});
	const start: INode = {
		id: 'start',
		name: 'When clicking ‘Execute workflow’',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const link = step('Create payment link', 1, {
		resource: 'paymentLink',
		operation: 'create',
		country: 'KE',
		currency: 'auto',
		amount: '150',
		businessName: 'Demo Shop',
		itemName: 'Tea',
		...(callbackUrl && { additionalFields: { callbackUrl } }),
	});
	const balance = step('Read balances', 2, { resource: 'balance', operation: 'get' });
	return {
		name: 'Unified Payments: first steps',
		nodes: [start, link, balance],
		connections: {
			[start.name]: { main: [[{ node: link.name, type: 'main', index: 0 }]] },
			[link.name]: { main: [[{ node: balance.name, type: 'main', index: 0 }]] },
		},
	};
}
