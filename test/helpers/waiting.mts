import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runSleeper, type Sleeper } from '../../host/engine/index.mts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';

const TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

export interface SleeperOptions {
	credential: ICredentialDataDecryptedObject;
	rows: IDataObject[];
	settings?: Partial<INode>;
	workflowId?: string;
	signal?: AbortSignal;
}

const shared = ({ credential, rows, workflowId, signal }: SleeperOptions) => ({
	items: rows.map((json) => ({ json })),
	credentials: { unifiedPaymentsApi: credential },
	credentialTypes: [new UnifiedPaymentsApi()],
	workflowId,
	signal,
});

/** The node between a start and a sink on each of its outputs, in a run that may go to sleep. */
export const runCollect = async (
	parameters: INodeParameters,
	options: SleeperOptions,
): Promise<Sleeper> =>
	await runSleeper({
		...shared(options),
		nodes: [
			pass('Start'),
			node(
				'Node',
				TYPE,
				{
					resource: 'collection',
					operation: 'createAndWait',
					country: 'KE',
					amount: '={{ $json.amount }}',
					mobile: '={{ $json.mobile ?? "0712345678" }}',
					additionalFields: { thirdPartyReference1: '={{ $json.order }}' },
					...parameters,
				},
				options.settings ?? {},
			),
			pass('Success'),
			pass('Failed'),
		],
		connections: connect(['Start', 'Node'], ['Node', 0, 'Success'], ['Node', 1, 'Failed']),
		nodeTypes: { [TYPE]: new UnifiedPayments() },
	});

/** Stands for a node that sends the links: what comes out of it is its own. */
export const sender = (name: string, send: (items: IDataObject[]) => IDataObject[]): INodeType => ({
	description: {
		displayName: name,
		name,
		group: ['output'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		const given = this.getInputData();
		const sent = send(given.map(({ json }) => json));
		const all = given.map((_, item) => ({ item }));
		// Like n8n's own nodes: one for each, or one that belongs to all of them.
		const isOneForEach = sent.length === given.length;
		return [sent.map((json, item) => ({ json, pairedItem: isOneForEach ? { item } : all }))];
	},
});

interface LinkOptions extends SleeperOptions {
	/** Between the links and the wait; by default something that keeps nothing of a link. */
	send?: (items: IDataObject[]) => IDataObject[];
	create?: INodeParameters;
	wait?: INodeParameters;
	/** False leaves out the node that waits. */
	waits?: boolean;
}

/** Links, a node that sends them, and one that waits until they are paid. */
export const runLinks = async (options: LinkOptions): Promise<Sleeper> =>
	await runSleeper({
		...shared(options),
		nodes: [
			pass('Start'),
			node('Create', TYPE, {
				resource: 'paymentLink',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				businessName: 'Demo Shop',
				itemName: 'Tea',
				additionalFields: { orderReference: '={{ $json.order }}' },
				options: { waitInThisExecution: true },
				...options.create,
			}),
			node('Send', 'test.send', {}),
			...(options.waits === false
				? []
				: [
						node(
							'Wait',
							TYPE,
							{ resource: 'paymentLink', operation: 'waitUntilPaid', ...options.wait },
							options.settings ?? {},
						),
					]),
			pass('Success'),
			pass('Failed'),
		],
		connections:
			options.waits === false
				? connect(['Start', 'Create'], ['Create', 'Send'], ['Send', 'Success'])
				: connect(
						['Start', 'Create'],
						['Create', 'Send'],
						['Send', 'Wait'],
						['Wait', 0, 'Success'],
						['Wait', 1, 'Failed'],
					),
		nodeTypes: {
			[TYPE]: new UnifiedPayments(),
			'test.send': sender('send', options.send ?? ((items) => items.map(() => ({ sent: true })))),
		},
	});
