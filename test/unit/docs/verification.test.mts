import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { read, tablesIn } from './markdown.mts';

const text = read('.github/VERIFICATION.md');

/** Files that are said to hold a point; a star stands for any part of the last name. */
const files = [...text.matchAll(/`((?:test|\.github|\.ci)\/[\w./*-]+)`/g)].map(([, file]) => file!);

const exists = (file: string): boolean => {
	if (!file.includes('*')) return existsSync(file);
	const pattern = new RegExp(`^${basename(file).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
	return readdirSync(dirname(file)).some((name) => pattern.test(name));
};

describe('.github/VERIFICATION.md', () => {
	it('names files that exist', () => {
		expect(files.length).toBeGreaterThan(20);
		expect(files.filter((file) => !exists(file))).toEqual([]);
	});

	it('says of every point where it holds', () => {
		const rows = tablesIn(text).flatMap((table) => table.rows);
		expect(rows.length).toBeGreaterThan(20);
		expect(rows.filter(([, where = '']) => where.length < 20)).toEqual([]);
	});
});
