import { readFile } from 'node:fs/promises';

import type { IDataObject } from 'n8n-workflow';
import writeExcelFile from 'write-excel-file/node';

import { askAndAnswer, uploadSheet } from '../../../dev/host/demo/sendSheet.mts';
import type { Sheet } from '../../../dev/host/demo/sendSheet.mts';
import { FIVE_ORDERS } from '../../../dev/host/messages/page.mts';
import type { Execution } from '../../../dev/host/n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { readTable } from './standins/tables.mts';
import { useStage, withNode } from './standins/stage.mts';

const stage = useStage();

// Older releases lack some of what these examples use.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

const ORDERS = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'];
const LINK = expect.stringMatching(/^http:.*\/pay\//) as string;

/** A sheet as people save it from a spreadsheet program. */
function csv(rows: IDataObject[], name = 'orders.csv'): Sheet {
	const headings = Object.keys(rows[0]!);
	const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
	const lines = rows.map((row) => headings.map((heading) => cell(row[heading])).join(','));
	return { name, content: Buffer.from([headings.join(','), ...lines].join('\r\n')) };
}

async function xlsx(rows: IDataObject[]): Promise<Sheet> {
	const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cells = rows.map((row) => headings.map((name) => String(row[name] ?? '')));
	const sheet = [headings, ...cells].map((line) => line.map((value) => ({ value, type: String })));
	const content = await writeExcelFile(sheet).toBuffer();
	return { name: 'payment-links.xlsx', content };
}

const orderRow = (Order: string, more: IDataObject = {}): IDataObject => ({
	Order,
	Name: 'Amina Otieno',
	Country: 'Kenya',
	Phone: '0712 345678',
	Email: `${Order.toLowerCase()}@example.com`,
	Amount: '1,250.50',
	Business: 'Savanna Coffee',
	Item: 'Coffee beans',
	...more,
});

const fiveOrders = async (): Promise<Sheet> => ({
	name: FIVE_ORDERS,
	content: await readFile(`examples/sheets/${FIVE_ORDERS}`),
});

/** The newest run of the form, once it has ended. */
async function lastRun(): Promise<Execution> {
	const { host, workflow } = stage();
	const runs = (await host.client.executions(workflow)).map(({ id }) => Number(id));
	return await host.client.finished(String(Math.max(...runs)));
}

/** What came back, row by row. */
const results = async () => (await lastRun()).json('Result');

/** Uploads a sheet, has it approved, and gives what came back. */
async function send(sheet: Sheet): Promise<IDataObject[]> {
	const found = await uploadSheet(stage().formUrl, sheet);
	const last = await askAndAnswer(found, stage().messages);
	expect(last.files.map(({ name }) => name)).toEqual(['payment-links.xlsx']);
	return await results();
}

const outcomes = (rows: IDataObject[]) =>
	rows.map(({ Order, outcome, sent }) => [Order, outcome, sent]);
const linksOf = (rows: IDataObject[]) => rows.map(({ link }) => link);

/** What somebody who opens the table sees, by order. */
async function table(): Promise<Record<string, IDataObject>> {
	const rows = await readTable(stage().host, 'Payment link orders');
	return Object.fromEntries(rows.map((row) => [row.order, row]));
}

async function pay(order: string, payment: IDataObject = { outcome: 'success' }): Promise<void> {
	const { link } = (await table())[order]!;
	const { status } = await call(
		`${stage().sandbox.url}/sandbox/links/${String(link).split('/').at(-1)}/pay`,
		{ method: 'POST', body: payment },
	);
	expect(status).toBe(200);
}

const news = async (order: string, words: string) =>
	await until(`${words} about ${order}`, async () =>
		stage()
			.messages.to('#payments')
			.find((text) => text.includes(`Order *${order}*`) && text.includes(words)),
	);

newest('Sheet to payment links', () => {
	test.each(['spec', 'rich'] as const)(
		'with %s replies: checked, approved, sent by mail, handed back; corrected and uploaded, only what is new is sent',
		async (mode) => {
			const { sandbox, messages, formUrl } = stage();
			sandbox.reset();
			sandbox.change({ mode });
			const sheet = csv(
				ORDERS.map((order) =>
					orderRow(`${mode}-${order}`, order === 'A-4' ? { Phone: '7.72E+08' } : {}),
				),
			);
			const found = await uploadSheet(formUrl, sheet);
			expect(found.text).toContain('4 of 5 rows can be sent');
			expect(found.text).toContain('To correct: 1');
			expect(found.text).toContain('KES 5,002.00 in 4 links');
			expect(sandbox.state.links).toEqual([]);
			const last = await askAndAnswer(found, messages);
			expect(last.text).toContain('4 of 5 rows have a link');
			const first = await results();

			expect(outcomes(first)).toEqual(
				ORDERS.map((order) =>
					order === 'A-4'
						? [`${mode}-${order}`, 'not_sent', 'no']
						: [`${mode}-${order}`, 'accepted', 'yes'],
				),
			);
			expect(first[3]).toMatchObject({
				link: '',
				message: expect.stringContaining('7.72E+08') as string,
			});
			for (const { Email, link } of first.filter((row) => row.link !== '')) {
				expect(link).toEqual(LINK);
				expect(messages.to(String(Email))).toEqual([expect.stringContaining(String(link))]);
			}
			const question = messages.to('approver@example.com').at(-1)!;
			expect(question).toContain(
				`1. ${mode}-A-1, Amina Otieno, Kenya, KES 1,250.50, ${mode}-a-1@example.com`,
			);

			// The very file that came back, with the phone number corrected.
			const corrected = first.map((row) => ({ ...row, Phone: '0712 345678' }));
			const second = await send(await xlsx(corrected));
			expect(outcomes(second)).toEqual(
				ORDERS.map((order) =>
					order === 'A-4'
						? [`${mode}-${order}`, 'accepted', 'yes']
						: [`${mode}-${order}`, 'duplicate', 'no'],
				),
			);
			expect(linksOf(second).filter((_, nth) => nth !== 3)).toEqual(
				linksOf(first).filter((_, nth) => nth !== 3),
			);
			expect(sandbox.state.links).toHaveLength(5);

			const again = await send({ ...(await xlsx(second)), sendAgain: true });
			expect(outcomes(again).map(([, outcome, sent]) => [outcome, sent])).toEqual(
				Array(5).fill(['duplicate', 'yes']),
			);
			expect(sandbox.state.links).toHaveLength(5);
		},
	);

	test('the sheet with five orders: four links, one row to correct', async () => {
		const rows = await send(await fiveOrders());
		expect(rows.map(({ Order, outcome }) => [Order, outcome])).toEqual(
			ORDERS.map((order) => [order, order === 'A-4' ? 'not_sent' : 'accepted']),
		);
	});

	test.each([
		['SMS', 'SMS +254712345678'],
		['WhatsApp', 'WhatsApp +254712345678'],
	] as const)('by %s, and a customer without a phone number is said', async (sendBy, address) => {
		const { messages } = stage();
		const before = messages.to(address).length;
		const orders = [`${sendBy}-1`, `${sendBy}-2`];
		const rows = await send({
			...csv([orderRow(orders[0]!), orderRow(orders[1]!, { Phone: '' })]),
			sendBy,
		});

		expect(outcomes(rows)).toEqual([
			[orders[0], 'accepted', 'yes'],
			[orders[1], 'accepted', 'no'],
		]);
		expect(messages.to(address).slice(before)).toEqual([
			expect.stringContaining(String(rows[0]?.link)),
		]);
	});

	test('refused, or nobody asked: nothing is sent, and the sheet comes back with the reasons', async () => {
		const { sandbox, messages, formUrl } = stage();
		const before = sandbox.state.links.length;
		const sheet = csv([orderRow('No-1'), orderRow('No-2', { Amount: '' })]);
		await askAndAnswer(await uploadSheet(formUrl, sheet), messages, 'Do not send');
		const refused = await results();
		const asked = messages.to('approver@example.com').length;
		const next = await (
			await uploadSheet(formUrl, sheet)
		).answer('Stop, and give me the sheet with the reasons');
		await next.page();
		const stopped = await results();

		for (const rows of [refused, stopped]) {
			expect(outcomes(rows)).toEqual([
				['No-1', 'not_sent', 'no'],
				['No-2', 'not_sent', 'no'],
			]);
		}
		expect(messages.to('approver@example.com')).toHaveLength(asked);
		expect(sandbox.state.links).toHaveLength(before);
	});

	test('a file that is no sheet, an empty one and one without a good row end with a reason', async () => {
		const { formUrl } = stage();
		for (const [name, text] of [
			['orders.csv', 'Order,Amount'],
			['orders.csv', 'What is this\r\n"'],
			['orders.xlsx', 'no workbook'],
		] as const) {
			const found = await uploadSheet(formUrl, { name, content: Buffer.from(text) });
			expect(found.text).toMatch(/0 of \d+ rows can be sent/);
			await (await found.answer('Ask for approval')).page();
			expect((await lastRun()).tasks('Ask for approval')).toEqual([]);
		}
	});

	test('what a customer wrote is text of one line in the question', async () => {
		const { messages, formUrl } = stage();
		const Name = 'Evil <b>bold</b> \u202e $& <img src=x>';
		const found = await uploadSheet(formUrl, csv([orderRow('H-1', { Name })]));
		await askAndAnswer(found, messages, 'Do not send');

		const question = messages.to('approver@example.com').at(-1)!;
		expect(question).toContain('1. H-1, Evil b bold /b img src=x, Kenya');
	});
});

newest('Paid, and marked; then the close of day', () => {
	test('its own orders get links, and stay as they are in a second run', async () => {
		const { host, example } = stage();
		const marked = example('Paid, and marked in the sheet');
		for (const outcome of ['accepted', 'duplicate']) {
			const run = await host.client.run(marked, 'Start');
			expect(run.failure).toBeUndefined();
			expect(run.json('Create payment links').map((item) => item.outcome)).toEqual(
				Array(3).fill(outcome),
			);
		}
		expect(await table()).toMatchObject({ 'P-1': { link: LINK }, 'P-3': { link: LINK } });
	});

	test('a payment marks the row, a part payment as such; another address marks nothing', async () => {
		const { sandbox, messages } = stage();
		await pay('P-1');
		await pay('A-1', { outcome: 'success', amount: 300 });
		await news('P-1', 'paid, 1250.5 of 1250.5 KES');
		await news('A-1', 'part payment, 300 of 1250.5 KES');
		expect(await table()).toMatchObject({
			'P-1': { state: 'paid', paid: 1250.5 },
			'A-1': { state: 'part payment', paid: 300 },
		});

		const before = messages.to('#security').length;
		const { link } = (await table())['P-3']!;
		const { callback_url: address } = sandbox.state.links.find((each) => each.link === link)!;
		const { ref, amount, currency } = sandbox.state.transactions[0]!;
		await call(address!, { method: 'POST', body: { ref, status: 'success', amount, currency } });
		await messages.arrived('#security', before + 1);
		expect((await table())['P-3']).toMatchObject({ state: null });
	});

	test('Remind and close of day: who has not paid is reminded once, lost callbacks are made up for, doubts are said', async () => {
		const { host, messages, sandbox, importExample, example } = stage();
		const evening = await importExample('remind-and-close-of-day.json', (workflow) =>
			withNode(workflow, 'Settings', (node) => ({
				...node,
				parameters: JSON.parse(
					JSON.stringify(node.parameters).replace('"value":2', '"value":0'),
				) as typeof node.parameters,
			})),
		);
		const close = async () => {
			const run = await host.client.run(evening, 'Every evening');
			expect(run.failure).toBeUndefined();
			return { run, told: messages.to('#payments').at(-1)! };
		};
		const marked = example('Paid, and marked in the sheet');
		await host.client.deactivate(marked);
		await pay('P-3');
		await pay('A-2', { outcome: 'failed' });
		const before = messages.all.length;
		const { run, told } = await close();

		expect(await table()).toMatchObject({
			'P-3': { state: 'paid', paid: 3600 },
			'A-2': { state: 'failed', paid: 0 },
			'A-1': { state: 'part payment', paid: 300 },
		});
		expect(told).toMatch(/Paid today: .*KES 5,150\.50/);
		expect(told).toContain('• A-1, Amina Otieno: KES 300.00 of KES 1,250.50');
		expect(told).toContain('• A-2, Kouadio Brou');
		expect(run.json('To remind').map(({ order }) => order)).toEqual(
			expect.arrayContaining(['A-2', 'A-3', 'A-5']),
		);
		const reminded = messages.all.slice(before).map(({ to }) => to);
		expect(reminded).toContain('kofi@example.com');
		expect(reminded).not.toContain('amina@example.com');
		// Nobody is reminded twice on one day.
		const again = await close();
		expect(again.run.json('To remind')).toEqual([]);

		// A service that gives no answer.
		const rule = sandbox.faults.add({ kind: 'html', status: 200, route: 'status.v3' });
		const kept = await table();
		const silent = await close();
		sandbox.faults.clear(rule.id);
		expect(silent.told).toMatch(/In doubt[^]*A-1: payment .* could not be looked up/);
		expect(await table()).toEqual(kept);
		await host.client.publish(marked);
	});
});
