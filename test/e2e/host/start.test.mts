import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MARKED, SHEET } from '../../../dev/host/demo/importExamples.mts';
import { N8nClient, OWNER, buildIfStale } from '../../../dev/host/n8n/index.mts';
import { install } from '../../../dev/host/n8n/install.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { freePort } from '../../../dev/host/shared/port.mts';
import { answersAt, startCommand } from './command.mts';

const MINUTE = 60_000;
jest.setTimeout(10 * MINUTE);

let data: string;
beforeAll(async () => {
	await buildIfStale();
	await install();
	data = await mkdtemp(join(tmpdir(), 'unified-payments-data-'));
}, 30 * MINUTE);
afterAll(async () => await rm(data, { recursive: true, force: true, maxRetries: 5 }));

/** A start on ports of its own, with the data of this file. */
async function ports() {
	const [port, sandboxPort, messagesPort] = [await freePort(), await freePort(), await freePort()];
	const args = ['--port', port, '--sandbox-port', sandboxPort, '--messages-port', messagesPort]
		.map(String)
		.concat('--data', data);
	return { args, url: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` };
}

const signIn = async (url: string) => {
	const client = new N8nClient(url);
	await client.login(OWNER);
	return client;
};

/** The workflows that are published. */
async function listening(client: N8nClient): Promise<string[]> {
	const saved = await client.workflows();
	const workflows = await Promise.all(saved.map(async (each) => await client.workflow(each)));
	return workflows
		.filter(({ active }) => active)
		.map(({ name }) => name)
		.sort();
}

/** Runs an example that makes links. */
async function createFirst(client: N8nClient) {
	const example = (await client.workflows()).find(({ name }) => name === MARKED)!;
	const run = await client.run(example, 'Start');
	const [item] = run.json('Create payment links');
	return { outcome: item?.outcome, link: String(item?.link) };
}

// Older releases lack the tables that the example keeps its orders in.
const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

newest(
	'it starts; what was sent stays sent, with its link, in the next run and after a kill',
	async () => {
		const { args, url, sandboxUrl } = await ports();
		const one = startCommand(args);
		await one.says('Ctrl-C stops everything');
		expect(one.output()).toContain(url);
		expect(one.output()).toContain(OWNER.password);
		expect(one.output()).toContain(`${url}/form/payment-links`);
		const client = await signIn(url);
		expect(await listening(client)).toEqual([MARKED, SHEET]);
		await client.createWorkflow({ name: 'My own', nodes: [], connections: {} });
		const sent = await createFirst(client);
		expect(sent).toEqual({
			outcome: 'accepted',
			link: expect.stringContaining(sandboxUrl) as string,
		});
		expect(await createFirst(client)).toEqual({ outcome: 'duplicate', link: sent.link });
		await call(`${sandboxUrl}/sandbox/links/${sent.link.split('/').pop()}/pay`, {
			method: 'POST',
			body: { outcome: 'success' },
		});
		const elsewhere = startCommand((await ports()).args);
		expect(await elsewhere.ended).toBe(1);
		expect(elsewhere.output()).toContain('Another n8n is using');
		one.kill('SIGKILL');
		await one.ended;
		await one.gone(url);

		const two = startCommand(args);
		await two.says('Ctrl-C stops everything');
		const { links } = JSON.parse((await call(`${sandboxUrl}/sandbox/state`)).text) as {
			links: Array<{ link: string; state: string }>;
		};
		expect(links).toContainEqual(expect.objectContaining({ link: sent.link, state: 'paid' }));
		expect(await createFirst(await signIn(url))).toEqual({ outcome: 'duplicate', link: sent.link });
		two.kill('SIGINT');
		expect(await two.ended).toBe(0);
		expect(await answersAt(url)).toBe(false);
		expect(await answersAt(sandboxUrl)).toBe(false);
	},
);

test('--fresh begins from the beginning, and --once sends a sheet and ends', async () => {
	const { args, url } = await ports();
	const fresh = startCommand([...args, '--fresh', '--once']);
	expect(await fresh.ended).toBe(0);
	expect(fresh.output()).toContain('The sheet came back: 4 links, 1 to correct');
	expect(await answersAt(url)).toBe(false);
	// Nothing of before is left: no workflow in n8n, and no link in the sandbox.
	const kept = async (file: string) => await readFile(join(data, '.n8n', file), 'latin1');
	expect(await kept('database.sqlite')).not.toContain('My own');
	expect(new Set((await kept('sandbox.jsonl')).match(/(?<="reference":")PL-[^"]+/g)).size).toBe(4);
});
