import type { INodeType, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';

import { description, parameters } from './description.mts';

/** What a person is shown, and may answer while the execution sleeps. */
export interface Question {
	kind: 'form' | 'approval';
	execution: string;
	text: string;
	/** Where the answer goes. */
	url: string;
}

export type Ask = (question: Question) => Promise<void>;

/** The page of an execution that sleeps. */
export const ANSWERED: Partial<INodeTypeDescription> = {
	webhooks: [
		{
			name: 'default',
			httpMethod: 'POST',
			responseMode: 'onReceived',
			path: 'answer',
			restartWebhook: true,
		},
	],
};

export const answerUrl = (resumeUrl: unknown): string => String(resumeUrl).replace('?', '/answer?');

export const DAY_MS = 24 * 3_600_000;

/** Form: a page that waits for its button for a day, or the last page. */
export const formNode = (ask: Ask): INodeType => ({
	description: description('form', {
		version: [1, 2.3],
		...ANSWERED,
		properties: parameters({ operation: 'page', completionTitle: '', options: {} }),
	}),
	async execute() {
		const items = this.getInputData();
		if (this.getNodeParameter('operation', 0) !== 'page') return [items];
		const url = answerUrl(this.evaluateExpression('{{ $execution.resumeUrl }}', 0));
		await ask({ kind: 'form', execution: this.getExecutionId(), text: '', url });
		await this.putExecutionToWait(new Date(Date.now() + DAY_MS));
		return [items];
	},
	async webhook(this: IWebhookFunctions) {
		const json = { submittedAt: new Date().toISOString(), formMode: 'production' };
		return { workflowData: [[{ json }]], webhookResponse: { formWaitingUrl: '' } };
	},
});
