import type { IExecuteFunctions } from 'n8n-workflow';

import { loadOptions, resourceMapping, runNode, storeBinary } from '../../../host/engine/index.mts';
import { sealingCredential } from './toys/credential.mts';
import { toyNode } from './toys/node.mts';

test('binary data is read through the helper, and is not in the item itself', async () => {
	const reader = toyNode(async function () {
		const file = this.helpers.assertBinaryData(0, 'logo');
		const content = await this.helpers.getBinaryDataBuffer(0, 'logo');
		return [
			[{ json: { inItem: file.data, mimeType: file.mimeType, content: content.toString() } }],
		];
	});
	const logo = await storeBinary(Buffer.from('a picture'), {
		fileName: 'a.png',
		mimeType: 'image/png',
	});
	const { successJson } = await runNode(reader, {}, { items: [{ json: {}, binary: { logo } }] });

	expect(successJson).toEqual([
		{ inItem: 'filesystem-v2', mimeType: 'image/png', content: 'a picture' },
	]);
});

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

test('deduplication can be undone, counted and cleared', async () => {
	const undo = toyNode(async function () {
		const options = { mode: 'entries' } as const;
		await this.helpers.checkProcessedAndRecord(['a', 'b', 'c'], 'workflow', options);
		await this.helpers.removeProcessed(['b'], 'workflow', options);
		const left = await this.helpers.getProcessedDataCount('workflow', options);
		await this.helpers.clearAllProcessedItems('workflow', options);
		return [
			[{ json: { left, then: await this.helpers.getProcessedDataCount('workflow', options) } }],
		];
	});

	expect((await runNode(undo, {})).successJson).toEqual([{ left: 2, then: 0 }]);
});

test('editor methods see the current parameters and the credential', async () => {
	const helpful = toyNode(
		async () => [[]],
		{},
		{
			loadOptions: {
				async currencies() {
					const { key } = await this.getCredentials('toyApi');
					return [{ name: String(key), value: String(this.getCurrentNodeParameter('country')) }];
				},
			},
			resourceMapping: {
				columns: async () => ({ fields: [] }),
			},
		},
	);
	const editor = {
		parameters: { country: 'KE' },
		credentials: { toyApi: {} },
		credentialTypes: [sealingCredential()],
	};

	expect(await loadOptions(helpful, 'currencies', editor)).toEqual([
		{ name: 'default-key', value: 'KE' },
	]);
	expect(await resourceMapping(helpful, 'columns')).toEqual({ fields: [] });
	await expect(loadOptions(helpful, 'nope')).rejects.toThrow('no method "nope"');
});
