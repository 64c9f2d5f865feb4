import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NODE_TYPE, place, to, useDemo } from './support.mts';

const demo = useDemo();

beforeEach(() => demo().sandbox.reset());

const SHEET: INodeParameters = {
	resource: 'collection',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null },
};

const sheet = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		Country: 'Kenya',
		'Phone Number': `07${10_000_000 + index}`,
		'Amount (KES)': 100 + index,
		'Order No': `ORDER-${index}`,
	}));

/** Check → Split Out → Create, as people build it; somebody approves what `approved` says. */
async function save(
	rows: IDataObject[],
	approved = "={{ $('Check').first().json.fingerprint }}",
	options: IDataObject = {},
) {
	const { id, name, type } = demo().credential;
	const credentials = { [type]: { id, name } };
	return await demo().host.client.createWorkflow({
		name: 'Check, approve, create',
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			{ ...place('Check', NODE_TYPE, { ...SHEET, operation: 'check' }), credentials },
			place('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'items', options: {} }),
			{
				...place('Create', NODE_TYPE, {
					...SHEET,
					operation: 'create',
					options: { ...options, approvedFingerprint: approved },
				} as INodeParameters),
				credentials,
			},
		],
		connections: {
			Start: { main: [to('Check')] },
			Check: { main: [to('Rows')] },
			Rows: { main: [to('Create')] },
		},
		pinData: { Start: rows.map((json) => ({ json })) },
	});
}

const taken = () => demo().sandbox.state.ledger.countBy('third_party_reference_1');
const once = (rows: IDataObject[]) =>
	Object.fromEntries(rows.map((row) => [String(row['Order No']), 1]));

test('what was checked and approved is sent once, and the next check knows it', async () => {
	const rows = sheet(20);
	const workflow = await save(rows);
	const first = await demo().host.client.run(workflow, 'Start');
	expect(first.failure?.message).toBeUndefined();
	expect(first.json('Check')).toMatchObject([{ rows: 20, valid: 20, duplicates: 0 }]);
	expect(first.json('Create').map(({ outcome }) => outcome)).toEqual(Array(20).fill('accepted'));

	const second = await demo().host.client.run(workflow, 'Start');
	expect(second.json('Check')).toMatchObject([
		{ valid: 0, duplicates: 20, fingerprint: null, items: [] },
	]);
	expect(taken()).toEqual(once(rows));
});

test('one cell changed after the approval, and nothing leaves; unchanged, every row once', async () => {
	const rows = sheet(20);
	const checked = await demo().host.client.run(await save(rows, 'nobody yet'), 'Start');
	expect(checked.status).toBe('error');
	const approved = String(checked.json('Check')[0]!.fingerprint);
	expect(taken()).toEqual({});

	const changed = rows.map((row, at) => (at === 7 ? { ...row, 'Amount (KES)': 1070 } : row));
	const refused = await demo().host.client.run(await save(changed, approved), 'Start');
	expect(refused.failure?.message).toContain(
		'approved was 20 rows with 2,190 KES, and now it is 20 rows with 3,153 KES',
	);
	expect(taken()).toEqual({});

	const sent = await demo().host.client.run(await save(rows, approved), 'Start');
	expect(sent.failure?.message).toBeUndefined();
	expect(taken()).toEqual(once(rows));
});

test('10,000 rows above the limit are refused, and nothing is sent', async () => {
	const workflow = await save(sheet(10_000), undefined, { maxTotal: 1_000_000 });
	const run = await demo().host.client.run(workflow, 'Start');
	expect(run.failure?.message).toMatch(
		/ask for 50,995,000 KES together.*1,000,000 KES of 'Max Total'.*row 1\d{3}/,
	);
	expect(taken()).toEqual({});
});
