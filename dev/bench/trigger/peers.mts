import { randomUUID } from 'node:crypto';

import type { IConnections, INode } from 'n8n-workflow';

import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import type { Host, SavedCredential, SavedWorkflow } from '../../host/n8n/index.mts';

const BENCH = 'n8n-nodes-unified-payments-bench';
const BARE = `${BENCH}.benchTrigger`;

export interface Peer {
	name: string;
	label: string;
	workflow: SavedWorkflow;
	/** Where its callbacks go. */
	url: string;
}

interface Plan {
	name: string;
	label: string;
	trigger: Partial<INode> & Pick<INode, 'type'>;
	/** Between the trigger and the end. */
	then?: Partial<INode> & Pick<INode, 'name' | 'type'>;
}

function plans({ id, name, type }: SavedCredential, serviceUrl: string): Plan[] {
	const credentials = { [type]: { id, name } };
	const ours = (verification: string, label: string): Plan => ({
		name: verification,
		label,
		trigger: {
			type: 'n8n-nodes-unified-payments.unifiedPaymentsTrigger',
			typeVersion: 2,
			parameters: { verification, options: { transactionType: 'payout' } },
			credentials,
		},
	});
	return [
		ours('confirm', 'this trigger, confirm'),
		ours('address', 'this trigger, address'),
		{ name: 'bare', label: 'bare community trigger', trigger: { type: BARE } },
		{
			name: 'secret',
			label: 'bare trigger that reads a credential',
			trigger: { type: BARE, credentials, parameters: { readCredential: true } },
		},
		{
			name: 'webhook',
			label: "n8n's Webhook node",
			trigger: { type: 'n8n-nodes-base.webhook', typeVersion: 2 },
		},
		{
			name: 'recipe',
			label: 'bare trigger, then HTTP Request',
			trigger: { type: BARE },
			then: {
				name: 'Ask',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				credentials,
				parameters: {
					method: 'POST',
					url: `${serviceUrl}/api/v3/get-unified-transaction-status`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: type,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ { "id": $json.body.ref, "type": "payout" } }}',
				},
			},
		},
	];
}

/** What is saved in the credential. */
interface Account {
	baseUrl: string;
	clientId: string;
	sender: string;
	secretKey: string;
}

/** An address as the node gives it to the service. */
const marked = (url: string, account: Account): string =>
	withMark(
		url,
		writeMark(
			readCredential({ ...account }),
			{
				...{ kind: 'link', orderReference: null, amount: '10', currency: 'KES' },
				...{ isOneOfSeveral: false, key: { key: 'bench', by: 'duplicateKey', values: null } },
			},
			{ workflowId: 'bench', nodeId: 'bench' },
		),
	);

/** Puts the peers into n8n, active. */
export async function installPeers(
	host: Host,
	credential: SavedCredential,
	account: Account,
	only: string[] | null,
): Promise<Peer[]> {
	const peers: Peer[] = [];
	for (const plan of plans(credential, account.baseUrl)) {
		if (only !== null && !only.includes(plan.name)) continue;
		const path = randomUUID();
		const isWebhook = plan.name === 'webhook';
		const nodes: INode[] = [
			node({
				...plan.trigger,
				name: 'Trigger',
				webhookId: path,
				...(isWebhook && { parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' } }),
			}),
			...(plan.then ? [node(plan.then)] : []),
			node({ name: 'End', type: 'n8n-nodes-base.noOp' }),
		];
		const workflow = await host.client.createWorkflow({
			name: plan.label,
			nodes,
			connections: chain(nodes),
		});
		await host.client.publish(workflow);
		// Whoever calls an address without a mark is a stranger, who may not call so often.
		const url = marked(`${host.url}/webhook/${path}${isWebhook ? '' : '/webhook'}`, account);
		peers.push({ name: plan.name, label: plan.label, workflow, url });
	}
	return peers;
}

const node = (own: Partial<INode> & Pick<INode, 'name' | 'type'>): INode => ({
	id: own.name,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...own,
});

function chain(nodes: INode[]): IConnections {
	const connections: IConnections = {};
	nodes.slice(1).forEach((each, index) => {
		connections[nodes[index]!.name] = { main: [[{ node: each.name, type: 'main', index: 0 }]] };
	});
	return connections;
}
