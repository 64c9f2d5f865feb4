import type { INodeType } from 'n8n-workflow';

import type { N8n } from './n8n.mts';
import { dataTableNode } from './nodes/dataTable.mts';
import { mailNode, slackNode } from './nodes/mail.mts';
import { formNode, type Ask } from './nodes/people.mts';
import { runOutside, whoRuns } from './process.mts';

/** On the way to a mail server or to Slack. */
const WAY_MS = 20;

/** Nodes that reach people, or n8n's database. */
export function outsideNodes(n8n: N8n): Record<string, INodeType> {
	/** The world is told later, and not by the process that asked for it. */
	const outside = async (tell: (execution: string) => void): Promise<void> => {
		const execution = whoRuns()?.execution ?? '';
		await n8n.clock.wait(WAY_MS);
		runOutside(() => tell(execution));
	};
	const ask: Ask = async (question) => await outside(() => n8n.onQuestion(question));
	return {
		'n8n-nodes-base.emailSend': mailNode(
			async (mail) => await outside((execution) => n8n.onMail(mail, execution)),
		),
		'n8n-nodes-base.slack': slackNode(
			async (channel, text) =>
				await outside((execution) => n8n.onMessage(channel, text, execution)),
			ask,
		),
		'n8n-nodes-base.form': formNode(ask),
		'n8n-nodes-base.dataTable': dataTableNode(n8n.tables),
	};
}
