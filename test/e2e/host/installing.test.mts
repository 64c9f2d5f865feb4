import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createFolderOnce } from '../../../host/n8n/createFolderOnce.mts';

jest.setTimeout(60_000);

test('one installation waits for another, and goes on by itself when that one is killed', async () => {
	const place = await mkdtemp(join(tmpdir(), 'unified-payments-installing-'));
	const folder = join(place, 'created');
	const script = join(place, 'other.mts');
	const module = join(process.cwd(), 'host', 'n8n', 'createFolderOnce.mts');
	// Another process that says 'begun' and never finishes.
	await writeFile(
		script,
		`import { writeFile } from 'node:fs/promises';
		import { createFolderOnce } from ${JSON.stringify(module)};
		setInterval(() => {}, 1000);
		await createFolderOnce(${JSON.stringify(folder)}, async (unfinished) => {
			await writeFile(unfinished + '/half', 'half');
			console.log('begun');
			await new Promise(() => {});
		});`,
	);
	const other = spawn(process.execPath, ['--import', 'tsx', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	try {
		await once(other.stdout, 'data');
		let waited = false;
		const fill = async (unfinished: string) =>
			await writeFile(join(unfinished, 'content'), 'whole');
		await createFolderOnce(folder, fill, () => {
			waited = true;
			other.kill('SIGKILL');
		});

		expect(waited).toBe(true);
		expect(await readdir(folder)).toEqual(['content']);
		// Nothing is left of what the other process had begun.
		expect((await readdir(place)).sort()).toEqual(['created', 'other.mts']);
	} finally {
		other.kill('SIGKILL');
		await rm(place, { recursive: true, force: true });
	}
});
