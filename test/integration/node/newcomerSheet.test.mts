import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';

import { HOOK, SHEET, usePayments } from '../../helpers/payments.mts';

/*
 * Thirty customers as somebody in Nairobi has them in a sheet. The last column says what becomes of a
 * row: accepted with amount and currency, or refused because of a field.
 */
const [heading = '', ...lines] = readFileSync('test/fixtures/newcomer-sheet.tsv', 'utf8')
	.trimEnd()
	.split('\n');
const names = heading.split('\t');
const sheet = lines.map((line) => {
	const { expected = '', ...row } = Object.fromEntries(
		line.split('\t').map((cell, index) => [names[index]!, cell]),
	);
	return { row, expected };
});

const CREATE = { ...SHEET, resource: 'paymentLink', callbackUrl: HOOK };

const { run, sandbox } = usePayments({ onError: 'continueErrorOutput' });
const Business = 'Hill School';
const ROWS = sheet.map(({ row }) => ({ ...row, Business }));

/** What became of a row, in the words of the sheet. */
function said({ outcome, link, request, error }: IDataObject): string {
	if (error === undefined) {
		if (outcome !== 'accepted') return String(outcome);
		const { amount, currency } = request as IDataObject;
		return `${link === null ? 'no link' : 'accepted'} ${amount} ${currency}`;
	}
	const { message, issues } = error as { message: string; issues: IDataObject[] };
	if (issues.length === 0) return message.includes('but differ in') ? 'clash' : message;
	const label = String(issues[0]!.label).replace(/ \(column .*$/, '');
	return `${message.includes(' is missing in ') ? 'missing' : 'refused'} ${label}`;
}

it('every row has the outcome that its owner expects, under the name that she knows', async () => {
	const { successJson, failedJson } = await run(CREATE, ROWS);
	const all = [...successJson, ...failedJson];
	const found = sheet.map(({ row }) => {
		const place = all.findIndex(
			({ Order, Amount }) => Order === row.Order && Amount === row.Amount,
		);
		return all.splice(place, 1)[0] ?? {};
	});
	expect(found.map(said)).toEqual(sheet.map(({ expected }) => expected));
	const named = found.flatMap(({ Order, error }) =>
		error === undefined || Order === ''
			? []
			: [[(error as IDataObject).message, `order ${Order},`]],
	);
	expect(named).toHaveLength(16);
	for (const [message, name] of named) {
		// Of two that clash, each names the other.
		if (!String(message).startsWith('This row and')) expect(message).toContain(name);
	}
	expect(sandbox.state.links).toHaveLength(
		sheet.filter(({ expected }) => expected.startsWith('accepted')).length,
	);
});

it('a sheet that came back is corrected and sent again: what was written into it is no part of a row', async () => {
	const row = { Country: 'Kenya', Amount: 100, Business, Item: 'Water', Order: 'W-1' };
	const wrong = {
		outcome: 'not_sent',
		link: '',
		message: 'Not so.',
	};
	const { successJson, failedJson } = await run(CREATE, [
		{ ...row, ...wrong },
		{ ...row, ...wrong, message: 'Another reason' },
	]);
	expect(failedJson).toEqual([]);
	expect(successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
	expect(sandbox.state.links).toHaveLength(1);
});
