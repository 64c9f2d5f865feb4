import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { read, tablesIn } from './markdown.mts';

it.each(['bench-bulk', 'bench-trigger'])(
	'the chart %s is shown, with the figures of the tables',
	(name) => {
		const text = read('docs/running-n8n.md');
		expect(text).toContain(`images/${name}.svg`);
		const chart = read(`docs/images/${name}.svg`);
		const figures = [...chart.matchAll(/class="figure[^"]*"[^>]*>([^<]+)</g)].map(
			([, one]) => one!,
		);
		expect(figures.length).toBeGreaterThan(3);
		const told = new Set([...text.matchAll(/\d[\d.]*/g)].map(([number]) => Number(number)));
		expect(figures.filter((figure) => !told.has(Number(figure.replace(/ ms$/, ''))))).toEqual([]);
	},
);

describe('the README', () => {
	const text = read('README.md');

	it('begins with what it is, how to install it, the two commands, and then how to set it up', () => {
		const order = ['Take payments', '## Install', 'npm ci && npm start', '## Set up'].map((words) =>
			text.indexOf(words),
		);
		expect(order).not.toContain(-1);
		expect(order).toEqual([...order].sort((a, b) => a - b));
		// Read in five minutes.
		expect(text.split('\n').length).toBeLessThanOrEqual(150);
	});

	it('names the least n8n that a test runs on', () => {
		const releases = readdirSync('host/n8n/releases').filter((name) => /^\d/.test(name));
		const [least] = releases.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
		const [, named] = /\((\d+\.\d+) or newer\)/.exec(text) ?? [];
		expect(least).toBe(`${named}.0`);
	});
});

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
