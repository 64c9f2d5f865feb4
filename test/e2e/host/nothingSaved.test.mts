// n8n keeps no execution that succeeded: does one that slept in between still go on?
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { json, startWire } from '../../helpers/wire.mts';
import { NODE_TYPE, place, to } from './support.mts';
import { COLLECT, newOrder, transactionOf, useWaitingDemo } from './waitingSupport.mts';

const demo = useWaitingDemo({}, { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' });

it('an execution sleeps, goes on when its payment is made, and is gone then', async () => {
	/** Told by the workflow how the payment ended, since n8n does not keep it. */
	const told: Json[] = [];
	const wire = await startWire(({ json: said }, response) => {
		told.push(said as Json);
		json(response, 200, {});
	});
	const { client, url } = demo().host();
	const { id, name, type } = demo().credential;
	const order = newOrder();
	const workflow = await client.createWorkflow({
		name: 'Checkout',
		nodes: [
			{
				...place('Order', 'n8n-nodes-base.webhook', { path: 'nothing-saved', httpMethod: 'POST' }),
				...{ typeVersion: 2, webhookId: 'nothing-saved' },
			},
			{
				...place('Node', NODE_TYPE, { ...COLLECT, amount: 10, orderReference: order }),
				credentials: { [type]: { id, name } },
			},
			{
				...place('Tell', 'n8n-nodes-base.httpRequest', {
					...{ method: 'POST', url: wire.url, sendBody: true },
					...{ specifyBody: 'json', jsonBody: '={{ $json }}' },
				}),
				typeVersion: 4.2,
			},
		],
		connections: { Order: { main: [to('Node')] }, Node: { main: [to('Tell')] } },
	});
	await client.publish(workflow);
	const statuses = async () => (await client.executions(workflow)).map(({ status }) => status);
	const becomes = async (what: string, is: (all: string[]) => boolean) =>
		await until(what, async () => (is(await statuses()) ? true : undefined));
	try {
		await until('the order to be taken', async () => {
			const { status } = await call(`${url}/webhook/nothing-saved`, { method: 'POST', body: {} });
			return status === 200 ? true : undefined;
		});
		await becomes('an execution that sleeps', (all) => all.includes('waiting'));
		demo().sandbox.settle(transactionOf(demo(), order).ref, { status: 'success' });
		await until('what the workflow says', async () => (told.length > 0 ? true : undefined));
		expect(told).toMatchObject([{ orderReference: order, state: 'success', paidInFull: true }]);
		await becomes('no execution', (all) => all.length === 0);
	} finally {
		await wire.close();
	}
});
