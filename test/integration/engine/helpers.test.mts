import { runNode } from '../../../dev/host/engine/index.mts';
import { toyNode } from './toys/node.mts';

/** Claims the keys of all rows in one call and puts out what was new. */
const claim = toyNode(async function () {
	const keys = this.getInputData().map(({ json }) => String(json.key));
	const options = { mode: 'entries', maxEntries: 3 } as const;
	const { new: fresh } = await this.helpers.checkProcessedAndRecord(keys, 'node', options);
	return [[{ json: { fresh } }]];
});

// What else it does is held against the server's own in `test/e2e/simulator/originals.test.mts`.
test('deduplication is as little atomic as on a server', async () => {
	const run = async (...keys: string[]) => {
		const items = keys.map((key) => ({ key }));
		return (await runNode(claim, {}, { workflowId: 'racing', items })).successJson[0]?.fresh;
	};
	expect(await run('x', 'x')).toEqual(['x', 'x']);
	expect(await Promise.all([1, 2, 3].map(() => run('y')))).toEqual([['y'], ['y'], ['y']]);
	expect(await run('x', 'y')).toEqual([]);
});
