// Two nodes that create links for the same rows, and one that waits for both.
import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runSleeper, type Sleeper } from '../../../dev/host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { demoCredential, LINK } from '../../helpers/payments.mts';
import { TYPE, useSleepers } from '../../helpers/waiting.mts';

const { answered, opened, pay, sandbox } = useSleepers();

const create = (name: string) =>
	node(
		name,
		TYPE,
		{
			...LINK,
			amount: `={{ $('Start').item.json.${name} }}`,
			itemName: name,
			orderReference: `={{ $('Start').item.json.order }}-${name}`,
			options: { waitInThisExecution: true },
		},
		{ onError: 'continueRegularOutput' },
	);

const run = async (rows: IDataObject[]): Promise<Sleeper> =>
	opened(
		await runSleeper({
			items: rows.map((json) => ({ json })),
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
			nodes: [
				pass('Start'),
				create('deposit'),
				create('rest'),
				node('Wait', TYPE, { resource: 'paymentLink', operation: 'waitUntilPaid' }, {}),
				pass('Success'),
			],
			connections: connect(
				['Start', 'deposit'],
				['deposit', 'rest'],
				['rest', 'Wait'],
				['Wait', 'Success'],
			),
			nodeTypes: { [TYPE]: new UnifiedPayments() },
		}),
	);

it('it is paid when the links of both nodes are', async () => {
	const sleeper = await run([{ order: 'A', deposit: 10, rest: 90 }]);
	await pay('A-rest');
	await answered(sleeper);
	expect(sleeper.result().status).toBe('waiting');
	await pay('A-deposit');
	const [item, ...others] = (await sleeper.awake()).json('Success');
	expect(others).toEqual([]);
	expect(item).toMatchObject({ state: 'success', paidInFull: true });
	const payments = item!.payments as IDataObject[];
	expect(payments.map(({ orderReference, state }) => [orderReference, state]).sort()).toEqual([
		['A-deposit', 'success'],
		['A-rest', 'success'],
	]);
});

it('a row that one of them could not create is not paid by the link of the other', async () => {
	const sleeper = await run([
		{ order: 'A', deposit: 10, rest: 'x' },
		{ order: 'B', deposit: 20, rest: 80 },
	]);
	for (const order of ['A-deposit', 'B-deposit', 'B-rest']) await pay(order);
	const [bad, good] = (await sleeper.awake()).json('Success');
	expect(bad).toMatchObject({ state: null, paidInFull: null });
	expect(JSON.stringify(bad)).toContain("'Amount' in order A-rest, row 1");
	expect(good).toMatchObject({ state: 'success', paidInFull: true });
});
