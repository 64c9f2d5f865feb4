import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { importDesk } from '../../../../dev/host/demo/desk.mts';
import type { DeskJob } from '../../../../dev/host/demo/desk.mts';
import { mailCredential } from '../../../../dev/host/demo/openDesk.mts';
import { sandboxCredential } from '../../../../dev/host/demo/sandboxCredential.mts';
import { startMail } from '../../../../dev/host/mail/index.mts';
import type { MailServer } from '../../../../dev/host/mail/index.mts';
import { EXPRESSIONS_ON_DEMAND, startHost } from '../../../../dev/host/n8n/index.mts';
import type {
	Execution,
	Host,
	NewWorkflow,
	SavedWorkflow,
} from '../../../../dev/host/n8n/index.mts';
import { call } from '../../../../dev/host/shared/http.mts';
import { freePort } from '../../../../dev/host/shared/port.mts';
import { until } from '../../../../dev/host/shared/until.mts';
import { startSlack, TOKEN } from '../../../../dev/host/slack/index.mts';
import type { Slack } from '../../../../dev/host/slack/index.mts';
import { startSandbox } from '../../../../dev/sandbox/index.mts';
import type { Sandbox } from '../../../../dev/sandbox/index.mts';
import { openPage } from '../../../helpers/browser.mts';
import { place, to, useForAll } from '../support.mts';
import { editTable, readTable } from './tables.mts';

const MINUTE = 60_000;

export type Table = 'rows' | 'payments' | 'letters';

/** Which workflow a clock of the desk belongs to, and what it is called there. */
const CLOCKS = {
	letters: ['links', 'Every five minutes'],
	morning: ['payments', 'Every morning'],
	evening: ['payments', 'Every evening'],
} as const satisfies Record<string, readonly [DeskJob, string]>;

/** The payment desk on a real n8n, with stand-ins for everybody it talks to. */
export class Desk {
	host!: Host;
	workflows!: Record<DeskJob, SavedWorkflow>;
	private spreadsheets!: string;

	private constructor(
		readonly sandbox: Sandbox,
		readonly slack: Slack,
		readonly mail: MailServer,
		private readonly folder: string,
		private readonly port: number,
		private readonly env: Record<string, string>,
	) {}

	static async start(env: Record<string, string> = {}): Promise<Desk> {
		const sandbox = await startSandbox({ callbackRetry: { attempts: 6, firstDelayMs: 200 } });
		const folder = await mkdtemp(join(tmpdir(), 'unified-payments-desk-'));
		const [slack, mail] = [await startSlack(), await startMail()];
		const desk = new Desk(sandbox, slack, mail, folder, await freePort(), env);
		try {
			await desk.startN8n();
			await desk.import();
			return desk;
		} catch (error) {
			await desk.stop();
			throw error;
		}
	}

	private async startN8n(): Promise<void> {
		this.host = await startHost({
			data: this.folder,
			port: this.port,
			env: { ...EXPRESSIONS_ON_DEMAND, ...this.slack.env, ...this.env },
		});
	}

	/** Imports the workflows, chooses credentials, and publishes. */
	private async import(): Promise<void> {
		const { client, url } = this.host;
		const credentials = [
			await client.createCredential(
				'Sandbox',
				'unifiedPaymentsApi',
				sandboxCredential(this.sandbox),
			),
			await client.createCredential('Slack', 'slackApi', { accessToken: TOKEN }),
			await client.createCredential('Mail', 'smtp', mailCredential(this.mail)),
		];
		this.workflows = await importDesk({
			url,
			credentials,
			createWorkflow: async (workflow) => await client.createWorkflow(workflow),
			change: withoutWaiting,
		});
		for (const workflow of Object.values(this.workflows)) await client.publish(workflow);
		this.spreadsheets = await this.startSpreadsheets();
		await until('the form', async () =>
			(await call(this.formUrl)).status === 200 ? true : undefined,
		);
		// What needs a table makes it: here, who downloads the empty sheet first of all.
		await call(`${url}/webhook/payment-desk-sheet`);
	}

	get formUrl(): string {
		return `${this.host.url}/form/payment-desk`;
	}

	/** Ends n8n as `kill -9` does, and starts it again. */
	async restart(): Promise<void> {
		await this.host.kill();
		await this.startN8n();
		await until('the form', async () =>
			(await call(this.formUrl)).status === 200 ? true : undefined,
		);
	}

