import { MARKED, SHEET } from '../../../dev/host/demo/importExamples.mts';
import { startHost } from '../../../dev/host/n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { freePort } from '../../../dev/host/shared/port.mts';
import { startCommand } from './command.mts';
import { useForAll } from './support.mts';

const host = useForAll(async () => await startHost());

/** As a user makes one under Settings, n8n API. */
async function apiKey(): Promise<string> {
	const scopes = (await host().client.get<string[]>('/rest/api-keys/scopes')).filter((scope) =>
		/^(credential|workflow):/.test(scope),
	);
	const key = { label: 'Sandbox', expiresAt: null, scopes };
	return (await host().client.post<{ rawApiKey: string }>('/rest/api-keys', key)).rawApiKey;
}

test('an n8n that is there already gets the credential and the examples by its API', async () => {
	const port = await freePort();
	const args = ['--n8n-url', host().url, '--sandbox-port', `${port}`];
	const command = startCommand([...args, '--api-key', await apiKey()]);
	await command.says('Ctrl-C stops the sandbox');
	const saved = await host().client.workflows();
	const named = (wanted: string) => saved.find(({ name }) => name === wanted)!;
	expect(command.output()).toContain(`${host().url}/workflow/${named(SHEET).id}`);
	// Older releases lack the tables that this example keeps its orders in.
	if (isAtLeast(N8N_VERSION)) {
		const links = (await host().client.run(named(MARKED), 'Start')).json('Create payment links');
		expect(links[0]?.link).toContain(`http://127.0.0.1:${port}/`);
	} else {
		expect(named(MARKED)).toBeDefined();
	}

	command.kill('SIGINT');
	expect(await command.ended).toBe(0);
});
