import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeOnce } from '../../../host/n8n/createFolderOnce.mts';
import { tryLock } from '../../../host/n8n/lock.mts';
import { estimate, packagesIn } from '../../../host/n8n/progress.mts';

jest.setTimeout(60_000);

let place: string;
beforeEach(async () => (place = await mkdtemp(join(tmpdir(), 'unified-payments-once-'))));
afterEach(async () => await rm(place, { recursive: true, force: true }));

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Another process that makes the folder; without an end, it says 'begun' and never finishes. */
async function otherProcess(folder: string, make: string): Promise<ChildProcess> {
	const script = join(place, 'other.mts');
	const module = join(process.cwd(), 'host', 'n8n', 'createFolderOnce.mts');
	await writeFile(
		script,
		`import { writeFile } from 'node:fs/promises';
		import { makeOnce } from ${JSON.stringify(module)};
		setInterval(() => {}, 1000);
		await makeOnce(${JSON.stringify(folder)}, async (unfinished) => { ${make} });
		process.exit();`,
	);
	const child = spawn(process.execPath, ['--import', 'tsx', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	children.push(child);
	return child;
}

const ENDLESS = `await writeFile(unfinished + '/half', 'half'); console.log('begun'); await new Promise(() => {});`;

test('a folder that many want at once is made once', async () => {
	const folder = join(place, 'made');
	let times = 0;
	const make = async (unfinished: string) => {
		times += 1;
		await writeFile(join(unfinished, 'content'), 'whole');
	};
	await Promise.all([1, 2, 3, 4].map(() => makeOnce(folder, make)));

	expect(times).toBe(1);
	expect(await readFile(join(folder, 'content'), 'utf8')).toBe('whole');
});

test('what failed half way is not there, and can be tried again', async () => {
	const folder = join(place, 'made');
	const fail = async (unfinished: string) => {
		await writeFile(join(unfinished, 'half'), 'half');
		throw new Error('no room');
	};

	await expect(makeOnce(folder, fail)).rejects.toThrow('no room');
	expect(await readdir(place)).toEqual([]);
	await makeOnce(folder, async () => {});
	expect(existsSync(folder)).toBe(true);
});

test('one process waits for another, and goes on by itself when that one is killed', async () => {
	const folder = join(place, 'made');
	const other = await otherProcess(folder, ENDLESS);
	await once(other.stdout!, 'data');
	let waited = false;
	const mine = makeOnce(
		folder,
		async (unfinished) => await writeFile(join(unfinished, 'content'), 'whole'),
		() => {
			waited = true;
			other.kill('SIGKILL');
		},
	);
	await mine;

	expect(waited).toBe(true);
	expect(await readdir(folder)).toEqual(['content']);
	// Nothing is left of what the other had begun.
	expect((await readdir(place)).sort()).toEqual(['made', 'other.mts']);
});

test('a lock has one holder, until it is released', async () => {
	const first = await tryLock(place);

	expect(await tryLock(place)).toBeUndefined();
	await first?.release();
	const second = await tryLock(place);
	expect(second).toBeDefined();
	await second?.release();
});

test('progress counts what is there and guesses what is left', async () => {
	const packages = ['one', 'two', 'three'].map((name) => `node_modules/${name}`);
	await makeOnce(join(place, 'node_modules', 'one'), async (unfinished) => {
		await writeFile(join(unfinished, 'package.json'), '{}');
	});
	let time = 0;
	const far = packagesIn(place, packages, () => time);
	time = 120_000;

	expect(await far()).toBe('  1 of 3 packages, about 7 min left');
	expect(estimate(1, 1000, 1000)).toBe('');
	expect(estimate(1000, 1000, 1000)).toBe('');
});

test('the guess knows that the largest packages come last', () => {
	// One installation of n8n 2.41.0, which took 205 s.
	const seen = [
		estimate(443, 1435, 50_000),
		estimate(1081, 1435, 70_000),
		estimate(1284, 1435, 90_000),
		estimate(1371, 1435, 120_000),
		estimate(1410, 1435, 150_000),
		estimate(1431, 1435, 170_000),
	];

	expect(seen).toEqual(['3', '3', '2', '2', '1', '1'].map((min) => `about ${min} min left`));
});
