import { readFileSync } from 'node:fs';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

/*
 * Thirty customers as somebody in Nairobi has them in a sheet. The last column says what becomes of a
 * row: accepted with amount, currency and the name on the page, or refused because of a field.
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

const PARAMETERS: INodeParameters = {
	resource: 'paymentLink',
	operation: 'create',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null },
	callbackUrl: 'https://n8n.example.com/webhook/pay',
};

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));

const run = async (operation: string) =>
	await runPayments(
		{ ...PARAMETERS, operation },
		{
			credential: demoCredential(sandbox.url),
			items: sheet.map(({ row }) => ({ ...row, Business: 'Hill School' })),
			workflowId: 'newcomer',
			onError: 'continueErrorOutput',
		},
	);

/** What became of a row, in the words of the sheet. */
function said({ outcome, link, request, error }: IDataObject): string {
	if (error === undefined) {
		if (outcome !== 'accepted') return String(outcome);
		const { amount, currency, first_name: name } = request as IDataObject;
		return `${link === null ? 'no link' : 'accepted'} ${amount} ${currency} ${name}`;
	}
	const { message, issues } = error as { message: string; issues: IDataObject[] };
	if (issues.length === 0) return message.includes('but differ in') ? 'clash' : message;
	const label = String(issues[0]!.label).replace(/ \(column .*$/, '');
	return `${message.includes(' is missing in ') ? 'missing' : 'refused'} ${label}`;
}

it('every row has the outcome that its owner expects, under the name that she knows', async () => {
	const before = sandbox.state.links.length;
	const { successJson, failedJson } = await run('create');
	const all = [...successJson, ...failedJson];
	const found = sheet.map(({ row }) => {
		const place = all.findIndex(
			({ Order, Amount }) => Order === row.Order && Amount === row.Amount,
		);
		return all.splice(place, 1)[0] ?? {};
	});
	expect(found.map(said)).toEqual(sheet.map(({ expected }) => expected));
	const named = found.flatMap(({ Order, error }, place) =>
		error === undefined
			? []
			: [[(error as IDataObject).message, `order ${Order}, row ${place + 2}`]],
	);
	expect(named).toHaveLength(13);
	for (const [message, name] of named) {
		// Of two that clash, each names the other.
		if (!String(message).startsWith('This row and')) expect(message).toContain(name);
	}
	expect(sandbox.state.links).toHaveLength(
		before + sheet.filter(({ expected }) => expected.startsWith('accepted')).length,
	);
});

it('a check names the column that nothing is done with', async () => {
	const { successJson } = await run('check');
	expect(successJson).toMatchObject([
		{ rows: 30, notes: ['Nothing is done with these columns: "Notes".'] },
	]);
});

it('a phone number that is too short is passed on, and told', async () => {
	const items = [
		{ ...sheet[0]!.row, Order: 'S-1', Business: 'Hill School', 'Phone Number': '0712 34' },
		{ ...sheet[0]!.row, Order: 'S-2', Business: 'Hill School', 'Phone Number': '0712 345678' },
	];
	const shared = { credential: demoCredential(sandbox.url), items, workflowId: 'short' };
	const made = await runPayments(PARAMETERS, shared);
	const hints = made.nodeHints.filter(({ message }) => message.includes('seven digits'));
	expect(hints).toEqual([
		expect.objectContaining({
			message:
				'Row 2 has a phone number with fewer than seven digits. It is passed on as it is, and the customer has to correct it on the payment page.',
		}),
	]);
	const checked = await runPayments(
		{ ...PARAMETERS, operation: 'check' },
		{ ...shared, workflowId: 'short, checked' },
	);
	expect(checked.successJson[0]!.notes).toContain(
		'1 row has a phone number with fewer than seven digits. It is passed on as it is.',
	);
});
