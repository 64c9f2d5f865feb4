// Two nodes that create links for the same rows, and one that waits for both.
import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runSleeper, type Sleeper } from '../../../host/engine/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

const sandbox = throughout(
	async () => await startSandbox({ callbackRetry: { attempts: 6, firstDelayMs: 200 } }),
);
const sleepers: Sleeper[] = [];
beforeEach(() => sandbox.reset());
afterEach(async () => {
	await Promise.all(sleepers.splice(0).map(async (sleeper) => await sleeper.close()));
});

const create = (name: string) =>
	node(
		name,
		TYPE,
		{
			resource: 'paymentLink',
			operation: 'create',
			country: 'KE',
			amount: `={{ $('Start').item.json.${name} }}`,
			businessName: 'Demo Shop',
			itemName: name,
			orderReference: `={{ $('Start').item.json.order }}-${name}`,
			options: { waitInThisExecution: true },
		},
		{ onError: 'continueRegularOutput' },
	);

async function run(rows: IDataObject[]): Promise<Sleeper> {
	const sleeper = await runSleeper({
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
	});
	sleepers.push(sleeper);
	return sleeper;
}

const pay = async (order: string) => {
	const link = sandbox.state.links.find((each) => each.order?.reference === order);
	await call(`${sandbox.url}/sandbox/links/${link?.reference}/pay`, {
		method: 'POST',
		body: { outcome: 'success' },
	});
};

it('it is paid when the links of both nodes are', async () => {
	const sleeper = await run([{ order: 'A', deposit: 10, rest: 90 }]);
	await pay('A-rest');
	await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
	expect(sleeper.result().status).toBe('waiting');
	await pay('A-deposit');
	expect((await sleeper.awake()).json('Success')).toMatchObject([
		{
			state: 'success',
			paidInFull: true,
			payments: expect.arrayContaining([
				expect.objectContaining({ orderReference: 'A-deposit', state: 'success' }),
				expect.objectContaining({ orderReference: 'A-rest', state: 'success' }),
			]) as unknown[],
		},
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
