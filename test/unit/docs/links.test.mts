import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { filesBelow, sourceOf } from '../structure/sources.mts';
import { anchorsIn, documents, read, targetsIn } from './markdown.mts';

const ROOT = process.cwd();
const REPOSITORY = 'https://github.com/unified-payments/n8n-nodes-unified-payments';

/** Why a link of a document does not lead anywhere; null when it does. */
function brokenLink(file: string, target: string): string | null {
	const [path = '', anchor] = target.split('#') as [string, string?];
	const to = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), decodeURI(path)));
	if (to.startsWith('..')) return `${target} leads out of the repository`;
	if (!existsSync(join(ROOT, to))) return `${target} does not exist`;
	if (anchor === undefined || !to.endsWith('.md')) return null;
	return anchorsIn(read(to)).has(anchor) ? null : `${target} has no such heading`;
}

const isRelative = (target: string) => !/^[a-z][a-z+.-]*:/i.test(target);

describe('links', () => {
	it.each(documents())('of %s lead somewhere', (file) => {
		const targets = targetsIn(read(file)).filter(isRelative);
		expect(targets.flatMap((target) => brokenLink(file, target) ?? [])).toEqual([]);
	});

	it('from the editor to the documentation lead somewhere', () => {
		const files = [...filesBelow('nodes', /\.(?:ts|json)$/), ...filesBelow('credentials')];
		const ours = new RegExp(`${REPOSITORY}/(?:blob|tree)/main/([\\w./-]+)(#[\\w-]+)?`, 'g');
		const linked = files.flatMap((file) =>
			[...sourceOf(file).matchAll(ours)].map(([, path, anchor = '']) => `${path}${anchor}`),
		);
		expect(linked.length).toBeGreaterThanOrEqual(2);
		expect(linked.flatMap((target) => brokenLink('README.md', target) ?? [])).toEqual([]);
	});
});
