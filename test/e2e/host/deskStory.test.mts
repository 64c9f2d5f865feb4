import { readFile } from 'node:fs/promises';

import type { Browser } from 'playwright-core';

import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { until } from '../../../dev/host/shared/until.mts';
import type { Switches } from '../../../dev/sandbox/index.mts';
import { launchBrowser } from '../../helpers/browser.mts';
import { orderRow, Uploader, useDesk } from './standins/desk.mts';

// Older releases lack some of what it uses: data tables, forms that wait for a sub-workflow.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

newest('The payment desk as a whole', () => {
	const desk = useDesk();

	let browser: Browser;
	beforeAll(async () => (browser = await launchBrowser()));
	afterAll(async () => await browser.close());

	/** The customers of a story: what they are asked for, and what they do. */
	const CUSTOMERS = [
		{ Country: 'Kenya', Amount: '1,250.50', does: 'pays' },
		{ Country: 'GH', Amount: 80, Phone: '', does: 'pays a part' },
		{ Country: 'Ivory Coast', Amount: '15 000', Phone: '07 12 34 56 78', does: 'pays' },
		{ Country: 'KE', Amount: 199.99, does: 'fails' },
		{ Country: 'KE', Amount: 3600, does: 'nothing' },
		{ Country: 'Kenya', Amount: 45.1, does: 'pays' },
		{ Country: 'Kenya', Amount: 0.3, does: 'pays' },
		{ Country: 'UG', Amount: 20000, Phone: '', does: 'nothing' },
	] as const;

	const PART = 30.25;
	/** A number with which the sandbox never calls back. */
	const SILENT = '254712990303';
	/** What n8n has no hand in: it learns of it by callbacks, or by asking. */
	const linkIn = (text: string) => /http\S+\/pay\/\S+/.exec(text)![0];

	/** Every second callback is lost; or n8n is killed and started again, in the middle of everything. */
	async function story(name: string, mode: Switches['mode'], trouble: 'losing' | 'killing') {
		const killing = trouble === 'killing';
		const d = desk();
		const { sandbox, mail, slack } = d;
		sandbox.change({ mode });
		const ledgerBefore = sandbox.state.ledger.accepted;
		const paidBefore = successes().length;
		const orders = CUSTOMERS.map(({ does: _does, ...row }, index) =>
			orderRow(`${name}-${index + 1}`, { 'First Name': `Customer ${index + 1}`, ...row }),
		);
		const addressOf = (index: number) => String(orders[index]!.Email);

		// Somebody without an account uploads a sheet with a mistake, corrects it, and asks.
		const wrong = orders.map((row, index) => (index === 2 ? { ...row, Amount: '1.500' } : row));
		const uploader = await Uploader.open(browser, d);
		await uploader.upload({ name: 'orders.xlsx', content: await d.makeXlsx(wrong) });
		const complaint = await uploader.reads('One thing to correct');
		expect(complaint).toMatch(/which could mean thousands or decimals/);
		expect(sandbox.state.ledger.accepted).toBe(ledgerBefore);
		await uploader.page.getByRole('link', { name: 'Upload it again' }).click();
		await uploader.upload({ name: 'orders.xlsx', content: await d.makeXlsx(orders) });
		const totals = await uploader.reads('Your sheet is in order');
		expect(totals).toMatch(/KES\s+5\s+5,095\.89/);
		const later = await uploader.page
			.getByRole('link', { name: 'get your sheet here later' })
			.getAttribute('href');
		const questions = slack.posted('#approvals').length;
		await uploader.askForApproval();
		const question = (await slack.messages('#approvals', questions + 1)).at(-1)!;
		expect(question).toContain('8 payment links to approve');
		expect(question).toContain('5,095.89 KES in 5 rows');
		expect(question).toContain(`1. ${name}-1, Customer 1, 1,250.50 KES, Coffee beans`);
		expect(sandbox.state.ledger.accepted).toBe(ledgerBefore);

		// The question outlives n8n. Killed again in the middle of sending, it goes on afterwards.
		if (killing) {
			await d.isWaiting();
			await d.restart();
			const slow = sandbox.faults.add({
				kind: 'latency',
				delayMs: 1500,
				route: 'paymentLink.create',
			});
			await d.press('Send them');
			await until('the first links', async () =>
				sandbox.state.ledger.accepted > ledgerBefore ? true : undefined,
			);
			await d.restart();
			sandbox.faults.clear(slow.id);
			await d.strike('letters');
		} else {
			await d.press('Send them');
			await uploader.reads('8 payment links made');
			const download = uploader.page.waitForEvent('download', { timeout: 60_000 });
			await uploader.page.getByRole('link', { name: 'Download your sheet' }).click();
			const file = await readFile(await (await download).path());
			const given = await d.openXlsx(file);
			expect(given.map(({ Order, Amount }) => [Order, Amount])).toEqual(
				orders.map(({ Order, Amount }) => [Order, Amount]),
			);
		}
		await uploader.close();
		const result = await fetch(new URL(later!, `${d.host.url}/form-waiting/1`));
		const sheet = await d.openXlsx(Buffer.from(await result.arrayBuffer()));
		const links = linksOf(name);
		expect(sheet.map(({ Order, link }) => [Order, link])).toEqual(
			orders.map(({ Order }) => [Order, links.get(String(Order))]),
		);
		// Every order once, and nothing else.
		expect(sandbox.state.ledger.accepted - ledgerBefore).toBe(CUSTOMERS.length);

		let payments = 0;
		const acted = new Set<number>();
		/** A customer does what this customer does. */
		async function act(index: number): Promise<void> {
			const { does } = CUSTOMERS[index]!;
			if (does === 'nothing' || acted.has(index)) return;
			acted.add(index);
			const isLost = !killing && payments++ % 2 === 1;
			await d.pay(links.get(String(orders[index]!.Order))!, {
				...(does === 'fails' && { outcome: 'failed' }),
				...(does === 'pays a part' && { amount: PART }),
				...(isLost && { mobile: SILENT }),
			});
		}

		// Each customer gets their own link, once; n8n is killed while the fourth e-mail leaves.
		let interrupted: string | undefined;
		if (killing) {
			let count = 0;
			const held = new Promise<void>((resolve) => {
				mail.beforeConfirming = async ({ to }) => {
					if (++count < 4) return;
					interrupted = to;
					resolve();
					await new Promise(() => {});
				};
			});
			void d.strike('letters').catch(() => undefined);
			await held;
			mail.beforeConfirming = async () => {};
			// Those who have their link pay at once, so that callbacks are under way, too.
			for (const index of [0, 1, 2]) await act(index);
			await d.restart();
		}
		await d.strike('letters');
		await d.strike('letters');
		for (const index of orders.keys()) {
			const mails = await mail.arrived(addressOf(index));
			expect(mails.map(({ text }) => linkIn(text))).toEqual([
				links.get(String(orders[index]!.Order)),
			]);
		}
		if (interrupted) {
			const told = slack.posted('#payments').filter((text) => text.includes(interrupted!));
			expect(told).toEqual([expect.stringContaining('Nobody knows whether it did')]);
		}

		// They pay, or do not.
		for (const index of orders.keys()) await act(index);

		// Four days later, and at once again: those who have not paid are reminded, once.
		const at = new Date(Date.now() - 4 * 24 * 3600_000).toISOString();
		for (const { Order } of orders) await d.edit('letters', ['key', `link ${Order}`], { at });
		await d.strike('morning');
		await d.strike('morning');
		await d.strike('letters');
		await d.strike('letters');
		const reminded = orders
			.map((_, index) => mail.to(addressOf(index)))
			.map((mails) => mails.filter(({ subject }) => subject.includes('reminder')).length);
		expect(reminded).toEqual(CUSTOMERS.map(({ does }) => (does === 'nothing' ? 1 : 0)));

		// The close of day agrees with the service, to the cent.
		await d.strike('evening');
		const close = d.closes.at(-1);
		const created = sandbox.state.ledger.entries.slice(ledgerBefore);
		expect(close).toContain(`Sent: 8 links, ${money(created)}`);
		const made = successes().slice(0, successes().length - paidBefore);
		expect(made).toHaveLength(CUSTOMERS.filter(({ does }) => /pays/.test(does)).length);
		expect(close).toContain(`Paid: ${made.length} payments, ${money(made)}`);
		const due = [
			...sandbox.state.ledger.entries,
			...successes().map(({ currency, amount }) => ({ currency, amount: -amount })),
		];
		expect(close).toMatch(new RegExp(`Open: \\d+ orders, ${money(due).replaceAll('.', '\\.')}\n`));
		if (interrupted) expect(close).toContain('e-mail: in doubt');
		else expect(close).toContain('Everything adds up');
		expect(close).toContain(`${name}-2: part payment, 30.25 of 80.00 GHS`);
		expect(close).toMatch(new RegExp(`${name}-4: .*its payment failed: upload the row again`));

		// So does its sheet; receipts went to those who paid all of it, and to nobody else.
		const [report] = mail.to('accounts@example.com').slice(-1);
		const lines = await d.openXlsx(report!.files[0]!.content);
		const own = lines.filter(({ order }) => String(order).startsWith(`${name}-`));
		expect(money(own.map(({ currency, paid }) => ({ currency, amount: paid })))).toBe(money(made));
		expect(money(own)).toBe(money(created));
		const receipts = orders
			.map((_, index) => mail.to(addressOf(index)))
			.map((mails) => mails.filter(({ subject }) => subject.startsWith('Receipt')).length);
		expect(receipts).toEqual(CUSTOMERS.map(({ does }) => (does === 'pays' ? 1 : 0)));
		expect(slack.posted('#security')).toEqual([]);
	}

	/** The links of a story in the service, by order. */
	const linksOf = (name: string): Map<string, string> =>
		new Map(
			desk()
				.sandbox.state.links.map(({ order, link }): [string, string] => [
					order?.reference ?? '',
					link,
				])
				.filter(([order]) => order.startsWith(`${name}-`)),
		);

	/** Payments that were made, newest first. */
	const successes = () =>
		desk().sandbox.state.transactions.filter(({ state }) => state === 'success');

	/** Sums per currency, as the close of day writes them. */
	function money(list: ReadonlyArray<{ currency?: unknown; amount?: unknown }>): string {
		const sums = new Map<string, number>();
		for (const { currency, amount } of list) {
			const cents = Math.round(Number(amount) * 100);
			sums.set(String(currency), (sums.get(String(currency)) ?? 0) + cents);
		}
		const parts = [...sums].sort().filter(([, cents]) => cents !== 0);
		const written = (cents: number) =>
			(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 });
		return parts.map(([currency, cents]) => `${written(cents)} ${currency}`).join(', ');
	}

	// Three starts of n8n take their time on a busy machine.
	const TEN_MINUTES = 600_000;
	test.each([
		['with every second callback lost', 'A', 'rich', 'losing'],
		['with n8n killed in the middle', 'B', 'spec', 'killing'],
	] as const)(
		'from the upload to the close of day, %s',
		async (_, name, mode, trouble) => await story(name, mode, trouble),
		TEN_MINUTES,
	);
});
