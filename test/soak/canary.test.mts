import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { buildIfStale } from '../../dev/host/n8n/index.mts';
import { demoCredential } from '../helpers/payments.mts';
import {
	ALL_HOSTILE,
	answeringTokens,
	CANARIES,
	hitsIn,
	signaturesIn,
} from '../helpers/soak/canary.mts';
import { endOf, OURS, saveSheet, startPhoenix } from '../helpers/soak/server.mts';
import { MINUTE, tell } from '../helpers/soak/settings.mts';
import { goodSheet, inFields, linksInFields } from '../helpers/soak/sheet.mts';
import { startWire } from '../helpers/wire.mts';

const CREATE = { timeoutSeconds: 1, onDuplicate: 'sendAnyway' };
const READ = { options: { timeoutSeconds: 1 } };

const OPERATIONS: INodeParameters[] = [
	{ ...inFields(CREATE), callbackUrl: 'https://shop.example.com/hook' },
	linksInFields(CREATE),
	{ resource: 'balance', operation: 'get', ...READ },
	{ resource: 'transaction', operation: 'get', reference: 'R', apiVersion: 'v2', ...READ },
	{ resource: 'paymentLink', operation: 'getAll', ...READ },
];

/** What n8n has logged and stored, its executions among it, with the name of the file. */
async function stored(home: string): Promise<Array<[place: string, Buffer]>> {
	const files = await readdir(home, { recursive: true, withFileTypes: true });
	return await Promise.all(
		files
			.filter((file) => file.isFile() && !file.parentPath.startsWith(join(home, 'nodes')))
			.map(async ({ parentPath, name }): Promise<[string, Buffer]> => [
				name,
				await readFile(join(parentPath, name)),
			]),
	);
}

// A naive node shows them in `test/integration/bulk/canary.test.mts`.
it(
	'no secret is anywhere in n8n after every fault, at debug level',
	async () => {
		await buildIfStale();
		let [, play] = ALL_HOSTILE[0]!;
		const wire = await startWire((received, reply) => answeringTokens(play)(received, reply));
		const n8n = await startPhoenix({ N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' });
		try {
			const { client, log } = n8n.host();
			const { secretKey, apiKey } = CANARIES;
			const credential = demoCredential(wire.url, { secretKey, apiKey });
			for (const parameters of OPERATIONS) {
				for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
					const sheet = { type: OURS, parameters, onError, rows: goodSheet(2, 1), credential };
					const workflow = await saveSheet(client, sheet);
					for ([, play] of ALL_HOSTILE) await endOf(client, await client.start(workflow, 'Start'));
				}
			}
			const places = await stored(join(n8n.folder, '.n8n'));
			const bytes = places.reduce((sum, [, text]) => sum + text.length, 0);
			tell(`searched ${places.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
			const all: typeof places = [...places, ['the log', Buffer.from(log())]];
			// The search is right: references of the rows are there, and the log is a long one.
			expect(all.filter(([, text]) => text.includes('S1-1')).length).toBeGreaterThan(0);
			expect(log()).toMatch(/\bdebug\b/i);
			const secrets = { ...CANARIES, ...signaturesIn(wire.received) };
			const hits = all.flatMap(([place, text]) =>
				hitsIn(text, secrets).map((name) => `${name} in ${place}`),
			);
			expect(hits).toEqual([]);
		} finally {
			await n8n.end();
			await wire.close();
		}
	},
	30 * MINUTE,
);
