import type { IExecuteFunctions } from 'n8n-workflow';

import { createFiles } from '../../../nodes/UnifiedPayments/rows/read/readRows.ts';

/** A strict context: whatever is not mentioned here throws when it is touched. */
const contextWith = (binary: Array<Record<string, { id?: string; data: string }>>) => {
	const reads: string[] = [];
	const context = {
		getInputData: () => binary.map((each) => ({ json: {}, binary: each })),
		helpers: {
			getBinaryDataBuffer: async (row: number, property: string) => {
				reads.push(`${row} ${property}`);
				return Buffer.from(reads.at(-1)!);
			},
		},
	} as unknown as IExecuteFunctions;
	return { files: createFiles(context), reads };
};

it('reads a file that all rows share once', async () => {
	const rows = ['a', 'a', 'b'].map((id) => ({ logo: { id, data: 'filesystem' } }));
	const { files, reads } = contextWith(rows);
	const logos = rows.map(async (_, row) => await files(row).binary('logo'));
	const [first, second, third] = await Promise.all(logos);
	expect(first).toBe(second);
	expect(third).not.toBe(first);
	expect(reads).toEqual(['0 logo', '2 logo']);
});

it('tells files without an id apart by their content', async () => {
	const { files, reads } = contextWith([{ logo: { data: 'AAAA' } }, { logo: { data: 'BBBB' } }]);
	await files(0).binary('logo');
	await files(1).binary('logo');
	expect(reads).toHaveLength(2);
});

it('has null for a file that is not there', async () => {
	const { files } = contextWith([{}]);
	expect(await files(0).binary('logo')).toBeNull();
	expect(await files(7).binary('logo')).toBeNull();
});

it('makes what comes from the same source once for all rows', () => {
	const { files } = contextWith([]);
	const make = jest.fn(() => ({}));
	const source = Buffer.from('x');
	expect(files(0).shared(source, make)).toBe(files(1).shared(source, make));
	expect(make).toHaveBeenCalledTimes(1);
	files(2).shared(Buffer.from('x'), make);
	expect(make).toHaveBeenCalledTimes(2);
});
