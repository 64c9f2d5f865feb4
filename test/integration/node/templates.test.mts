import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { csvOf, TEMPLATES } from '../../helpers/templates.mts';
import { SHEET, usePayments } from '../../helpers/payments.mts';

const { run } = usePayments();

const [LINKS, COLLECTIONS] = TEMPLATES;

const rowOf = ({ columns }: (typeof TEMPLATES)[number]): IDataObject => Object.fromEntries(columns);

const check = async (resource: string, row: IDataObject) => {
	const result = await run(
		{ ...SHEET, resource, operation: 'check', callbackUrl: 'https://a.example/h' },
		[row],
	);
	return { found: result.successJson[0]!, hints: result.nodeHints.map(({ message }) => message) };
};

it.each(TEMPLATES.map((each) => [each.name, each] as const))(
	'the file %s.csv has the headings and the example of its template',
	(name, template) => {
		expect(readFileSync(`examples/sheets/${name}.csv`, 'utf8')).toBe(csvOf(template));
	},
);

it.each([
	['paymentLink', LINKS!],
	['collection', COLLECTIONS!],
] as const)('every heading for a %s is understood', async (resource, template) => {
	const { hints } = await check(resource, rowOf(template));
	const [columns] = hints.filter((message) => message.startsWith('Columns:'));
	expect(columns).not.toContain('Ignored');
	for (const [heading] of template.columns) expect(columns).toContain(`"${heading}" →`);
});

it.each([
	['paymentLink', LINKS!, 'amount', { Amount: '1250.50' }],
	['collection', COLLECTIONS!, 'mobile', { Mobile: '0712 345678' }],
] as const)(
	'the example of a %s is refused when it is left in the sheet, and shows how a row is written',
	async (resource, template, field, filledIn) => {
		const example = rowOf(template);
		const { found } = await check(resource, example);
		expect(found).toMatchObject({ valid: 0, problems: [{ field }] });
		const filled = await check(resource, { ...example, ...filledIn });
		expect(filled.found).toMatchObject({ valid: 1, problems: [] });
	},
);
