import type { IExecuteFunctions } from 'n8n-workflow';

import { runNode } from '../../../host/engine/index.mts';
import { toyNode } from './toys/node.mts';

/** Claims the keys of all rows in one call and puts out what was new. */
const claim = toyNode(async function (this: IExecuteFunctions) {
	const keys = this.getInputData().map(({ json }) => String(json.key));
	const { new: fresh, processed } = await this.helpers.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: 3,
	});
	return [[{ json: { fresh, processed } }]];
});

const keys = (...values: string[]) => ({ items: values.map((key) => ({ key })) });

test('deduplication remembers by workflow, and forgets the oldest beyond the limit', async () => {
	const here = { workflowId: 'remembering' };
	const first = await runNode(claim, {}, { ...here, ...keys('a', 'b') });
	const second = await runNode(claim, {}, { ...here, ...keys('b', 'c', 'd') });
	const third = await runNode(claim, {}, { ...here, ...keys('a', 'd') });
	const elsewhere = await runNode(claim, {}, keys('a'));

	expect(first.successJson).toEqual([{ fresh: ['a', 'b'], processed: [] }]);
	expect(second.successJson).toEqual([{ fresh: ['c', 'd'], processed: ['b'] }]);
	expect(third.successJson).toEqual([{ fresh: ['a'], processed: ['d'] }]);
	expect(elsewhere.successJson).toEqual([{ fresh: ['a'], processed: [] }]);
});

test('deduplication is as little atomic as on a server', async () => {
	const here = { workflowId: 'racing' };
	const twice = await runNode(claim, {}, { ...here, ...keys('x', 'x') });
	const racing = await Promise.all(
		[1, 2, 3].map(() => runNode(claim, {}, { ...here, ...keys('y') })),
	);

	expect(twice.successJson).toEqual([{ fresh: ['x', 'x'], processed: [] }]);
	expect(racing.map(({ successJson }) => successJson[0]?.fresh)).toEqual([['y'], ['y'], ['y']]);
});
