import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { read, tablesIn } from './markdown.mts';

it('.github/VERIFICATION.md says of every point where it holds, and names files that exist', () => {
	const text = read('.github/VERIFICATION.md');
	// A star stands for any part of the last name.
	const exists = (file: string): boolean => {
		const pattern = new RegExp(`^${basename(file).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
		return (
			existsSync(dirname(file)) && readdirSync(dirname(file)).some((name) => pattern.test(name))
		);
	};
	const files = [...text.matchAll(/`((?:test|\.github|\.ci)\/[\w./*-]+)`/g)].map(
		([, file]) => file!,
	);
	expect(files.length).toBeGreaterThan(20);
	expect(files.filter((file) => !exists(file))).toEqual([]);
	const rows = tablesIn(text).flatMap((table) => table.rows);
	expect(rows.length).toBeGreaterThan(20);
	expect(rows.filter(([, where = '']) => where.length < 20)).toEqual([]);
});
