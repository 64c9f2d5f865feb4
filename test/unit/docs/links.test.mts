import { existsSync } from 'node:fs';

import { filesBelow, sourceOf } from '../structure/sources.mts';
import { anchorsIn } from './markdown.mts';

const REPOSITORY = 'https://github.com/unified-payments/n8n-nodes-unified-payments';

const leadsNowhere = (target: string): boolean => {
	const [path = '', anchor] = target.split('#') as [string, string?];
	if (!existsSync(path)) return true;
	return anchor !== undefined && !anchorsIn(sourceOf(path)).has(anchor);
};

/** Links between the pages are the linter's; these stand in code. */
it('links from the editor to the documentation lead somewhere', () => {
	const files = [...filesBelow('nodes', /\.(?:ts|json)$/), ...filesBelow('credentials')];
	const ours = new RegExp(`${REPOSITORY}/(?:blob|tree)/main/([\\w./-]+)(#[\\w-]+)?`, 'g');
	const linked = files.flatMap((file) =>
		[...sourceOf(file).matchAll(ours)].map(([, path, anchor = '']) => `${path}${anchor}`),
	);
	expect(linked.length).toBeGreaterThanOrEqual(2);
	expect(linked.filter(leadsNowhere)).toEqual([]);
});
