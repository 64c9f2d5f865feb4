import type { INodeType } from 'n8n-workflow';

import { checkpoint } from '../process.mts';
import { description, parameters } from './description.mts';

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
			await send(mail);
			await checkpoint();
			const json = { accepted: [mail.to], rejected: [], messageId: `<${item}@mail.example>` };
			out.push({ json, pairedItem: { item } });
		}
		return [out];
	},
});
