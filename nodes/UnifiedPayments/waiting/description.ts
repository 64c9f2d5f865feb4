import type { INodeTypeDescription } from 'n8n-workflow';

import { RESUME_PATH } from './address';

/** What n8n must know about a node whose executions can sleep. */
export const sleeping: Pick<INodeTypeDescription, 'webhooks' | 'waitingNodeTooltip'> = {
	webhooks: [
		{
			name: 'default',
			httpMethod: 'POST',
			path: RESUME_PATH,
			isFullPath: true,
			restartWebhook: true,
			// n8n answers once it has stored that the execution goes on, with what `webhook` says.
			responseMode: 'onReceived',
			responseData: '',
		},
	],
	waitingNodeTooltip: `={{ ($parameter["operation"] === "waitUntilPaid" ? "Waiting until the payment links are paid" : "Waiting until the payments have succeeded or failed") + ", at most " + $parameter["waitLimitMinutes"] + " minutes. The service calls back to this execution by itself." }}`,
};
