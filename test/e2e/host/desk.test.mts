import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { place, to } from './support.mts';
import { csv, orderRow, useDesk } from './standins/desk.mts';

// Older releases lack some of what it uses: data tables, forms that wait for a sub-workflow.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

newest('The payment desk', () => {
	const desk = useDesk();

	// What one test takes away, the next one has again.
	afterEach(async () => await desk().mail.comeBack());

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

	test('Approve: one cell changed meanwhile, and nothing leaves; unchanged, every row once', async () => {
		const sheet = csv([orderRow('A-1'), orderRow('A-2', { Amount: 80 })]);
		const before = accepted();
		const changed = await desk().ask(sheet);
		await desk().edit('rows', ['order', 'A-2'], { amount: 8000 });
		await desk().press('Send them');
		const refused = await changed.next();

		expect(refused.text).toContain('Nothing was sent');
		expect(refused.text).toContain(
			'approved was 2 rows with 1,330.50 KES, and now it is 2 rows with 9,250.50 KES',
		);
		expect(accepted()).toBe(before);

		const sent = await desk().send(sheet);
		expect(sent.text).toContain('2 payment links made');
		expect([times('A-1'), times('A-2')]).toEqual([1, 1]);
		expect(linkOf('A-2').amount).toBe(80);

		// Uploaded once more, there is nothing left to send.
		const again = await desk().submit(sheet);
		expect(again.text).toContain('There is nothing to send');
		expect(again.text).toContain('2 A-1 Order A-1 was sent before.');
	});

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

	test('Close of day: a payment that no row has does not add up, and is told once', async () => {
		const { slack } = desk();
		await desk().send(csv([orderRow('X-9')]));
		await desk().edit('rows', ['order', 'X-9'], { order: 'X-8' });
		await desk().pay(linkOf('X-9').link);
		await until('the news', async () =>
			slack.posted('#payments').some((text) => /Order \*X-9\*.*\nNo row of the desk/.test(text))
				? true
				: undefined,
		);
		await desk().strike('evening');
		await desk().strike('evening');

		const [first, second] = desk().closes.slice(-2);
		expect(first).toContain('X-9: paid, but no row has this order');
		expect(second).toContain('Paid: none');
		expect(second).not.toContain('X-9');
	});
});
