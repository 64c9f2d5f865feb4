import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createFolderOnce } from '../../../host/n8n/createFolderOnce.mts';
import { tryLock } from '../../../host/n8n/lock.mts';
import { installedPackages } from '../../../host/n8n/progress.mts';

jest.setTimeout(60_000);

let place: string;
beforeEach(async () => (place = await mkdtemp(join(tmpdir(), 'unified-payments-installing-'))));
afterEach(async () => await rm(place, { recursive: true, force: true }));

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Another process that creates the folder. */
async function otherProcess(folder: string, fill: string): Promise<ChildProcess> {
	const script = join(place, 'other.mts');
	const module = join(process.cwd(), 'host', 'n8n', 'createFolderOnce.mts');
	await writeFile(
		script,
		`import { writeFile } from 'node:fs/promises';
		import { createFolderOnce } from ${JSON.stringify(module)};
		setInterval(() => {}, 1000);
		await createFolderOnce(${JSON.stringify(folder)}, async (unfinished) => { ${fill} });
		process.exit();`,
	);
	const child = spawn(process.execPath, ['--import', 'tsx', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	children.push(child);
	return child;
}

/** Says 'begun' and never finishes. */
const ENDLESS = `await writeFile(unfinished + '/half', 'half'); console.log('begun'); await new Promise(() => {});`;

test('a folder that several want at the same time is created once', async () => {
	const folder = join(place, 'created');
	let times = 0;
	const fill = async (unfinished: string) => {
		times += 1;
		await writeFile(join(unfinished, 'content'), 'whole');
	};
	await Promise.all([1, 2, 3, 4].map(() => createFolderOnce(folder, fill)));

	expect(times).toBe(1);
	expect(await readFile(join(folder, 'content'), 'utf8')).toBe('whole');
});

test('what failed half way is not there, and can be tried again', async () => {
	const folder = join(place, 'created');
	const fail = async (unfinished: string) => {
		await writeFile(join(unfinished, 'half'), 'half');
		throw new Error('no room');
	};

	await expect(createFolderOnce(folder, fail)).rejects.toThrow('no room');
	expect(await readdir(place)).toEqual([]);
	await createFolderOnce(folder, async () => {});
	expect(existsSync(folder)).toBe(true);
});

test('one process waits for another, and goes on by itself when that one is killed', async () => {
	const folder = join(place, 'created');
	const other = await otherProcess(folder, ENDLESS);
	await once(other.stdout!, 'data');
	let waited = false;
	const mine = createFolderOnce(
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
	// Nothing is left of what the other process had begun.
	expect((await readdir(place)).sort()).toEqual(['created', 'other.mts']);
});

test('a lock has one holder, until it is released', async () => {
	const first = await tryLock(place);

	expect(await tryLock(place)).toBeUndefined();
	await first?.release();
	const second = await tryLock(place);
	expect(second).toBeDefined();
	await second?.release();
});

test('progress says how many packages are there, and how fast they come', async () => {
	const packages = ['one', 'two', 'three'].map((name) => `node_modules/${name}`);
	let time = 0;
	const progress = installedPackages(place, packages, () => time);
	expect(await progress()).toBe('  looking up 3 packages');

	for (const path of packages.slice(1)) {
		await mkdir(join(place, path), { recursive: true });
		await writeFile(join(place, path, 'package.json'), '{}');
	}
	time = 30_000;
	expect(await progress()).toBe('  2 of 3 packages, 4 a minute');
});
