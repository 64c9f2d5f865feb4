import type { INode } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential } from '../n8n/index.mts';

const NODE_TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

export const FIRST_STEPS = 'Start here: your first payment link';

interface FirstStepsOptions {
	credential: SavedCredential;
	/** Where its payments are reported, if anywhere. */
	callbackUrl?: string;
	/** The page on which the messages about them can be read. */
	messagesUrl?: string;
}

/** A workflow to click through: create a payment link, then read the balances. */
export function firstSteps({
	credential: { id, name, type },
	callbackUrl,
	messagesUrl,
}: FirstStepsOptions): NewWorkflow {
	const step = (title: string, column: number, parameters: INode['parameters']): INode => ({
		id: title,
		name: title,
		type: NODE_TYPE,
		typeVersion: 2,
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
		orderReference: 'TEA-1',
		...(callbackUrl && { callbackUrl }),
		additionalFields: {
			firstName: 'Amina',
			lastName: 'Otieno',
			email: 'amina@example.com',
			phone: '0712 345678',
		},
	});
	const balance = step('Read balances', 2, { resource: 'balance', operation: 'get' });
	return {
		name: FIRST_STEPS,
		nodes: [start, link, balance, ...notes(messagesUrl)],
		connections: {
			[start.name]: { main: [[{ node: link.name, type: 'main', index: 0 }]] },
			[link.name]: { main: [[{ node: balance.name, type: 'main', index: 0 }]] },
		},
	};
}

function notes(messagesUrl?: string): INode[] {
	const note = (title: string, left: number, color: number, lines: string[]): INode => ({
		id: title,
		name: title,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [left, -272],
		parameters: { content: lines.join('\n'), width: 464, height: 208, color },
	});
	return [
		note('Note: what to do', -176, 4, [
			'## Your first payment link',
			'',
			'1. Press **Execute workflow**, below.',
			'2. Double-click **Create payment link**. In its output, open the address under `link`.',
			'3. You are the customer now: press **Pay**. No money moves.',
			messagesUrl
				? `4. Read what your team is told: [the messages](${messagesUrl}).`
				: '4. Close the page: the payment is in the sandbox.',
		]),
		note('Note: what is what', 312, 6, [
			'### What is what',
			'',
			'- **Create payment link** asks Amina for 150 KES, for the order TEA-1. Her details are filled in for her.',
			'- Run it again: the order was sent before, so it is not sent twice, and comes out with the link it has.',
			'- **Read balances** asks what is in your wallets.',
			'- Everything talks to the sandbox on this machine, by the credential *Sandbox*.',
		]),
	];
}
