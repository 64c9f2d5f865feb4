import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../../dev/host/shared/until.mts';
import { startSandbox, type FaultPlan } from '../../../dev/sandbox/index.mts';
import { audit, CLEAN, saidBy, tally } from '../../helpers/soak/audit.mts';
import { planOf } from '../../helpers/soak/faults.mts';
import { rerun, type Rerun } from '../../helpers/soak/rerun.mts';
import { LINK_REFERENCE, REFERENCE, sheet } from '../../helpers/soak/sheet.mts';

// A short form of `test/soak`, which kills a real n8n twenty times.
const ROWS = 240;
const SEED = 1;
const CHILD = join(process.cwd(), 'test', 'helpers', 'soak', 'rerun-child.mts');

jest.setTimeout(180_000);

/** Starts a run in a process of its own and ends it with `kill -9` in the middle. */
async function runAndKill(run: Rerun, isTime: () => boolean): Promise<void> {
	const args = ['--import', 'tsx', CHILD, JSON.stringify(run)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
	const ended = once(child, 'close');
	try {
		await until('the middle of the sheet', async () => (isTime() ? true : undefined), {
			seconds: 120,
			everyMs: 2,
		});
	} finally {
		child.kill('SIGKILL');
	}
	const [, signal] = (await ended) as [number | null, string | null];
	expect(signal).toBe('SIGKILL');
}

async function killOnce(node: Rerun['node'], faultPlan: FaultPlan | null, runsAfter = 1) {
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-kill-'));
	const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1, faultPlan });
	const { ledger } = sandbox.state;
	try {
		const run = { node, rows: ROWS, seed: SEED, url: sandbox.url, store: join(folder, 'store') };
		await runAndKill(run, () => ledger.accepted >= 40);
		const before = ledger.accepted;
		let items = await rerun(run);
		// The weather clears up; what was lost on the way is looked for once more.
		if (runsAfter > 1) sandbox.faults.plan(null);
		for (let more = 1; more < runsAfter; more++) items = await rerun(run);
		const said = saidBy(items);
		const taken = ledger.countBy(node === 'links' ? LINK_REFERENCE : REFERENCE);
		const found = audit(sheet(ROWS, SEED), said, taken);
		const links = new Map(sandbox.state.links.map((each) => [each.link, each.item_name]));
		return { found, before, outcomes: tally(said), items, taken, links };
	} finally {
		await sandbox.close();
		await rm(folder, { recursive: true, force: true });
	}
}

it('after kill -9 in mid-batch, the next run sends nothing twice and accounts for every row', async () => {
	const { found, before, outcomes } = await killOnce('ours', planOf(SEED));
	expect(before).toBeLessThan(ROWS / 2);
	expect(found).toEqual(CLEAN);
	expect(outcomes.unknown).toBeGreaterThan(0);
	expect(outcomes.accepted).toBeGreaterThan(0);
});

it('after kill -9, faults and one more run, every link that the service took has its row', async () => {
	const rows = sheet(ROWS, SEED);
	const { found, items, taken, links } = await killOnce('links', planOf(SEED), 2);
	expect(found).toEqual(CLEAN);
	for (const { json, pairedItem } of items) {
		const { reference } = rows[(pairedItem as { item: number }).item]!;
		const { outcome } = (json.error ?? json) as { outcome: string };
		const isSaid = outcome === 'accepted' || outcome === 'duplicate';
		// A row that stands in the sheet twice is a duplicate of one that the service may not have taken.
		const link = isSaid && reference in taken ? reference : undefined;
		expect([reference, links.get(String(json.link))]).toEqual([reference, link]);
		if (!isSaid) expect(taken).not.toHaveProperty([reference]);
	}
	expect(links.size).toBeGreaterThan(ROWS / 2);
});

it('a naive node sends again what it had sent, even without a fault', async () => {
	const { found, before } = await killOnce('naive', null);
	expect(found.twice.length).toBeGreaterThanOrEqual(before - 1);
});