	async stop(): Promise<void> {
		await this.host?.stop();
		await this.mail.close();
		await this.slack.close();
		await this.sandbox.close();
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	/** What happens when a clock strikes. */
	async strike(clock: keyof typeof CLOCKS): Promise<Execution> {
		const [job, node] = CLOCKS[clock];
		const execution = await this.host.client.run(this.workflows[job], node);
		if (execution.failure) throw new Error(`${clock}: ${execution.failure.message}`);
		return execution;
	}

	/** Resolves when n8n has stored that the form and the question both wait. */
	async isWaiting(): Promise<void> {
		await until('the form and the question to wait', async () => {
			const runs = await this.host.client.executions(this.workflows.links);
			const isWaiting = (mode: string) =>
				runs.filter((run) => run.mode === mode).at(-1)?.status === 'waiting';
			return isWaiting('webhook') && isWaiting('integrated') ? true : undefined;
		});
	}

	/** What somebody who opens a table of the desk sees. */
	async table(table: Table): Promise<IDataObject[]> {
		return await readTable(this.host, `Payment desk: ${table}`);
	}

	/** Changes cells of a table, as a person does. */
	async edit(table: Table, row: [string, string], cells: IDataObject): Promise<void> {
		await editTable(this.host, `Payment desk: ${table}`, row, cells);
	}

	/** A workflow that makes and opens Excel files, in place of a spreadsheet program. */
	private async startSpreadsheets(): Promise<string> {
		const webhook = (name: string, path: string, parameters: INodeParameters) => ({
			...place(name, 'n8n-nodes-base.webhook', {
				httpMethod: 'POST',
				path,
				responseMode: 'lastNode',
				...parameters,
			}),
			typeVersion: 2,
			webhookId: path,
		});
		const file = (name: string, type: string) => ({
			...place(name, `n8n-nodes-base.${type}`, {
				operation: 'xlsx',
				binaryPropertyName: 'data',
				options: {},
			}),
			typeVersion: 1.1,
		});
		const { client, url } = this.host;
		const workflow = await client.createWorkflow({
			name: 'Spreadsheets',
			nodes: [
				webhook('Rows', 'spreadsheets-make', { responseData: 'firstEntryBinary', options: {} }),
				place('Each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body', options: {} }),
				file('Make', 'convertToFile'),
				webhook('File', 'spreadsheets-open', {
					responseData: 'allEntries',
					options: { binaryPropertyName: 'data' },
				}),
				file('Open', 'extractFromFile'),
			],
			connections: {
				Rows: { main: [to('Each')] },
				Each: { main: [to('Make')] },
				File: { main: [to('Open')] },
			},
		});
		await client.publish(workflow);
		return `${url}/webhook/spreadsheets`;
	}

