import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';

import { triggerUrl } from '../../../dev/host/demo/examples.mts';
import type { Execution, NewWorkflow, SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { findDescription, findProblems } from '../../helpers/parameters.mts';
import { place, runNode, seenDuring, to } from './support.mts';
import { useStage } from './standins/stage.mts';
import { readTable } from './standins/tables.mts';

const stage = useStage();

const DESK = readdirSync('examples/desk').map((file) => `desk/${file}`);
const FILES = [...readdirSync('examples'), ...DESK].filter((file) => file.endsWith('.json')).sort();

/** Reads the files that an example makes, as somebody who downloads and opens them. */
function opened(workflow: NewWorkflow, makers: string[], operation = 'xlsx'): NewWorkflow {
	const readers = makers.map((maker) => ({
		...place(`${maker}, opened`, 'n8n-nodes-base.extractFromFile', {
			operation,
			binaryPropertyName: 'data',
			options: {},
		}),
		typeVersion: 1.1,
	}));
	const links = makers.map((maker) => [maker, { main: [to(`${maker}, opened`)] }]);
	return {
		...workflow,
		nodes: [...workflow.nodes, ...readers],
		connections: { ...workflow.connections, ...Object.fromEntries(links) },
	};
}

async function run(
	file: string,
	change?: (workflow: NewWorkflow) => NewWorkflow,
): Promise<Execution> {
	return await stage().host.client.run(await stage().importExample(file, change), 'Start');
}

/** Both ways in which the service may answer a create; the specification's sample is the first. */
const MODES = ['spec', 'rich'] as const;

const SHEET = 'sheet-to-payment-links.json';

describe('Sheet to payment links', () => {
	const LINKS = 'Sheet with links';
	const ERRORS = 'Error sheet';
	const open = (workflow: NewWorkflow) => opened(workflow, [LINKS, ERRORS]);

	const sent = (Order: string, outcome = 'accepted') =>
		expect.objectContaining({
			Order,
			outcome,
			link: expect.stringMatching(/^http:.*\/pay\//) as string,
		}) as unknown;
	const linksOf = (execution: Execution) =>
		execution.json(`${LINKS}, opened`).map(({ Order, link }) => [Order, link]);

	describe.each(MODES)('with %s replies', (mode) => {
		beforeEach(() => {
			stage().sandbox.reset();
			stage().sandbox.change({ mode });
		});

		test('the sheet comes back with a link in every accepted row, and run again with the same links', async () => {
			const { sandbox, host, importExample } = stage();
			const workflow = await importExample(SHEET, open);
			const first = await host.client.run(workflow, 'Start');
			const second = await host.client.run(workflow, 'Start');

			expect(first.failure).toBeUndefined();
			expect(first.json(`${LINKS}, opened`)).toEqual(
				['A-1', 'A-2', 'A-3'].map((order) => sent(order)),
			);
			// The columns of the sheet come back as they were.
			expect(first.json(`${LINKS}, opened`)[0]).toMatchObject({
				'First Name': 'Amina',
				Phone: '0712 345678',
				Amount: '1,250.50',
			});
			expect(second.json(`${LINKS}, opened`)).toEqual(
				['A-1', 'A-2', 'A-3'].map((order) => sent(order, 'duplicate')),
			);
			expect(linksOf(second)).toEqual(linksOf(first));
			// Each link is that of its own row.
			const made = sandbox.state.links.map(({ link, first_name }) => [first_name, link]);
			const given = first.json(`${LINKS}, opened`).map((row) => [row['First Name'], row.link]);
			expect(given.sort()).toEqual(made.sort());

			const [wrong, ...others] = first.json(`${ERRORS}, opened`);
			expect(others).toEqual([]);
			expect(wrong).toMatchObject({ Order: 'A-4', 'First Name': 'Okello', outcome: 'not_sent' });
			// Everything that is wrong with the row, at once.
			const words = `${String(wrong?.what)} ${String(wrong?.how)}`;
			expect(words).toContain('which could mean thousands or decimals');
			expect(words).toContain('which a sheet shortened, so that digits may be missing');
			expect(first.json('Check rows').map(({ outcome }) => outcome)).toEqual(
				Array(3).fill('valid'),
			);
		});
	});
});

const GOOGLE = 'google-sheets-to-payment-links.json';

test('Google Sheets to payment links: between reading and writing, all of it runs', async () => {
	const customer = { First: '', Country: 'KE', Amount: 80, Business: 'Shop', Item: 'Tea' };
	const rows = [
		{ row_number: 2, Order: 'G-1', ...customer, link: 'https://pay.example/1' },
		{ row_number: 3, Order: 'G-2', ...customer, link: '' },
		{ row_number: 4, Order: 'G-3', ...customer, Amount: '', link: '' },
		{ row_number: 5, Order: 'G-1', ...customer, link: '' },
	];
	const execution = await run(GOOGLE, (workflow) => ({
		...workflow,
		pinData: {
			'Read customers': rows.map((json) => ({ json })),
			'Write links back': [{ json: {} }],
			'Write error sheet': [{ json: {} }],
		},
	}));

	expect(execution.failure).toBeUndefined();
	expect(execution.json('Result')).toEqual([
		expect.objectContaining({
			Order: 'G-2',
			outcome: 'accepted',
			link: expect.stringContaining('/pay/') as string,
		}),
	]);
	expect(execution.json('To correct')).toEqual([
		expect.objectContaining({ order: 'G-3', outcome: 'not_sent' }),
		expect.objectContaining({ order: 'G-1', what: 'Several rows have the order G-1.' }),
	]);
});

const PAID = 'paid-and-marked-in-the-sheet.json';
const RECONCILE = 'reconcile.json';

// The Data Table node of older releases makes no tables.
const withTables = isAtLeast('2.4.0') ? describe : describe.skip;

withTables.each(MODES)('Paid, and marked; then reconciled, with %s replies', (mode) => {
	// One story: what a test leaves in the tables is where the next one begins.
	const ORDERS = `Orders of ${mode}`;
	const PAYMENTS = `Payments of ${mode}`;
	const TABLES: Array<[string, string]> = [
		['Payment link orders', ORDERS],
		['Confirmed payments', PAYMENTS],
	];
	const renamed = (workflow: NewWorkflow): NewWorkflow => {
		const text = TABLES.reduce((all, [a, b]) => all.replaceAll(a, b), JSON.stringify(workflow));
		return JSON.parse(text) as NewWorkflow;
	};

	let paid: SavedWorkflow;
	let url: string;
	beforeAll(async () => {
		const { sandbox, host, importExample } = stage();
		sandbox.reset();
		sandbox.change({ mode });
		paid = await importExample(PAID, renamed);
		url = triggerUrl(host.url, await host.client.workflow(paid))!;
		await host.client.publish(paid);
		await until('the endpoint', async () =>
			(await call(url, { method: 'POST' })).status === 415 ? true : undefined,
		);
	});

	/** The link in the sandbox that carries an order. */
	const linkOf = (order: string) =>
		stage().sandbox.state.links.find((link) => link.callback_url?.includes(`upo=1${order}.`))!;

	async function pay(order: string, amount?: number): Promise<void> {
		const path = `/sandbox/links/${linkOf(order).reference}/pay`;
		const body = { outcome: 'success', ...(amount && { amount }) };
		const { status } = await call(`${stage().sandbox.url}${path}`, { method: 'POST', body });
		expect(status).toBe(200);
	}

	/** What somebody who opens the table sees, by order. */
	async function table(): Promise<Record<string, IDataObject>> {
		const rows = await readTable(stage().host, ORDERS);
		return Object.fromEntries(rows.map((row) => [row.order, row]));
	}

	const told = (order: string) =>
		stage()
			.slack.posted('#payments')
			.filter((text) => text.includes(`Order *${order}*`));
	/** Waits until the team was told, which is after the row was marked. */
	const news = async (order: string, count: number) =>
		await until(`${count} messages about ${order}`, async () =>
			told(order).length >= count ? told(order) : undefined,
		);

	const states = async () =>
		Object.values(await table()).map(({ order, link, state, paid: amount }) => {
			expect(link).toBe(linkOf(String(order)).link);
			return [order, state, amount];
		});

	test('every order is in the table with its link', async () => {
		const execution = await stage().host.client.run(paid, 'Start');

		expect(execution.failure).toBeUndefined();
		expect(await states()).toEqual(['P-1', 'P-2', 'P-3'].map((order) => [order, null, null]));
	});

	test('a payment marks its row with state, amount and time, a part payment as such; the team reads the order', async () => {
		const before = { full: told('P-1').length, part: told('P-2').length };
		await pay('P-1');
		await pay('P-2', 300);
		const full = await news('P-1', before.full + 1);
		const part = await news('P-2', before.part + 1);

		const rows = await table();
		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
		expect(rows['P-1']).toMatchObject({ state: 'paid', paid: 1250.5, paidAt: time });
		expect(rows['P-2']).toMatchObject({ state: 'part payment', paid: 300, paidAt: time });
		expect(full.at(-1)).toContain('Order *P-1*: paid, 1250.5 of 1250.5 KES (Amina)');
		expect(part.at(-1)).toContain('Order *P-2*: part payment, 300 of 800 KES (Kofi)');
	});

	test("with another order's address nobody marks a row, and security is told; nor does a second run", async () => {
		const { slack, sandbox, host } = stage();
		const before = slack.posted('#security').length;
		const { ref, amount, currency } = sandbox.state.transactions.find(
			({ transaction_detail: detail }) => detail.startsWith('Coffee beans'),
		)!;
		const body = { ref, status: 'success', amount, currency };
		await call(linkOf('P-3').callback_url!, { method: 'POST', body });
		const warnings = await slack.messages('#security', before + 1);
		expect(warnings.at(-1)).toContain('The callback came to the URL of order "P-3"');

		const execution = await host.client.run(paid, 'Start');
		expect(execution.json('Create payment links').map(({ outcome }) => outcome)).toEqual(
			Array(3).fill('duplicate'),
		);
		expect(await states()).toEqual([
			['P-1', 'paid', 1250.5],
			['P-2', 'part payment', 300],
			['P-3', null, null],
		]);
		expect(sandbox.state.links).toHaveLength(3);
	});

	const reconcile = async () =>
		await run(RECONCILE, (workflow) =>
			opened(renamed(workflow), ['Sheet of rows', 'Sheet without rows']),
		);
	const results = (execution: Execution) =>
		execution
			.json('Sheet of rows, opened')
			.map(({ order, before, state, result }) => [order, before, state, result]);

	test('Reconcile: a lost callback is made up for, what no row knows is listed, and nothing else changes', async () => {
		const { host } = stage();
		await runNode(stage(), {
			resource: 'paymentLink',
			operation: 'create',
			country: 'KE',
			amount: '450',
			businessName: 'Savanna Coffee',
			itemName: 'Filters',
			callbackUrl: url,
			orderReference: 'X-9',
		});
		const before = told('X-9').length;
		await pay('X-9');
		expect((await news('X-9', before + 1)).at(-1)).toContain('No row of the table has this order');
		await host.client.deactivate(paid);
		await pay('P-3');
		let execution: Execution | undefined;
		const requests = await seenDuring(stage(), async () => (execution = await reconcile()));

		expect(results(execution!)).toEqual([
			['P-1', 'paid', 'paid', 'as it was'],
			['P-2', 'part payment', 'part payment', 'as it was'],
			['P-3', '', 'paid', 'corrected'],
		]);
		expect((await table())['P-3']).toMatchObject({ state: 'paid', paid: 3600 });
		expect(execution!.json('Sheet without rows, opened')).toEqual([
			expect.objectContaining({ order: 'X-9', amount: 450, currency: 'KES' }),
		]);
		// It asks, and changes nothing.
		const paths = requests.map(({ path }) => path);
		expect(
			paths.filter((path) => !/get-token|payment-link-api\/list|transaction-status/.test(path)),
		).toEqual([]);
	});

	test('Reconcile: a service that gives no answer, or knows nothing, changes no row', async () => {
		const { sandbox } = stage();
		const before = await table();
		const rule = sandbox.faults.add({ kind: 'html', status: 200, route: 'status.v3' });
		const silent = await reconcile();
		sandbox.faults.clear(rule.id);
		// As with the credential of another account.
		sandbox.reset();
		const ignorant = await reconcile();

		for (const execution of [silent, ignorant]) {
			expect(results(execution).map(([, , , result]) => result)).toEqual(
				Array(3).fill('could not be checked'),
			);
		}
		expect(await table()).toEqual(before);
	});
});

test('Google Sheets: paid, and marked: between reading and writing, all of it runs', async () => {
	const { host, importExample } = stage();
	const payment = (reference: string, state: string, amount: number) => ({
		json: { reference, order: 'G-2', state, amount, currency: 'KES', at: `2026-01-0${reference}` },
	});
	const changed = {
		state: 'failed',
		orderReference: 'G-2',
		asked: { amount: 80, currency: 'KES' },
		transaction: { ref: '3', amount: 80, currency: 'KES' },
		callback: { receivedAt: '2026-01-03' },
	};
	const marked = async (...payments: ReturnType<typeof payment>[]) => {
		const workflow = await importExample('google-sheets-paid-and-marked.json', (imported) => ({
			...imported,
			pinData: {
				'Payment changed': [{ json: changed }],
				'Keep the payment': [{ json: {} }],
				'Payments of the order': payments,
				'Mark the row': [{ json: {} }],
			},
		}));
		return (await host.client.run(workflow, 'Payment changed')).json('Sum up');
	};
	const part = payment('1', 'success', 30);
	const failed = payment('3', 'failed', 80);

	// A try that failed does not undo what was paid.
	expect(await marked(part, failed)).toEqual([
		{ Order: 'G-2', state: 'part payment', paid: 30, paidAt: '2026-01-01', reference: '3' },
	]);
	expect(await marked(part, payment('2', 'success', 50), failed)).toEqual([
		{ Order: 'G-2', state: 'paid', paid: 80, paidAt: '2026-01-02', reference: '3' },
	]);
	expect(await marked(failed)).toEqual([
		{ Order: 'G-2', state: 'failed', paid: 0, paidAt: null, reference: '3' },
	]);
});

withTables('Books', () => {
	/** With tables of its own, about today. */
	const adapted = (workflow: NewWorkflow): NewWorkflow =>
		JSON.parse(
			JSON.stringify(workflow)
				.replaceAll('Payment link orders', 'Orders of the books')
				.replaceAll('Confirmed payments', 'Payments of the books')
				.replace('$now.minus({ days: 1 })', '$now'),
		) as NewWorkflow;
	const cents = (amount: unknown) => Math.round(Number(amount) * 100);
	const sum = (rows: IDataObject[]) => rows.reduce((all, { Amount }) => all + cents(Amount), 0);
	const balances = () =>
		Object.fromEntries(
			stage()
				.sandbox.state.wallets.filter(({ integration }) => integration === 'demo')
				.map(({ currency, balance }) => [currency, cents(balance)]),
		);

	test('what the files add up to is what arrived in the wallets, to the cent', async () => {
		const { sandbox, host, importExample, slack } = stage();
		sandbox.reset();
		const paid = await importExample(PAID, adapted);
		const callbackUrl = triggerUrl(host.url, await host.client.workflow(paid))!;
		await host.client.publish(paid);
		await host.client.run(paid, 'Start');
		const formula = '=HYPERLINK("https://evil.example"), "tea"';
		await runNode(
			stage(),
			{
				resource: 'paymentLink',
				operation: 'create',
				country: 'UG',
				amount: '70000.99',
				businessName: 'Shop',
				itemName: '={{ $json.item }}',
				callbackUrl,
				orderReference: '={{ $json.order }}',
			},
			{ rows: [{ order: '=1+1', item: formula }] },
		);
		const before = balances();
		const told = slack.posted('#payments').length;
		const links = [...sandbox.state.links].reverse();
		expect(links).toHaveLength(4);
		// What a customer pays is not always what was asked for.
		for (const [at, amount] of [1250.5, 300.33, 3600, 70000.99].entries()) {
			const url = `${sandbox.url}/sandbox/links/${links[at]!.reference}/pay`;
			await call(url, { method: 'POST', body: { outcome: 'success', amount } });
		}
		await slack.messages('#payments', told + 4);
		const execution = await run('books.json', (workflow) =>
			opened(adapted(workflow), ['Files'], 'csv'),
		);

		expect(execution.failure).toBeUndefined();
		expect(execution.outputs('Files').map(({ binary }) => binary?.data?.fileName)).toEqual(
			['xero-KES', 'quickbooks-KES', 'xero-UGX', 'quickbooks-UGX'].map(
				(name) => expect.stringMatching(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`) as string,
			),
		);
		const rows = execution.json('Files, opened');
		const xero = rows.filter(({ Reference }) => Reference !== undefined);
		const quickBooks = rows.filter(({ Reference }) => Reference === undefined);
		expect(Object.keys(xero[0]!)).toEqual(['Date', 'Amount', 'Payee', 'Description', 'Reference']);
		expect(Object.keys(quickBooks[0]!)).toEqual(['Date', 'Description', 'Amount']);
		const after = balances();
		for (const currency of ['KES', 'UGX']) {
			const own = ({ Reference, Description }: IDataObject) =>
				sandbox.state.transactions.some(
					(each) =>
						each.currency === currency &&
						(Reference === each.ref || String(Description).endsWith(each.ref)),
				);
			const arrived = after[currency]! - before[currency]!;
			expect(arrived).toBeGreaterThan(0);
			expect([sum(xero.filter(own)), sum(quickBooks.filter(own))]).toEqual([arrived, arrived]);
		}
		expect(xero.filter(({ Amount }) => Number(Amount) < 0)).toHaveLength(4);
		expect(xero.at(-2)).toMatchObject({
			Amount: '70000.99',
			Description: `Payment, order =1+1, ${formula}, Shop`,
		});
	});
});

describe('the parameters of every node', () => {
	let types: INodeTypeDescription[];
	beforeAll(async () => (types = await stage().host.client.allNodeTypes()));

	const nodesOf = (file: string) =>
		(JSON.parse(readFileSync(join('examples', file), 'utf8')) as NewWorkflow).nodes;

	function problemsOf(node: INode): string[] {
		const description = findDescription(node, types);
		if (description === undefined) return [`${node.name}: no ${node.type} ${node.typeVersion}`];
		return findProblems(node, description);
	}

	// Older releases lack some of the nodes; what the examples need is in docs/examples.md.
	const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

	newest.each(FILES)('%s: this n8n knows them all', (file) => {
		expect(nodesOf(file).flatMap(problemsOf)).toEqual([]);
	});

	newest('under a wrong name, one is found', () => {
		for (const node of FILES.flatMap(nodesOf)) {
			const parameters = { ...node.parameters, misspelt: true };
			expect(problemsOf({ ...node, parameters })).toContain(`${node.name}: there is no 'misspelt'`);
		}
	});
});
