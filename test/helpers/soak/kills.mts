import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { prng } from '../../../dev/sandbox/faults/prng.mts';
import { startSandbox, type FaultPlan, type Sandbox } from '../../../dev/sandbox/index.mts';
import { inBrief, judge } from './audit.mts';
import { tell } from './settings.mts';
import { endOf, isOver, saveSheet, startPhoenix } from './server.mts';
import { LINK_REFERENCE, REFERENCE, type SheetRow } from './sheet.mts';

interface Ordeal {
	type: string;
	parameters: INodeParameters;
	rows: SheetRow[];
	seed: number;
	kills: number;
	/** The most rows the service takes between two kills. */
	stride: number;
	faultPlan: FaultPlan | null;
	/** What is created; links are found again in the list. */
	creates: 'collections' | 'links';
}

/**
 * Runs a sheet on a real n8n, kills it in the middle, starts it again, and runs the same workflow
 * anew as a user would; after the last kill it may finish. The service lives through it all.
 */
export async function killAndRerun(ordeal: Ordeal) {
	const { rows, faultPlan, creates } = ordeal;
	const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1, faultPlan });
	const n8n = await startPhoenix();
	try {
		const workflow = await saveSheet(n8n.host().client, {
			...ordeal,
			credential: sandboxCredential(sandbox),
		});
		const draw = prng(ordeal.seed);
		let kills = 0;
		while (kills < ordeal.kills) {
			const goal = sandbox.state.ledger.accepted + 1 + Math.floor(draw() * ordeal.stride);
			const { client } = n8n.host();
			const id = await client.start(workflow, 'Start');
			if (!(await reaches(sandbox, goal, async () => await isOver(client, id)))) break;
			await n8n.killAndRestart();
			tell(`kill ${++kills}: the service has taken ${sandbox.state.ledger.accepted}`);
		}
		const { client } = n8n.host();
		const execution = await endOf(client, await client.start(workflow, 'Start'));
		const items = execution.outputs('Node');
		const { state } = sandbox;
		const field = creates === 'links' ? LINK_REFERENCE : REFERENCE;
		const { found, ...figures } = judge(rows, items, state, field);
		const taken = state.ledger.countBy(field);
		/** Rows of links that were taken and came out without one. */
		const linkless = rows.filter(
			({ reference }, row) => creates === 'links' && reference in taken && !items[row]?.json.link,
		);
		tell(`${ordeal.type}, seed ${ordeal.seed}: ${JSON.stringify(figures)}; ${inBrief(found)}`);
		return { kills, found, ...figures, linkless };
	} finally {
		await n8n.end();
		await sandbox.close();
	}
}

const LOOK_EVERY_MS = 2;
const ASK_EVERY_MS = 5_000;

/** Whether the service takes so many while the execution is under way. */
async function reaches({ state }: Sandbox, goal: number, isOver: () => Promise<boolean>) {
	let asked = Date.now();
	while (state.ledger.accepted < goal) {
		await wait(LOOK_EVERY_MS);
		if (Date.now() - asked < ASK_EVERY_MS) continue;
		if (await isOver()) return false;
		asked = Date.now();
	}
	return true;
}
