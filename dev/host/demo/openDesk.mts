import type { Host, NewWorkflow, SavedCredential, SavedWorkflow } from '../n8n/index.mts';
import { call } from '../shared/http.mts';
import { until } from '../shared/until.mts';
import type { MailServer } from '../mail/index.mts';
import { TOKEN } from '../slack/index.mts';
import { DESK, importDesk } from './desk.mts';
import type { DeskJob } from './desk.mts';
import { saveCredential } from './importExamples.mts';

export interface OpenDesk {
	workflows: Record<DeskJob, SavedWorkflow>;
	/** Where somebody uploads a sheet. */
	formUrl: string;
	mail: MailServer;
}

/** What somebody types into n8n's credential for mail to reach the stand-in. */
export const mailCredential = ({ port }: MailServer) => ({
	host: '127.0.0.1',
	port,
	secure: false,
	disableStartTls: true,
	user: '',
	password: '',
});

/** Imports the payment desk and publishes it; what is there already stays as it is. */
export async function openDesk(
	{ client, url }: Host,
	sandbox: SavedCredential,
	mail: MailServer,
): Promise<OpenDesk> {
	const credentials = [
		sandbox,
		await saveCredential(client, 'Slack stand-in', 'slackApi', { accessToken: TOKEN }),
		await saveCredential(client, 'Mail stand-in', 'smtp', mailCredential(mail)),
	];
	const existing = await client.workflows();
	const added: SavedWorkflow[] = [];
	const workflows = await importDesk({
		url,
		credentials,
		change: everyMinute,
		createWorkflow: async (workflow) => {
			const found = existing.find(({ name }) => name === workflow.name);
			if (found) return found;
			const created = await client.createWorkflow(workflow);
			added.push(created);
			return created;
		},
	});
	// A user who switches one off wants it to stay off.
	for (const job of DESK) {
		if (added.includes(workflows[job])) await client.publish(workflows[job]);
	}
	const formUrl = `${url}/form/payment-desk`;
	if (added.length > 0) {
		await until('the form', async () => ((await call(formUrl)).status === 200 ? true : undefined));
	}
	return { workflows, formUrl, mail };
}

/** Whoever tries it need not wait five minutes for an e-mail. */
const everyMinute = (workflow: NewWorkflow): NewWorkflow =>
	JSON.parse(
		JSON.stringify(workflow).replace('"minutesInterval":5', '"minutesInterval":1'),
	) as NewWorkflow;
