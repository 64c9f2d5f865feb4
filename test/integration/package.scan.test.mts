import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scan = (folder: string) => {
	const args = ['--import', 'tsx', 'dev/tools/scan.mts', folder];
	const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	return { stdout, status };
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function copy(): string {
	const folder = mkdtempSync(join(tmpdir(), 'scanned-'));
	folders.push(folder);
	for (const part of ['package.json', 'nodes', 'credentials', 'dist', 'README.md', 'LICENSE']) {
		cpSync(part, join(folder, part), { recursive: true });
	}
	return folder;
}

describe("n8n's scan of a community package", () => {
	it('passes source and package', () => {
		expect(scan('.')).toEqual({
			status: 0,
			stdout: "✓ the source passes n8n's scan\n✓ the package passes n8n's scan\n",
		});
	}, 240_000);

	it('notices what must not be there, in either', () => {
		const folder = copy();
		appendFileSync(
			join(folder, 'nodes/UnifiedPayments/actions/rows.ts'),
			'export const home = process.env.HOME;\n',
		);
		appendFileSync(
			join(folder, 'dist/nodes/UnifiedPayments/actions/rows.js'),
			"\nrequire('node:fs');\nconsole.log('hello');\n",
		);
		const { stdout, status } = scan(folder);
		expect(status).toBe(1);
		const [source, built] = stdout.split('✗ the package');
		expect(source).toContain('@n8n/community-nodes/no-restricted-globals');
		expect(built).toContain('@n8n/community-nodes/no-restricted-imports');
		expect(built).toContain('no-console');
	}, 240_000);
});
