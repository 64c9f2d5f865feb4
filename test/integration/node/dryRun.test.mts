import type { IDataObject } from 'n8n-workflow';

import { COLLECT, outcomes, usePayments, type More } from '../../helpers/payments.mts';

const { run, tap } = usePayments({ isTapped: true });

const PARAMETERS = { ...COLLECT, country: '={{ $json.country ?? "KE" }}' };
const check = async (items: IDataObject[], options: IDataObject = {}, more: More = {}) =>
	await run(PARAMETERS, items, { options: { dryRun: true, ...options }, ...more });

const good = { amount: 10 };
const bad = { amount: 'ten', phone: '12', hook: 'nowhere' };
const fieldsOf = (issues: unknown) =>
	(issues as Array<{ field: string }>).map(({ field }) => field).sort();

it('gives an item for every row, sums up, and sends nothing', async () => {
	const result = await check([good, bad, { amount: 11 }]);
	expect(outcomes(result)).toEqual(['valid', 'not_sent', 'valid']);
	expect(result.successJson[0]).toEqual({
		outcome: 'valid',
		message: 'Dry run: nothing was sent',
		request: expect.objectContaining({ amount: 10, currency: 'KES' }),
	});
	expect(result.success.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2].map((item) => expect.objectContaining({ item }) as unknown),
	);
	expect(result.nodeHints.map(({ message }) => message)).toEqual([
		'3 rows for the collection: 2 valid, 1 not sent',
	]);
	expect(tap.received).toHaveLength(0);
});

it('tells all that is wrong with a row at once', async () => {
	const [row] = (await check([bad])).successJson;
	expect(row).toEqual({
		outcome: 'not_sent',
		message: expect.stringContaining("'Amount' in the row of 12") as string,
		issues: expect.any(Array) as unknown,
	});
	expect(fieldsOf(row!.issues)).toEqual(['amount', 'callbackUrl', 'mobile']);
	expect(row!.issues).toContainEqual({
		field: 'amount',
		label: 'Amount',
		message: `'Amount' in the row of 12 is "ten", which is not an amount`,
		advice: expect.stringContaining('1500.50') as string,
	});
});

it('with the error output, bad rows take it, with their own fields and all that is wrong', async () => {
	const result = await check([good, bad], {}, { onError: 'continueErrorOutput' });
	expect(outcomes(result)).toEqual(['valid', 'not_sent']);
	const [{ error, ...fields }] = result.failedJson as [{ error: IDataObject }];
	expect(fields).toEqual(bad);
	expect(fieldsOf(error.issues)).toEqual(['amount', 'callbackUrl', 'mobile']);
});

it('finds rows that stand in the sheet twice', async () => {
	const { successJson } = await check([good, good]);
	expect(successJson).toMatchObject([
		{ outcome: 'valid' },
		{
			outcome: 'duplicate',
			message: expect.stringMatching(/the same as .*item 1 of the input$/) as string,
		},
	]);
	expect(successJson.flatMap((item) => Object.values(item))).not.toContain(null);
});

it('says null only where a column of the sheet could be taken for a result', async () => {
	const written = { ...good, success: true, link: 'https://old.example', orderReference: 'A' };
	const [item] = (await check([written], { includeInputFields: true })).successJson;
	expect(item).toMatchObject({ outcome: 'valid', orderReference: null });
	expect(item).not.toHaveProperty('link');
	expect(item).not.toHaveProperty('data');
});

it('takes no claim: what was checked can be sent afterwards', async () => {
	await check([good]);
	expect(outcomes(await run(PARAMETERS, [good]))).toEqual(['accepted']);
});
