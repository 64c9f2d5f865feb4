import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './run.mts';

/** Builds the package; what is in `dist` afterwards is what gets packed. */
export async function buildPackage(project = process.cwd()): Promise<void> {
	await run('npm', ['run', 'build'], { cwd: project });
}

/** Packs the package as for publishing and unpacks it where n8n looks for community packages. */
export async function installPackage(n8nFolder: string, project = process.cwd()): Promise<string> {
	const { name } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
		name: string;
	};
	const target = join(n8nFolder, 'nodes', 'node_modules', name);
	const parcel = await mkdtemp(join(tmpdir(), 'unified-payments-pack-'));
	try {
		const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', parcel];
		const [packed] = JSON.parse(await run('npm', args, { cwd: project })) as [{ filename: string }];
		await mkdir(target, { recursive: true });
		await run(
			'tar',
			['-xzf', join(parcel, packed.filename), '--strip-components=1', '-C', target],
			{
				cwd: parcel,
			},
		);
	} finally {
		await rm(parcel, { recursive: true, force: true });
	}
	return target;
}
