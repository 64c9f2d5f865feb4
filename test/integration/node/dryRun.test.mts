import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped());

beforeEach(() => {
	service.tap.received.length = 0;
});

const dry: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: '={{ $json.country }}',
	amount: '={{ $json.amount }}',
	mobile: '={{ $json.phone }}',
	callbackUrl: '={{ $json.url }}',
	options: { dryRun: true },
};

const good = { country: 'KE', amount: 10, phone: '0712345678', url: '' };
const bad = { country: 'KE', amount: 'ten', phone: '12', url: 'nowhere' };

const check = async (
	items: IDataObject[],
	more: Partial<Parameters<typeof runPayments>[1]> = {},
	parameters = dry,
) => await runPayments(parameters, { credential: service.credential(), items, ...more });

it('gives an item for every row, and sends nothing', async () => {
	const result = await check([good, bad, { ...good, amount: 11 }]);

	expect(result.nodeError).toBeUndefined();
	expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['valid', 'not_sent', 'valid']);
	expect(result.success.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2].map((item) => expect.objectContaining({ item }) as unknown),
	);
	expect(service.tap.received).toHaveLength(0);
});

it('tells all that is wrong with a row at once', async () => {
	const [row] = (await check([bad])).successJson;

	expect(row).toEqual({
		outcome: 'not_sent',
		message: expect.stringContaining("'Amount' in row 1") as string,
		issues: [
			{
				field: 'amount',
				label: 'Amount',
				message: `'Amount' in row 1 is "ten", which is not an amount`,
				advice: expect.stringContaining('1500.50') as string,
			},
			expect.objectContaining({ field: 'mobile', label: 'Mobile' }),
			expect.objectContaining({ field: 'callbackUrl', label: 'Callback URL' }),
		].sort(byOrder),
	});
});

const ORDER = ['amount', 'mobile', 'callbackUrl'];
const byOrder = (a: { field?: string }, b: { field?: string }) =>
	ORDER.indexOf(a.field ?? 'mobile') - ORDER.indexOf(b.field ?? 'mobile');

it('fields that are checked with another are told as soon as that one can be read', async () => {
	const rows = [
		{ country: 'nowhere', amount: 'ten', phone: '12' },
		{ country: 'CM', amount: '10.5', phone: '12' },
	];
	const result = await check(rows);
	const told = result.successJson.map(({ issues }) =>
		(issues as Array<{ field: string }>).map(({ field }) => field).sort(),
	);

	expect(told).toEqual([
		['amount', 'country'],
		['amount', 'country', 'mobile'],
	]);
});

it('sums up', async () => {
	const { nodeHints } = await check([good, bad, { ...good, amount: 11 }]);

	expect(nodeHints.map(({ message }) => message)).toEqual([
		'3 rows for the collection: 2 valid, 1 not sent',
	]);
});

it('with the error output, bad rows take it, with their own fields and all that is wrong', async () => {
	const result = await check([good, bad], { onError: 'continueErrorOutput' });

	expect(result.successJson).toMatchObject([{ outcome: 'valid' }]);
	expect(result.failedJson).toMatchObject([
		{
			phone: '12',
			error: {
				outcome: 'not_sent',
				issues: [{ field: 'amount' }, { field: 'mobile' }, { field: 'callbackUrl' }].sort(byOrder),
			},
		},
	]);
});

it('finds rows that stand in the sheet twice', async () => {
	const result = await check([good, good]);

	expect(result.successJson).toMatchObject([
		{ outcome: 'valid' },
		{ outcome: 'duplicate', message: 'Not sent: the same as row 1' },
	]);
	expect(result.successJson.flatMap((item) => Object.values(item))).not.toContain(null);
});

it('says null only where a column of the sheet could be taken for a result', async () => {
	const written = { ...good, success: true, link: 'https://old.example' };
	const more = { options: { dryRun: true, includeInputFields: true } };
	const [item] = (await check([written], {}, { ...dry, ...more })).successJson;

	expect(item).toMatchObject({ outcome: 'valid', success: null, link: 'https://old.example' });
	expect(item).not.toHaveProperty('data');
});

it('takes no claim: what was checked can be sent afterwards', async () => {
	const workflowId = 'dry-run-takes-no-claim';
	await check([good], { workflowId });
	const { options, ...real } = dry;
	expect(options).toBeDefined();
	const result = await check([good], { workflowId }, real);

	expect(result.successJson).toMatchObject([{ outcome: 'accepted' }]);
});
