import { WebhookContext } from 'n8n-core';
import type {
	INodeExecutionData,
	INodeType,
	IRunExecutionData,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { queryOf } from './webhook.mts';
import type { PreparedRun } from './workflow.mts';

interface WaitingCall {
	/** With its query. */
	url: string;
	/** What the node sees of the request, and answers with. */
	data: Partial<IWorkflowExecuteAdditionalData>;
}

type Heard =
	| { refused: { status: number; body: unknown } }
	/** The node has answered by itself, and waits on. */
	| { refused: null; items: null }
	| {
			refused: null;
			items: INodeExecutionData[][];
			response: unknown;
			/** What the execution goes on with. */
			runData: IRunExecutionData;
	  };

const refused = (status: number, message: string): Heard => ({
	refused: { status, body: { message } },
});

/**
 * Lets the `webhook` of a node that waits hear a call to its execution's address, as the server does:
 * `stored` is the execution as it comes from the database.
 */
export async function hearWaiting(
	{ workflow, mode, dataWith }: PreparedRun,
	stored: IRunExecutionData,
	{ url, data: given }: WaitingCall,
): Promise<Heard> {
	const [path = '', query = ''] = url.split('?');
	const suffix = path.split('/').at(-1) ?? '';
	const runData = structuredClone(stored);
	if (queryOf(query).signature !== runData.resumeToken) return refused(401, 'Invalid token');
	const name = runData.resultData.lastNodeExecuted ?? '';
	const node = workflow.getNode(name);
	const [top] = runData.executionData?.nodeExecutionStack ?? [];
	if (node === null || top === undefined) return refused(404, 'Nothing waits');
	const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion) as INodeType;
	const description = type.description.webhooks?.find((each) => each.path === suffix);
	if (description === undefined || type.webhook === undefined)
		return refused(404, 'No waiting webhook');

	runData.waitTill = undefined;
	top.node.disabled = true;
	runData.resultData.runData[name]?.pop();
	const data = dataWith(given);
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: node.name,
		path: suffix,
		webhookDescription: description,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: data,
	};
	const context = new WebhookContext(workflow, node, data, mode, webhookData, [], runData);
	const { workflowData, webhookResponse } = await type.webhook.call(context);
	if (workflowData === undefined) return { refused: null, items: null };
	top.data.main = workflowData;
	top.metadata = { ...top.metadata, forwardAllOutputs: true };
	return { refused: null, items: workflowData, response: webhookResponse, runData };
}
