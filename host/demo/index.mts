import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { furnish } from './importExamples.mts';
import type { Furniture } from './importExamples.mts';
import { startHost } from '../n8n/index.mts';
import type { Host, HostOptions, SavedWorkflow } from '../n8n/index.mts';
import { startSlack, TOKEN } from '../slack/index.mts';
import type { Slack } from '../slack/index.mts';

export interface DemoOptions extends HostOptions {
	/** A free one unless told. */
	sandboxPort?: number;
	/** Where the messages of a stand-in for Slack are shown; without it, there is none. */
	slackPort?: number;
}

export interface Demo extends Furniture {
	sandbox: Sandbox;
	host: Host;
	slack?: Slack;
	stop: () => Promise<void>;
}

/** What a user would type into the credential dialog to reach the sandbox. */
export function sandboxCredential(sandbox: Sandbox): ICredentialDataDecryptedObject {
	const integration = sandbox.integrations[0]!;
	return {
		baseUrl: sandbox.url,
		clientId: integration.clientId,
		sender: integration.title,
		secretKey: integration.secretKey,
	};
}

const ALERTS = 'Status alerts to Slack';
const alertsUrl = ({ url }: Host) => `${url}/webhook/unified-payments-status-alerts/webhook`;

/** The sandbox, and an n8n that has a credential for it and workflows to try. */
export async function startDemo({
	sandboxPort,
	slackPort,
	...options
}: DemoOptions = {}): Promise<Demo> {
	const started: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const end of started.splice(0).reverse()) await end();
	};
	try {
		const sandbox = await startSandbox({ mode: 'rich', port: sandboxPort });
		started.push(async () => await sandbox.close());
		const slack = slackPort === undefined ? undefined : await startSlack(slackPort);
		if (slack) started.push(slack.close);
		const host = await startHost({ ...options, env: { ...slack?.env, ...options.env } });
		started.push(host.stop);
		const furniture = await furnish(host.client, {
			sandbox: sandboxCredential(sandbox),
			...(slack && { slack: { accessToken: TOKEN }, callbackUrl: alertsUrl(host) }),
		});
		if (slack) await openForCallbacks(host, furniture.added);
		return { sandbox, host, slack, ...furniture, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The first time only: whoever switches it off wants it to stay off. */
async function openForCallbacks({ client }: Host, added: SavedWorkflow[]): Promise<void> {
	const alerts = added.find(({ name }) => name === ALERTS);
	if (alerts) await client.publish(alerts);
}

/**
 * Whether a payment of the first workflow leads to a message in the stand-in for Slack: not when n8n
 * has moved to another port since, nor when the alerts were switched off.
 */
export async function alertsArrive({ host, slack, workflow, examples }: Demo): Promise<boolean> {
	const alerts = examples.find(({ name }) => name === ALERTS);
	if (!slack || !alerts || !(await host.client.workflow(alerts)).active) return false;
	const { nodes } = await host.client.workflow(workflow);
	return nodes.some(
		({ parameters }) =>
			(parameters.additionalFields as IDataObject | undefined)?.callbackUrl === alertsUrl(host),
	);
}
