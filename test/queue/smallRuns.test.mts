import type { IDataObject } from 'n8n-workflow';

import { call } from '../../dev/host/shared/http.mts';
import { until } from '../../dev/host/shared/until.mts';
import { CREDENTIAL_TYPE } from '../../dev/host/demo/importExamples.mts';
import { place, to } from '../e2e/host/support.mts';
import { endOf, OURS } from '../helpers/soak/server.mts';
import { goodSheet, inColumns, type SheetRow } from '../helpers/soak/sheet.mts';
import { setting, tell } from '../helpers/soak/settings.mts';
import { outcomes, taken, twice, useQueue } from './support.mts';

const demo = useQueue({}, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '10' });

const RUNS = setting('SMALL_RUNS', 40);

/** A workflow that is called with one row, as a shop calls it for each order. */
async function publish(path: string, options: IDataObject) {
	const { host, credential } = demo();
	const { id, name } = credential;
	const workflow = await host.client.createWorkflow({
		name: path,
		nodes: [
			{
				...place('Order', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }),
				typeVersion: 2,
				webhookId: path,
			},
			place('Row', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.rows', options: {} }),
			{
				...place('Node', OURS, inColumns(options as never)),
				credentials: { [CREDENTIAL_TYPE]: { id, name } },
			},
		],
		connections: { Order: { main: [to('Row')] }, Row: { main: [to('Node')] } },
	});
	await host.client.publish(workflow);
	const send = async (row: SheetRow) => {
		const reply = await call(`${host.url}/webhook/${path}`, {
			...{ method: 'POST', body: { rows: [row] } },
		});
		return reply.status;
	};
	const isOver = async (count: number) =>
		await until(
			`${count} executions`,
			async () => {
				const all = await host.client.executions(workflow);
				const over = all.filter(({ status }) => ['success', 'error'].includes(status));
				return over.length >= count ? true : undefined;
			},
			{ seconds: 240, everyMs: 500 },
		);
	/** What the rows of all executions until now came out as. */
	const items = async () => {
		const all = await host.client.executions(workflow);
		const runs = await Promise.all(all.map(async ({ id }) => await endOf(host.client, id)));
		return runs.flatMap((run) => run.json('Node'));
	};
	return { send, isOver, items };
}

/** Each row by a run of its own, all at the same time; then all of them once more. */
async function runAll(path: string, seed: number, options: IDataObject) {
	demo().sandbox.reset();
	const rows = goodSheet(RUNS, seed);
	const { send, isOver, items } = await publish(path, options);
	await until('the webhook', async () =>
		(await call(`${demo().host.url}/webhook/${path}`)).status === 404 &&
		(await call(`${demo().host.url}/webhook/${path}`)).text.includes('POST')
			? true
			: undefined,
	);
	for (const times of [1, 2]) {
		const answers = await Promise.all(rows.map(send));
		expect(answers).toEqual(rows.map(() => 200));
		await isOver(times * RUNS);
		const given = await items();
		const unsent = given.filter(({ outcome }) => outcome !== 'accepted');
		tell(`${JSON.stringify(outcomes(given))} ${String(unsent[0]?.message ?? '')}`);
		if (times === 1) expect(Object.keys(taken(demo()))).toHaveLength(RUNS);
	}
	return twice(demo()).length;
}

describe('many small runs of different rows at the same time, on two workers', () => {
	it('with nothing set, the next run sends nothing', async () => {
		expect(await runAll('small', 62, {})).toBe(0);
	});
});
