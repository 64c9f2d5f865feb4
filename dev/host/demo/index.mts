import { join } from 'node:path';

import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox, Switches } from '../../sandbox/index.mts';
import { ALERTS, importExamples } from './importExamples.mts';
import type { ImportedExamples } from './importExamples.mts';
import { EXPRESSIONS_ON_DEMAND, startHost } from '../n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../n8n/release.mts';
import type { Host, HostOptions, SavedWorkflow } from '../n8n/index.mts';
import { startMail } from '../mail/index.mts';
import { openDesk } from './openDesk.mts';
import type { OpenDesk } from './openDesk.mts';
import { sandboxCredential } from './sandboxCredential.mts';
import { withEnds } from '../shared/ends.mts';
import { startSlack, TOKEN } from '../slack/index.mts';
import type { Slack } from '../slack/index.mts';

interface DemoOptions extends HostOptions {
	/** By default a free one. */
	sandboxPort?: number;
	/** How the sandbox differs from the specification's samples. */
	switches?: Partial<Switches>;
	/** The port of the page with the messages to Slack; without it, there is no stand-in for Slack. */
	slackPort?: number;
	/** The port of the page with the e-mails of the payment desk; without it, there is no desk. Needs `slackPort`. */
	mailPort?: number;
}

export interface Demo extends ImportedExamples {
	sandbox: Sandbox;
	host: Host;
	slack?: Slack;
	/** The payment desk, where it was asked for. */
	desk?: OpenDesk;
	stop: () => Promise<void>;
}

/**
 * Newer releases begin with a page about n8n's own assistant, and warn when they cannot ask n8n's servers
 * for more of its kind; older ones know no such setting.
 */
const withoutAssistant = (): Record<string, string> =>
	isAtLeast(N8N_VERSION) ? { N8N_DISABLED_MODULES: 'instance-ai,mcp-registry' } : {};

/** The examples that wait for payments. */
const LISTENING = [ALERTS, 'Paid, and marked in the sheet'];

/** In n8n's own folder: whoever deletes what n8n remembers deletes what the sandbox remembers. */
const stateFileIn = (data: string | undefined, name: string) =>
	data === undefined ? null : join(data, '.n8n', name);

/** Starts the sandbox, and an n8n that has a credential for it and workflows to try. */
export async function startDemo({
	sandboxPort,
	slackPort,
	mailPort,
	switches,
	...options
}: DemoOptions = {}): Promise<Demo> {
	return await withEnds(async (ends) => {
		const slack =
			slackPort === undefined
				? undefined
				: await startSlack(slackPort, stateFileIn(options.data, 'slack.jsonl') ?? undefined);
		if (slack) ends.push(slack.close);
		let sandbox: Sandbox | undefined;
		const host = await startHost({
			...options,
			env: { ...EXPRESSIONS_ON_DEMAND, ...withoutAssistant(), ...slack?.env, ...options.env },
			beforeStart: async () => {
				const stateFile = stateFileIn(options.data, 'sandbox.jsonl');
				const opened = await startSandbox({ ...switches, port: sandboxPort, stateFile });
				ends.push(async () => await opened.close());
				sandbox = opened;
			},
		});
		ends.push(host.stop);
		if (sandbox === undefined) throw new Error('The sandbox was not started.');
		const imported = await importExamples(host.client, {
			url: host.url,
			sandbox: sandboxCredential(sandbox),
			...(slack && { slack: { accessToken: TOKEN }, slackUrl: slack.url }),
		});
		if (slack) await publishListening(host, imported.added);
		if (mailPort === undefined) return { sandbox, host, slack, ...imported };
		const file = stateFileIn(options.data, 'mail.jsonl') ?? undefined;
		const mail = await startMail({ pagePort: mailPort, file });
		ends.push(mail.close);
		const desk = await openDesk(host, imported.credential, mail);
		return { sandbox, host, slack, ...imported, desk };
	});
}

/** Only those that are new: a user who switches one off wants it to stay off. */
async function publishListening({ client }: Host, added: SavedWorkflow[]): Promise<void> {
	for (const workflow of added) {
		if (LISTENING.includes(workflow.name)) await client.publish(workflow);
	}
}

/**
 * Whether a payment of the first workflow leads to a message in the stand-in for Slack. It does not
 * after the alerts were switched off, or when n8n has another port than at the first start.
 */
export async function alertsArrive({
	host,
	slack,
	workflow,
	examples,
	alertsUrl,
}: Demo): Promise<boolean> {
	const alerts = examples.find(({ name }) => name === ALERTS);
	if (!slack || !alerts || !(await host.client.workflow(alerts)).active) return false;
	const { nodes } = await host.client.workflow(workflow);
	return nodes.some(({ parameters }) => parameters.callbackUrl === alertsUrl);
}
