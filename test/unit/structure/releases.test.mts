import { readdirSync } from 'node:fs';

import { N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { sourceOf } from './sources.mts';

const byVersion = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

/** The releases of n8n that can be installed from a lock file. */
const PINNED = readdirSync('dev/host/n8n/releases')
	.filter((name) => name !== 'node')
	.sort(byVersion);

const [, matrix = ''] = /^ +n8n: \[(.+)\]$/m.exec(sourceOf('.github/workflows/ci.yml')) ?? [];

/** The first table of the page. */
const named = [
	...sourceOf('docs/running-n8n.md')
		.split('\n## On which n8n it was run')[1]!
		.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm),
].map(([, version]) => version!);

describe('every n8n that we name', () => {
	it('can be installed, and is tested by CI', () => {
		const tested = [...matrix.split(', '), N8N_VERSION].sort(byVersion);
		expect(tested).toEqual(PINNED);
	});

	it('is in the documentation, and the oldest in the README', () => {
		expect([...named].sort(byVersion)).toEqual(PINNED);
		const [, least] = /\((\d+\.\d+) or newer\)/.exec(sourceOf('README.md')) ?? [];
		expect(PINNED[0]).toBe(`${least}.0`);
	});
});
