import type { IDataObject, INodeType } from 'n8n-workflow';

import { checkpoint } from '../process.mts';
import { description, parameters } from './description.mts';
import { ANSWERED, answerUrl, DAY_MS, type Ask } from './people.mts';

/** An e-mail as it was sent. */
export interface Mail {
	to: string;
	subject: string;
	text: string;
}

/** Send Email: `send` is told of each, and what comes out is what the mail server says, nothing of the item. */
export const mailNode = (send: (mail: Mail) => Promise<void>): INodeType => ({
	description: description('emailSend', {
		version: [2, 2.1],
		properties: parameters({ fromEmail: '', toEmail: '', subject: '', text: '', options: {} }),
	}),
	async execute() {
		const out = [];
		for (const item of this.getInputData().keys()) {
			const text = (name: string) => String(this.getNodeParameter(name, item));
			const mail = { to: text('toEmail'), subject: text('subject'), text: text('text') };
			await checkpoint();
			try {
				await send(mail);
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				out.push({ json: { error: (error as Error).message }, pairedItem: { item } });
				continue;
			} finally {
				await checkpoint();
			}
			const json = { accepted: [mail.to], rejected: [], messageId: `<${item}@mail.example>` };
			out.push({ json, pairedItem: { item } });
		}
		return [out];
	},
});

/** Slack: a message to a channel, or one with two buttons that waits for one of them for a day. */
export const slackNode = (
	post: (channel: string, text: string) => Promise<void>,
	ask: Ask,
): INodeType => ({
	description: description('slack', {
		version: [2, 2.1, 2.2, 2.3],
		...ANSWERED,
		properties: parameters({
			operation: 'post',
			channelId: {},
			text: '',
			message: '',
			otherOptions: {},
		}),
	}),
	async execute() {
		if (this.getNodeParameter('operation', 0) === 'sendAndWait') {
			const text = String(this.getNodeParameter('message', 0));
			const url = answerUrl(this.evaluateExpression('{{ $execution.resumeUrl }}', 0));
			await checkpoint();
			await ask({ kind: 'approval', execution: this.getExecutionId(), text, url });
			await checkpoint();
			await this.putExecutionToWait(new Date(Date.now() + DAY_MS));
			return [this.getInputData()];
		}
		const out = [];
		for (const item of this.getInputData().keys()) {
			const { value } = this.getNodeParameter('channelId', item) as IDataObject;
			await checkpoint();
			await post(String(value), String(this.getNodeParameter('text', item)));
			await checkpoint();
			out.push({ json: { ok: true }, pairedItem: { item } });
		}
		return [out];
	},
	async webhook() {
		const { approved } = this.getQueryData() as IDataObject;
		return {
			workflowData: [[{ json: { data: { approved: approved === 'true' } } }]],
			webhookResponse: 'Got it, thanks',
		};
	},
});
