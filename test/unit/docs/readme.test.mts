import { readdirSync } from 'node:fs';

import { read } from './markdown.mts';

const lines = read('README.md').split('\n');
const lineOf = (words: string) => lines.findIndex((line) => line.includes(words));

/** What fits on the first screen of a laptop. */
const FIRST_SCREEN = 30;

describe('the README begins with what a newcomer needs', () => {
	it('what it is, how to install it, the two commands, and then how to set it up', () => {
		const order = ['Take payments', '## Install', 'npm ci && npm start', '## Set up'].map(lineOf);
		expect(order).not.toContain(-1);
		expect(order).toEqual([...order].sort((a, b) => a - b));
		expect(lineOf('npm ci && npm test')).toBeLessThan(FIRST_SCREEN);
	});

	it('is read in five minutes', () => {
		expect(lines.length).toBeLessThanOrEqual(150);
		expect(lineOf('### Your first link')).toBeGreaterThan(-1);
	});

	it('names the least n8n that a test runs on', () => {
		const releases = readdirSync('host/n8n/releases').filter((name) => /^\d/.test(name));
		const [least] = releases.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
		const [, named] = /\((\d+\.\d+) or newer\)/.exec(lines.join('\n')) ?? [];
		expect(least).toBe(`${named}.0`);
	});
});
