import { readFile } from 'node:fs/promises';

import { EXPRESSIONS_ON_DEMAND } from '../../../host/n8n/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { NODE_TYPE, place, runNode, saveNode, seenDuring, to, useDemo } from './support.mts';

const demo = useDemo();

beforeEach(() => demo().sandbox.reset());

const link = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Demo Shop',
	itemName: '={{ $json.order }}',
	orderReference: '={{ $json.order }}',
	callbackUrl: 'https://shop.example.com/paid',
};

const orders = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ order: `order ${i + 1}`, amount: 100 + i }));

test('n8n has the settings with which callbacks are fast', async () => {
	const environment = await readFile(`/proc/${demo().host.pid}/environ`, 'utf8');

	for (const [name, value] of Object.entries(EXPRESSIONS_ON_DEMAND)) {
		expect(environment.split('\0')).toContain(`${name}=${value}`);
	}
});

test('country and currency may come from expressions, in many spellings', async () => {
	const rows = ['Kenya', 'GH', "cote d'ivoire", '255'].map((country, i) => ({
		country,
		amount: 500,
		order: `spelling ${i}`,
	}));
	const run = await runNode(demo(), { ...link, country: '={{ $json.country }}' }, { rows });

	expect(run.failure?.message).toBeUndefined();
	expect(
		demo()
			.sandbox.state.links.map(({ currency }) => currency)
			.sort(),
	).toEqual(['GHS', 'KES', 'TZS', 'XOF']);
});

test('a logo is read from a file of the row', async () => {
	const pixel =
		'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
	const before = {
		...place('File', 'n8n-nodes-base.convertToFile', {
			operation: 'toBinary',
			sourceProperty: 'logo',
			binaryPropertyName: 'data',
			options: { fileName: 'logo.png', mimeType: 'image/png' },
		}),
		typeVersion: 1.1,
	};
	const parameters = {
		...link,
		amount: '150',
		itemName: 'With logo',
		additionalFields: { logoBinaryProperty: 'data' },
	};
	const run = await runNode(demo(), parameters, { rows: [{ logo: pixel }], before });

	expect(run.failure?.message).toBeUndefined();
	expect(demo().sandbox.state.links).toMatchObject([{ item_name: 'With logo', hasLogo: true }]);
});

test('Retry On Fail sends no row twice, not even one whose answer was lost', async () => {
	const { sandbox } = demo();
	sandbox.faults.add({ route: '/api/v3/payment-link-api/create', kind: 'reset-after', nth: 1 });
	sandbox.faults.add({ route: '/api/payment-link-api/list', kind: 'server-error' });
	const seen = await seenDuring(demo(), async () => {
		const run = await runNode(demo(), link, {
			rows: orders(5),
			onError: 'continueErrorOutput',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 10,
		});

		expect(run.json('Success')).toHaveLength(4);
		expect(run.json('Failed')).toMatchObject([
			{ order: expect.stringMatching(/^order/) as string },
		]);
	});

	expect(seen.filter(({ path }) => path.endsWith('/create'))).toHaveLength(5);
	expect(sandbox.state.ledger.accepted).toBe(5);
});

test('a row whose answer was lost is found in the list of payment links', async () => {
	const { sandbox } = demo();
	sandbox.faults.add({ route: '/api/v3/payment-link-api/create', kind: 'reset-after', nth: 1 });
	const run = await runNode(demo(), link, { rows: orders(5), onError: 'continueErrorOutput' });

	const links = sandbox.state.links.map((each) => each.link).sort();
	expect(
		run
			.json('Success')
			.map((item) => item.link)
			.sort(),
	).toEqual(links);
	expect(run.json('Success')).toMatchObject(orders(5).map(() => ({ outcome: 'accepted' })));
});

test('cancelling an execution stops the sending', async () => {
	const { host, sandbox } = demo();
	const rows = orders(100);
	const workflow = await saveNode(demo(), { ...link, options: { requestsPerSecond: 5 } }, { rows });
	const id = await host.client.start(workflow, 'Start');
	await until('the first links', async () =>
		sandbox.state.ledger.accepted > 1 ? true : undefined,
	);
	await host.client.cancel(id);
	const run = await host.client.finished(id);

	expect(run.status).toBe('canceled');
	expect(sandbox.state.ledger.accepted).toBeLessThan(rows.length / 2);
});

test('an active workflow runs in production, called by its webhook', async () => {
	const { host, credential } = demo();
	const { id, name, type } = credential;
	const workflow = await host.client.createWorkflow({
		name: 'In production',
		nodes: [
			{
				...place('Webhook', 'n8n-nodes-base.webhook', {
					path: 'balance',
					responseMode: 'lastNode',
				}),
				typeVersion: 2,
				webhookId: 'balance',
			},
			{
				...place('Node', NODE_TYPE, { resource: 'balance', operation: 'get', currency: 'GHS' }),
				credentials: { [type]: { id, name } },
			},
		],
		connections: { Webhook: { main: [to('Node')] } },
	});
	await host.client.activate(workflow);
	const reply = await until('the webhook', async () => {
		const answer = await call(`${host.url}/webhook/balance`);
		return answer.status === 404 ? undefined : answer;
	});

	expect(JSON.parse(reply.text)).toMatchObject({ currency: 'GHS' });
});