	async makeXlsx(rows: IDataObject[]): Promise<Buffer> {
		const reply = await fetch(`${this.spreadsheets}-make`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(rows),
		});
		return Buffer.from(await reply.arrayBuffer());
	}

	async openXlsx(content: Buffer): Promise<IDataObject[]> {
		const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
		const reply = await fetch(`${this.spreadsheets}-open`, {
			method: 'POST',
			headers: { 'Content-Type': type },
			body: new Uint8Array(content),
		});
		return (await reply.json()) as IDataObject[];
	}

	/** Somebody fills in the form, without a browser; gives the page that follows. */
	async submit({ name, content }: SheetFile): Promise<FormPage> {
		const body = new FormData();
		body.append('field-0', new Blob([new Uint8Array(content)]), name);
		body.append('field-1', 'Amina');
		const reply = await fetch(this.formUrl, { method: 'POST', body });
		const { formWaitingUrl } = (await reply.json()) as { formWaitingUrl: string };
		return await this.pageAt(formWaitingUrl);
	}

	/** The page that a form shows next, as soon as there is one. */
	private async pageAt(url: string): Promise<FormPage> {
		const status = new URL(url);
		status.pathname += '/n8n-execution-status';
		await until('the next page of the form', async () => {
			const { text } = await call(status.href);
			if (['error', 'crashed', 'success'].includes(text))
				throw new Error(`The form ended: ${text}`);
			return text === 'form-waiting' ? true : undefined;
		});
		const html = (await call(url)).text;
		const words = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
		return {
			text: words
				.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
				.replace(/\s+/g, ' '),
			press: async () => void (await fetch(url, { method: 'POST', body: new FormData() })),
			next: async () => await this.pageAt(url),
		};
	}

	/** Uploads a sheet and asks for approval; gives the page that waits for it. */
	async ask(file: SheetFile): Promise<FormPage> {
		const before = this.slack.posted('#approvals').length;
		const page = await this.submit(file);
		await page.press();
		await this.slack.messages('#approvals', before + 1);
		return page;
	}

	/** Uploads a sheet, and has it approved; gives the last page. */
	async send(file: SheetFile): Promise<FormPage> {
		const page = await this.ask(file);
		await this.press('Send them');
		return await page.next();
	}

	/** The e-mails to customers that the desk knows of, by what they are about. */
	async letters(...keys: string[]): Promise<IDataObject[]> {
		const letters = await this.table('letters');
		return keys.map((key) => letters.find((letter) => letter.key === key) ?? {});
	}

	/** What the team read at every close of day. */
	get closes(): string[] {
		return this.slack.posted('#payments').filter((text) => text.includes('Close of day'));
	}

	/** The rows of some orders, by order. */
	async rowsOf(...orders: string[]): Promise<IDataObject[]> {
		const rows = await this.table('rows');
		return orders.map(
			(order) =>
				rows.filter((row) => row.order === order && row.outcome !== 'left out').at(-1) ?? {},
		);
	}

	/** The approver presses a button of the newest question. */
	async press(label: string): Promise<void> {
		const { url } = await until(`a button "${label}"`, async () =>
			this.slack.buttons('#approvals').find((each) => each.label === label),
		);
		await this.open(url);
	}

	/** As a person's browser does; n8n takes others for previews. */
	async open(url: string): Promise<void> {
		const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' };
		await until('the answer to be taken', async () =>
			(await call(url, { headers })).status === 200 ? true : undefined,
		);
	}

	/** The customer follows the link of an e-mail and pays. */
	async pay(link: string, payment: IDataObject = {}): Promise<void> {
		const reference = link.split('/').at(-1);
		const { status } = await call(`${this.sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome: 'success', ...payment },
		});
		if (status !== 200) throw new Error(`The link ${link} cannot be paid: ${status}`);
	}
}

/** Whoever was interrupted is looked for at once, instead of when no run can still be going on. */
function withoutWaiting(workflow: NewWorkflow): NewWorkflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.name !== 'Settings') return node;
		const text = JSON.stringify(node.parameters).replace(
			/("name":"minutes","value":)"\d+"/,
			'$1"0"',
		);
		return { ...node, parameters: JSON.parse(text) as INodeParameters };
	});
	return { ...workflow, nodes };
}

/** One desk for all tests of a file; `env` are settings of its n8n. */
export const useDesk = (env?: Record<string, string>): (() => Desk) =>
	useForAll(async () => await Desk.start(env));

interface SheetFile {
	name: string;
	content: Buffer;
}

/** A page of the form. */
interface FormPage {
	/** What it says. */
	text: string;
	/** Presses its button. */
	press: () => Promise<void>;
	/** The page after it. */
	next: () => Promise<FormPage>;
}

/** A sheet as people save it from a spreadsheet program. */
export function csv(rows: IDataObject[], name = 'orders.csv'): SheetFile {
	const headings = Object.keys(rows[0]!);
	const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
	const lines = rows.map((row) => headings.map((heading) => cell(row[heading])).join(','));
	return { name, content: Buffer.from([headings.join(','), ...lines].join('\r\n')) };
}

/** A row of a sheet; everything but the order can be had from anywhere. */
export const orderRow = (Order: string, more: IDataObject = {}): IDataObject => ({
	Order,
	'First Name': 'Amina',
	Email: `${Order.toLowerCase()}@example.com`,
	Phone: '0712 345678',
	Country: 'Kenya',
	Amount: '1,250.50',
	Business: 'Savanna Coffee',
	Item: 'Coffee beans',
	...more,
});

/** Somebody without an account, in front of the form. */
export class Uploader {
	private constructor(readonly page: Page) {}

	static async open(browser: Browser, desk: Desk): Promise<Uploader> {
		const { page } = await openPage(browser, desk.formUrl);
		return new Uploader(page);
	}

	async upload({ name, content }: SheetFile): Promise<void> {
		const mimeType = name.endsWith('.csv')
			? 'text/csv'
			: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
		await this.page.setInputFiles('input[type=file]', { name, mimeType, buffer: content });
		await this.page.fill('input[type=text]', 'Amina');
		await this.page.click('#submit-btn');
	}

	/** Waits until the page says this, and gives all it says. */
	async reads(words: string): Promise<string> {
		await this.page.getByText(words).first().waitFor({ timeout: MINUTE });
		return await this.page.innerText('body');
	}

	async askForApproval(): Promise<void> {
		await this.page.getByRole('button', { name: 'Ask for approval' }).click();
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}
}
