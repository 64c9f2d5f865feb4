// `npm run sheets`: the empty sheets in examples/sheets, to begin with.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import writeExcelFile from 'write-excel-file/node';

import { csvOf, TEMPLATES, type Template } from './templates.mts';

const FOLDER = 'examples/sheets';

await mkdir(FOLDER, { recursive: true });
for (const template of TEMPLATES) {
	await writeFile(join(FOLDER, `${template.name}.csv`), csvOf(template));
	await writeExcel(template);
}

async function writeExcel({ name, columns }: Template): Promise<void> {
	const headings = columns.map(([heading]) => ({ value: heading, fontWeight: 'bold' as const }));
	const examples = columns.map(([, example]) =>
		typeof example === 'number'
			? { type: Number, value: example }
			: // Text, so that no sheet drops the first zero of a phone number.
				{ type: String, value: example, format: '@' },
	);
	await writeExcelFile([headings, examples], {
		columns: columns.map(([heading]) => ({ width: heading.length + 6 })),
		stickyRowsCount: 1,
	}).toFile(join(FOLDER, `${name}.xlsx`));
}
