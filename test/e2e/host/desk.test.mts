import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { isAtLeast, N8N_VERSION } from '../../../host/n8n/release.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { place, to } from './support.mts';
import { csv, orderRow, useDesk } from './standins/desk.mts';

// Older releases lack some of what it uses: data tables, forms that wait for a sub-workflow.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

newest('The payment desk', () => {
	const desk = useDesk();

	// What one test takes away, the next one has again.
	afterEach(async () => {
		desk().sandbox.faults.clear();
		await desk().mail.comeBack();
	});

	const accepted = () => desk().sandbox.state.ledger.accepted;
	const linkOf = (order: string) =>
		desk().sandbox.state.links.find((link) => link.order?.reference === order)!;
	/** How often the service was asked for a link of an order. */
	const times = (order: string) =>
		desk().sandbox.state.links.filter((link) => link.order?.reference === order).length;

	describe('Upload', () => {
		test('everything that is wrong is shown with row, field and what to do, and nothing is kept', async () => {
			const rows = [
				orderRow('U-1'),
				orderRow('U-2', { Amount: '1.500', Email: 'amina at home' }),
				orderRow('U-3', { Country: 'Atlantis' }),
			];
			const before = (await desk().table('rows')).length;
			const { text } = await desk().submit(csv(rows));

			expect(text).toContain('3 things to correct');
			expect(text).toMatch(/3 Amount .*which could mean thousands or decimals/);
			expect(text).toMatch(/3 Customer Email .*which is not an e-mail address/);
			expect(text).toMatch(/4 Country .*Atlantis/);
			expect(await desk().table('rows')).toHaveLength(before);
		});

		test('a file that is no sheet, and a sheet without a column, are told apart', async () => {
			const unreadable = await desk().submit({
				name: 'x.xlsx',
				content: Buffer.from('PK\x03\x04 no sheet'),
			});
			const without = await desk().submit(csv([{ Order: 'U-4', Country: 'KE', Business: 'Shop' }]));

			expect(unreadable.text).toContain('This sheet cannot be read');
			expect(without.text).toContain("The sheet has no column for 'Amount'");
		});

		test('a row without an order number is refused', async () => {
			const { text } = await desk().submit(
				csv([orderRow('U-5'), orderRow('', { Email: 'x@y.zz' })]),
			);

			expect(text).toContain('3 Order Reference There is no order number. Give each row one');
		});

		test('a sheet that is separated by semicolons is read', async () => {
			const row = orderRow('U-7', { Amount: '1 250,50' });
			const lines = [Object.keys(row), Object.values(row)].map((cells) => cells.join(';'));
			const page = await desk().submit({
				name: 'orders.csv',
				content: Buffer.from(lines.join('\r\n')),
			});

			expect(page.text).toMatch(/Your sheet is in order.*KES 1 1,250\.50/);
		});

		test('the form leads to an empty sheet with the right headings', async () => {
			const { text: form } = await call(desk().formUrl);
			const address = /href="([^"]*payment-desk-sheet)"/.exec(form)![1]!;
			const reply = await fetch(new URL(address, desk().formUrl));
			const content = Buffer.from(await reply.arrayBuffer()).toString('latin1');

			expect(reply.headers.get('content-disposition')).toContain('payment-links.xlsx');
			const [headings] = readFileSync('examples/sheets/payment-links.csv', 'utf8').split('\n');
			for (const heading of headings!.trim().split(',')) expect(content).toContain(`>${heading}<`);
		});

		test('nothing is sent when it is not approved', async () => {
			const before = accepted();
			const page = await desk().ask(csv([orderRow('U-6')]));
			// Somebody who tries it presses the button on the page of the stand-in.
			expect((await call(desk().slack.url)).text).toContain('>Do not send</a>');
			await desk().press('Do not send');

			expect((await page.next()).text).toContain('Your team did not approve these rows');
			expect(accepted()).toBe(before);
			expect(await desk().rowsOf('U-6')).toEqual([expect.objectContaining({ outcome: null })]);
		});
	});

	/** As after n8n was killed between keeping a payment and marking its row. */
	const UNMARKED = { state: 'open', paid: 0 };

	describe.each(['spec', 'rich'] as const)('with %s replies', (mode) => {
		const name = (order: string) => `${mode}-${order}`;
		beforeAll(() => desk().sandbox.change({ mode }));

		test('Approve: one cell changed meanwhile, and nothing leaves; unchanged, every row once', async () => {
			const [first, second] = [name('A1'), name('A2')];
			const sheet = csv([orderRow(first), orderRow(second, { Amount: 80 })]);
			const before = accepted();
			const changed = await desk().ask(sheet);
			await desk().edit('rows', ['order', second], { amount: 8000 });
			await desk().press('Send them');
			const refused = await changed.next();

			expect(refused.text).toContain('Nothing was sent');
			expect(refused.text).toContain(
				'approved was 2 rows with 1,330.50 KES, and now it is 2 rows with 9,250.50 KES',
			);
			expect(accepted()).toBe(before);

			const sent = await desk().send(sheet);
			expect(sent.text).toContain('2 payment links made');
			expect([times(first), times(second)]).toEqual([1, 1]);
			expect(linkOf(second).amount).toBe(80);

			// Uploaded once more, there is nothing left to send.
			const again = await desk().submit(sheet);
			expect(again.text).toContain('There is nothing to send');
			expect(again.text).toContain(`2 ${first} Order ${first} was sent before.`);
		});

		test('Send: an order that was uploaded twice, and approved twice, is asked for once', async () => {
			const order = name('B1');
			const { mail } = desk();
			const pages = [];
			const buttons = [];
			for (const file of ['first.csv', 'second.csv']) {
				pages.push(await desk().ask(csv([orderRow(order)], file)));
				buttons.push(await desk().button('Send them'));
			}
			for (const button of buttons) await desk().open(button);
			const ends = [];
			for (const page of pages) ends.push((await page.next()).text);
			// The second one may be told that the first is just sending it.
			expect(ends.join()).toContain('One payment link made');
			await desk().strike('letters');
			await desk().strike('letters');

			expect(times(order)).toBe(1);
			expect(mail.to(`${order.toLowerCase()}@example.com`)).toHaveLength(1);
		});

		test('Chase: one e-mail for all open links of a customer, not before its time, not twice', async () => {
			const { mail } = desk();
			const Email = `${mode}-chased@example.com`;
			const orders = [name('C1'), name('C2'), name('C3'), name('C4')];
			await desk().send(csv(orders.map((order) => orderRow(order, { Email }))));
			await desk().strike('letters');
			await desk().strike('morning');
			await desk().strike('letters');
			expect(mail.to(Email)).toHaveLength(4);

			// Two of them are paid; of one, the callback is lost, and of the other, all but the payment itself.
			await desk().pay(linkOf(orders[1]!).link, { mobile: '254712990303' });
			await desk().pay(linkOf(orders[3]!).link);
			await until('its mark', async () =>
				(await desk().rowsOf(orders[3]!))[0]?.state === 'paid' ? true : undefined,
			);
			await desk().edit('rows', ['order', orders[3]!], UNMARKED);
			await backdate(...orders);
			await desk().strike('morning');
			await desk().strike('morning');
			await desk().strike('letters');
			await desk().strike('letters');
			const reminders = mail.to(Email).filter(({ subject }) => subject.includes('reminder'));
			expect(reminders).toHaveLength(1);
			expect(reminders[0]!.text).toContain(linkOf(orders[0]!).link);
			expect(reminders[0]!.text).toContain(linkOf(orders[2]!).link);
			const paid = [orders[1]!, orders[3]!];
			for (const order of paid) expect(reminders[0]!.text).not.toContain(linkOf(order).link);
			expect(await desk().rowsOf(...paid)).toEqual(
				Array(2).fill(expect.objectContaining({ state: 'paid', paid: 1250.5 })),
			);
			const receipts = mail.to(Email).filter(({ subject }) => subject.startsWith('Receipt'));
			expect(receipts.map(({ subject }) => subject).sort()).toEqual(
				paid.map((order) => `Receipt for order ${order}`).sort(),
			);
		});
	});

	async function backdate(...orders: string[]): Promise<void> {
		const at = new Date(Date.now() - 4 * 24 * 3600_000).toISOString();
		for (const order of orders) await desk().edit('letters', ['key', `link ${order}`], { at });
	}

	test('Approve: the same by e-mail', async () => {
		const { host, mail, workflows } = desk();
		const before = accepted();
		await desk().submit(csv([orderRow('E-1')]));
		const [{ batch }] = (await desk().rowsOf('E-1')) as [IDataObject];
		const { nodes, connections } = await host.client.workflow(workflows.links);
		const byMail = await host.client.createWorkflow({
			name: 'Approve by e-mail',
			nodes,
			connections: {
				...connections,
				Asked: { main: [to('Ask by e-mail')] },
				'Ask by e-mail': { main: [to('Answered')] },
			},
		});
		const caller = await host.client.createWorkflow({
			name: 'Caller',
			nodes: [
				place('Start', 'n8n-nodes-base.manualTrigger'),
				{
					...place('Call', 'n8n-nodes-base.executeWorkflow', {
						source: 'database',
						workflowId: { __rl: true, mode: 'id', value: byMail.id },
						workflowInputs: {
							mappingMode: 'defineBelow',
							value: { batch: String(batch) },
							schema: [],
						},
						mode: 'once',
						options: {},
					}),
					typeVersion: 1.2,
				},
			],
			connections: { Start: { main: [to('Call')] } },
		});
		await host.client.start(caller, 'Start');
		const [question] = await mail.arrived('approvals@example.com');
		expect(question!.text).toContain('1,250.50 KES in 1 row');
		const [, button] = /href="([^"]*approved=true[^"]*)"/.exec(question!.text)!;
		const page = button!.replaceAll('&amp;', '&');

		// A mail scanner opens what it finds, as a browser does; it fills in no form.
		await desk().open(page);
		await desk().open(page);
		expect(accepted()).toBe(before);
		const answer = new FormData();
		answer.append('field-0', 'Send them');
		expect((await fetch(page, { method: 'POST', body: answer })).status).toBe(200);

		await until('the link', async () => (times('E-1') === 1 ? true : undefined));
	});

	test('Send: of two result sheets in one, with the same row numbers, everybody gets their own link', async () => {
		const { mail } = desk();
		const amina = orderRow('N-1', { row_number: 2, Amount: 100 });
		const kofi = orderRow('N-2', { row_number: 2, Amount: 99_999, 'First Name': 'Kofi' });
		const done = await desk().send(csv([amina, kofi]));
		await desk().strike('letters');

		expect(done.text).toContain('2 payment links made');
		for (const [order, amount] of [
			['N-1', 100],
			['N-2', 99_999],
		] as const) {
			expect(linkOf(order).amount).toBe(amount);
			const [letter] = mail.to(`${order.toLowerCase()}@example.com`);
			expect(letter!.text).toContain(linkOf(order).link);
			expect(await desk().rowsOf(order)).toEqual([
				expect.objectContaining({ amount, link: linkOf(order).link }),
			]);
		}
	});

	test('Send: an address that is refused is marked, a mail server that is away is tried again', async () => {
		const { mail } = desk();
		const done = await desk().send(
			csv([orderRow('M-1'), orderRow('M-2'), orderRow('M-3', { Email: '' })]),
		);
		expect(done.text).toContain('2 customers get their link by e-mail');
		expect(done.text).toMatch(/M-3 It has no e-mail address. Send this link yourself: http/);
		mail.refused.add('m-1@example.com');
		await mail.leave();
		await desk().strike('letters');
		expect(await desk().letters('link M-1', 'link M-2', 'link M-3')).toEqual([
			expect.objectContaining({ state: '' }),
			expect.objectContaining({ state: '' }),
			{},
		]);
		await mail.comeBack();
		await desk().strike('letters');
		await desk().strike('letters');

		expect(await desk().letters('link M-1', 'link M-2')).toEqual([
			expect.objectContaining({ state: expect.stringContaining('refused: ') as string }),
			expect.objectContaining({ state: 'sent' }),
		]);
		expect(mail.to('m-2@example.com')).toHaveLength(1);
		await desk().strike('evening');
		const close = desk().closes.at(-1);
		expect(close).toMatch(/Does not add up:.*\n.*M-1: e-mail: refused/);
		expect(close).toMatch(/To do:[^]*M-3: no e-mail address: send the link yourself/);
	});

	test("Paid: with another order's address nobody marks a row; security is told", async () => {
		const { slack } = desk();
		await desk().send(csv([orderRow('P-1'), orderRow('P-2')]));
		await desk().pay(linkOf('P-1').link);
		const [told] = await until('the news', async () => {
			const found = slack.posted('#payments').filter((text) => text.includes('Order *P-1*'));
			return found.length > 0 ? found : undefined;
		});
		const { ref, amount, currency } = desk().sandbox.state.transactions[0]!;
		const body = { ref, status: 'success', amount, currency };
		await call(linkOf('P-2').callback_url!, { method: 'POST', body });
		const [warning] = await slack.messages('#security');

		expect(told).toContain('paid, 1,250.50 of 1,250.50 KES (Amina)');
		expect(warning).toContain('The callback came to the URL of order "P-2"');
		expect(await desk().rowsOf('P-2')).toEqual([expect.objectContaining({ state: 'open' })]);
	});

	test('a link that is not found is not told as made, and the order can be asked for again', async () => {
		const { sandbox, slack, mail } = desk();
		sandbox.change({ mode: 'spec' });
		const hidden = sandbox.faults.add({ kind: 'redirect', route: 'paymentLink.list' });
		const told = slack.posted('#payments').length;
		const sheet = csv([orderRow('L-1')]);
		const done = await desk().send(sheet);
		sandbox.faults.clear(hidden.id);

		expect(done.text).toContain('No link can be sent');
		expect(done.text).toMatch(/L-1 .*its link was not found.* Upload the row again/);
		const news = (await slack.messages('#payments', told + 1)).slice(told);
		expect(news).toEqual([expect.stringMatching(/order \*L-1\*: .*its link was not found/)]);
		await desk().strike('evening');
		expect(desk().closes.at(-1)).toMatch(/L-1: accepted without a link.*upload the row again/);

		const again = await desk().ask(sheet);
		expect(again.text).toMatch(/asked for again.*L-1 L-1 \(2\)/);
		await desk().press('Send them');
		expect((await again.next()).text).toContain('One payment link made');
		await desk().strike('letters');
		expect(mail.to('l-1@example.com').map(({ text }) => text)).toEqual([
			expect.stringContaining(linkOf('L-1 (2)').link),
		]);
		await desk().strike('evening');
		expect(desk().closes.at(-1)).not.toContain('L-1:');
	});

	test('a payment that failed is told, not reminded of, and can be asked for again', async () => {
		const { slack, mail } = desk();
		const sheet = csv([orderRow('F-1')]);
		await desk().send(sheet);
		await desk().strike('letters');
		await desk().pay(linkOf('F-1').link, { outcome: 'failed' });
		await until('the news', async () =>
			slack.posted('#payments').some((text) => /Order \*F-1\*: failed.*\n.*upload/.test(text))
				? true
				: undefined,
		);
		await backdate('F-1');
		await desk().strike('morning');
		await desk().strike('letters');
		expect(mail.to('f-1@example.com')).toHaveLength(1);

		await desk().send(sheet);
		await desk().strike('letters');
		await desk().pay(linkOf('F-1 (2)').link);
		await until('the row to be paid', async () =>
			(await desk().rowsOf('F-1 (2)'))[0]?.state === 'paid' ? true : undefined,
		);
		const left = await desk().submit(sheet);
		expect(left.text).toContain('Order F-1 was sent before.');
		const kept = (await desk().table('rows')).filter(({ order }) => order === 'F-1');
		expect(kept.map(({ outcome, state }) => [outcome, state])).toEqual([
			['accepted', 'failed'],
			['left out', 'left out'],
		]);
		await desk().strike('evening');
		expect(slack.posted('#payments').at(-1)).toMatch(/Repeated, and left out: \d+ rows?, /);
		expect([times('F-1'), times('F-1 (2)')]).toEqual([1, 1]);
	});

	test('Chase: while the service gives no answer, nobody is reminded, and the close of day says so', async () => {
		const { mail, sandbox } = desk();
		await desk().send(csv([orderRow('S-1')]));
		await desk().strike('letters');
		await backdate('S-1');
		const rules = (['status.v3', 'paymentLink.list'] as const).map((route) =>
			sandbox.faults.add({ kind: 'redirect', route }),
		);
		await desk().strike('morning');
		await desk().strike('letters');
		await desk().strike('evening');
		for (const { id } of rules) sandbox.faults.clear(id);
		expect(mail.to('s-1@example.com')).toHaveLength(1);
		const close = desk().closes.at(-1);
		expect(close).toContain('S-1: the service gave no clear answer about it');

		await desk().strike('morning');
		await desk().strike('letters');
		expect(mail.to('s-1@example.com')).toHaveLength(2);
	});

	test('Close of day: a payment that no row has does not add up, and is told once', async () => {
		const { host, slack, workflows } = desk();
		const { nodes } = await host.client.workflow(workflows.links);
		const maker = nodes.find((node) => node.name === 'Create payment links')!;
		const { callback_url: url } = linkOf('S-1');
		// A link that somebody made elsewhere, with the same callback URL.
		const stranger = await host.client.createWorkflow({
			name: 'Elsewhere',
			nodes: [
				place('Start', 'n8n-nodes-base.manualTrigger'),
				{
					...maker,
					parameters: {
						resource: 'paymentLink',
						operation: 'create',
						country: 'KE',
						amount: '450',
						businessName: 'Savanna Coffee',
						itemName: 'Filters',
						callbackUrl: url!.split('?')[0]!,
						orderReference: 'X-9',
					},
				},
			],
			connections: { Start: { main: [to(maker.name)] } },
		});
		await host.client.run(stranger, 'Start');
		await desk().pay(linkOf('X-9').link);
		await until('the news', async () =>
			slack.posted('#payments').some((text) => /Order \*X-9\*.*\nNo row of the desk/.test(text))
				? true
				: undefined,
		);
		await desk().strike('evening');
		await desk().strike('evening');

		const [first, second] = desk().closes.slice(-2);
		expect(first).toContain('Paid: 1 payment, 450.00 KES');
		expect(first).toContain('X-9: paid, but no row has this order');
		expect(second).toContain('Sent: none');
		expect(second).toContain('Paid: none');
		expect(second).not.toContain('X-9');
	});
});
