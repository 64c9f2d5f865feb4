import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** All that the build and `npm pack` read. */
const SOURCES = [
	...['credentials', 'icons', 'nodes', 'LICENSE', 'README.md'],
	...['gulpfile.js', 'package.json', 'tsconfig.json'],
];

interface Packed {
	files: Array<{ path: string; size: number; mode: number }>;
	/** A hash of the whole tarball; npm gives every file in it the same date. */
	integrity: string;
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of its own: neither what was built before nor the path may find its way in. */
async function buildAnew(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'twice-'));
	folders.push(folder);
	for (const source of SOURCES) cpSync(source, join(folder, source), { recursive: true });
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
	await run('npm', ['run', 'build'], { cwd: folder });
	return folder;
}

async function pack(cwd: string): Promise<Packed> {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const { stdout } = await run('npm', args, { cwd });
	return (JSON.parse(stdout) as [Packed])[0];
}

it('the same source gives the same package, byte for byte', async () => {
	const [one, other] = await Promise.all([buildAnew(), buildAnew()]);
	const [first, second] = [await pack(one), await pack(other)];
	expect(first.files.length).toBeGreaterThan(50);
	expect(second.files).toEqual(first.files);
	expect(second.integrity).toBe(first.integrity);

	appendFileSync(join(other, 'dist/nodes/UnifiedPayments/actions/router.js'), ' ');
	expect((await pack(other)).integrity).not.toBe(first.integrity);
}, 600_000);
