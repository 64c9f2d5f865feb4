// Two nodes that create links for the same rows, and one that waits for both.
import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runSleeper, type Sleeper } from '../../../dev/host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { demoCredential, LINK } from '../../helpers/payments.mts';
import { TYPE, useSleepers } from '../../helpers/waiting.mts';

const { opened, sandbox } = useSleepers();

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

it('an item that comes from several links is an error, before anything sleeps', async () => {
	const { status, failure } = (await run([{ order: 'A', deposit: 10, rest: 90 }])).result();
	expect([status, failure?.message]).toEqual([
		'error',
		expect.stringContaining('comes from several payment links') as string,
	]);
});
