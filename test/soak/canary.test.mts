import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { buildIfStale, type SavedWorkflow } from '../../host/n8n/index.mts';
import { demoCredential } from '../helpers/payments.mts';
import {
	ALL_HOSTILE,
	answeringTokens,
	CANARIES,
	hitsIn,
	signaturesIn,
} from '../helpers/soak/canary.mts';
import {
	endOf,
	NAIVE,
	OURS,
	saveSheet,
	startPhoenix,
	type Phoenix,
	type SheetWorkflow,
} from '../helpers/soak/server.mts';
import { MINUTE, tell } from '../helpers/soak/settings.mts';
import { forNaive, goodSheet, inFields } from '../helpers/soak/sheet.mts';
import { startWire, type Wire } from '../helpers/wire.mts';

const CALLBACK = 'https://shop.example.com/hook';
const OPTIONS = { timeoutSeconds: 1, onDuplicate: 'sendAnyway' };

const READ = { options: { timeoutSeconds: 1 } };
const LINK = {
	callbackUrl: CALLBACK,
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Shop',
	itemName: 'Item',
};

const OPERATIONS: INodeParameters[] = [
	{ ...inFields(OPTIONS), callbackUrl: CALLBACK, orderReference: '={{ $json.reference }}' },
	{ resource: 'paymentLink', operation: 'create', ...LINK, options: OPTIONS },
	{ resource: 'balance', operation: 'get', ...READ },
	{ resource: 'transaction', operation: 'get', reference: 'R', apiVersion: 'v2', ...READ },
	{ resource: 'paymentLink', operation: 'getAll', ...READ },
];

jest.setTimeout(30 * MINUTE);

let n8n: Phoenix;
let wire: Wire;
let play: (typeof ALL_HOSTILE)[number][1];

beforeAll(async () => {
	await buildIfStale();
	wire = await startWire((received, response) => answeringTokens(play)(received, response));
	n8n = await startPhoenix({ N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' });
}, 30 * MINUTE);

afterAll(async () => {
	await n8n?.end();
	await wire?.close();
}, MINUTE);

/** The texts of all that n8n shows, logs and stores, with where each is from. */
async function everything(executions: string[]): Promise<Array<[place: string, Buffer]>> {
	const { client, log } = n8n.host();
	const home = join(n8n.folder, '.n8n');
	const files = await readdir(home, { recursive: true, withFileTypes: true });
	const stored = files
		.filter((file) => file.isFile() && !file.parentPath.startsWith(join(home, 'nodes')))
		.map((file) => join(file.parentPath, file.name));
	const places: Array<[place: string, Buffer]> = [['the log', Buffer.from(log())]];
	for (const file of stored) places.push([file.slice(home.length + 1), await readFile(file)]);
	for (const id of executions) {
		const shown = JSON.stringify(await client.get(`/rest/executions/${id}`));
		places.push([`execution ${id}`, Buffer.from(shown)]);
	}
	return places;
}

async function search(executions: string[]): Promise<string[]> {
	const secrets = { ...CANARIES, ...signaturesIn(wire.received) };
	const places = await everything(executions);
	const bytes = places.reduce((sum, [, text]) => sum + text.length, 0);
	tell(`searched ${places.length} places, ${(bytes / 1e6).toFixed(1)} MB`);
	return places.flatMap(([place, text]) =>
		hitsIn(text, secrets).map((name) => `${name}: ${place}`),
	);
}

const save = async (sheet: Omit<SheetWorkflow, 'credential' | 'rows'>): Promise<SavedWorkflow> => {
	const { secretKey, apiKey, callbackToken } = CANARIES;
	return await saveSheet(n8n.host().client, {
		...sheet,
		rows: goodSheet(2, 1),
		credential: demoCredential(wire.url, { secretKey, apiKey, callbackToken }),
	});
};

async function runUnderAll(workflows: SavedWorkflow[]): Promise<string[]> {
	const { client } = n8n.host();
	const ids: string[] = [];
	for (const [, next] of ALL_HOSTILE) {
		play = next;
		for (const workflow of workflows) {
			const id = await client.start(workflow, 'Start');
			await endOf(client, id);
			ids.push(id);
		}
	}
	return ids;
}

it('no secret is anywhere in n8n after every fault, at debug level', async () => {
	const workflows: SavedWorkflow[] = [];
	for (const parameters of OPERATIONS) {
		for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
			workflows.push(await save({ type: OURS, parameters, onError }));
		}
	}
	const executions = await runUnderAll(workflows);
	expect(n8n.host().log()).toMatch(/\bdebug\b/i);
	expect(await search(executions)).toEqual([]);
});

it('a naive node leaves them there', async () => {
	const naive = await save({
		type: NAIVE,
		parameters: forNaive({ body: JSON.stringify({ callback_url: CALLBACK }), timeout: 1000 }),
	});
	const found = await search(await runUnderAll([naive]));
	tell(`naive: ${found.length} hits, e.g. ${found.slice(0, 3).join('; ')}`);
	const stored = found.filter((hit) => hit.includes('database.sqlite')).join();
	for (const name of ['callbackToken', 'secretKey', 'signature']) expect(stored).toContain(name);
});
