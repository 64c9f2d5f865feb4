import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../engine/n8n.mts';
import type { Mail } from '../engine/nodes/mail.mts';
import type { Question } from '../engine/nodes/people.mts';
import { fileOf } from '../engine/nodes/sheets.mts';
import { deskRows, type Run, type Uploaded } from '../oracle/facts.mts';
import { judgeSheet } from '../oracle/desk.mts';
import { deskCells, deskLinks, deskPayments, DESK_TABLES } from '../plan/desk.mts';
import type { Flow, SheetRow, Upload } from '../plan/plan.mts';
import { REDIRECT } from '../service/ledger.mts';
import type { World } from './world.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Nine in the morning and six in the evening in Nairobi. */
const CLOCKS = [
	['Every morning', 6 * 60 * MINUTE],
	['Every evening', 15 * 60 * MINUTE],
] as const;
const FAULTS = {
	down: 'connect ECONNREFUSED 192.0.2.1:25',
	refused: '550 5.1.1 There is no such mailbox',
	doubt: 'Connection closed unexpectedly',
};

/** The payment desk: those who upload and approve, and the clocks of its workflows. */
export class DeskPeople {
	readonly uploads = new Map<string, Uploaded>();
	readonly links = deskLinks();
	readonly payments = deskPayments();
	/** By execution. */
	private readonly uploadOf = new Map<string, Uploaded>();
	private letters = 0;
	private answers = 0;
	private lastEvening = '';

	constructor(private readonly world: World) {}

	/** Its clocks strike from now on. */
	start(): void {
		if (this.world.plan.desk === null) return;
		const { clock } = this.world;
		const every = (ms: number, first: number, run: () => void) => {
			const at = (time: number): void => clock.at(time, () => (run(), at(time + ms)));
			at(first);
		};
		const today = Math.floor(clock.now() / DAY) * DAY;
		every(5 * MINUTE, clock.now() + 5 * MINUTE, () => this.everyFiveMinutes());
		for (const [name, time] of CLOCKS) {
			const first = today + time;
			every(DAY, first > clock.now() ? first : first + DAY, () => {
				if (this.isWorthwhile(name)) this.strike('payments', name);
			});
		}
	}

	/** A close of day after which nothing has happened is like the last one. */
	private isWorthwhile(name: string): boolean {
		const { tables, ledger, mails } = this.world;
		if (deskRows(tables).length === 0) return false;
		const counts = [tables.rowsOf(DESK_TABLES.rows), ledger.transactions, mails, this.answers];
		const now = counts.map((each) => (typeof each === 'number' ? each : each.length)).join();
		const isNew = name === 'Every morning' || now !== this.lastEvening;
		if (name === 'Every evening') this.lastEvening = now;
		return isNew;
	}

	/** What it would only look at in vain is left out; rows that are looked up again and again are, once an hour. */
	private everyFiveMinutes(): void {
		const { tables, clock } = this.world;
		const isWaiting = tables
			.rowsOf(DESK_TABLES.letters)
			.some(({ state }) => !state || String(state).startsWith('sending'));
		const isHour = clock.now() % (60 * MINUTE) === 0;
		const isUnfinished = tables
			.rowsOf(DESK_TABLES.rows)
			.some(({ approval, outcome }) => approval === 'approved' && (isHour || !outcome));
		if (isWaiting || isUnfinished) this.strike('links', 'Every five minutes');
	}

	private strike(workflow: 'links' | 'payments', start: string): void {
		const { n8n, clock } = this.world;
		if (!n8n.isUp) return;
		const timestamp = new Date(clock.now()).toISOString();
		void n8n.run(this[workflow], [{ json: { timestamp } }], { start });
	}

	upload(upload: Upload): void {
		const { n8n, story } = this.world;
		if (!n8n.isUp) return story.say(`n8n is down, and ${upload.id} is not uploaded.`);
		const rows = upload.rows.map(({ tag, order }) => `${tag} (${order})`).join(', ');
		story.say(`Somebody uploads ${upload.id}: ${rows}.`);
		this.kill(upload, 'upload');
		const uploaded: Uploaded = { upload, isApproved: false, isChanged: false };
		this.uploads.set(upload.id, uploaded);
		this.uploadOf.set(String(n8n.executions.length + 1), uploaded);
		const filename = `orders.${upload.isCsv ? 'csv' : 'xlsx'}`;
		const cells = upload.rows.map((row) => deskCells(row, upload));
		const json = { Sheet: [{ filename }], 'Your name': 'Amina', formMode: 'production' };
		const item = { json, binary: { Sheet: fileOf(filename, cells) } };
		void n8n.run(this.links, [item], { start: 'Upload a sheet' });
	}

	private kill({ kill }: Upload, at: 'upload' | 'ask' | 'answer'): void {
		if (kill?.at === at) this.world.n8n.killAfter(kill.after);
	}

	/** Whoever is asked answers after a while, or never. */
	onQuestion({ kind, execution: id, url }: Question): void {
		const { clock, story, executions } = this.world;
		const execution = executions.find((each) => each.id === id);
		const uploaded = this.uploadOf.get(execution?.parent?.id ?? id);
		if (uploaded === undefined) return;
		const { upload } = uploaded;
		if (kind === 'form') {
			if (upload.pressAfter === null) return;
			clock.at(clock.now() + upload.pressAfter * MINUTE, () => {
				story.say(`The approval of ${upload.id} is asked for.`);
				this.kill(upload, 'ask');
				void this.answer(url);
			});
			return;
		}
		if (upload.answerAfter === null) return;
		clock.at(clock.now() + upload.answerAfter * MINUTE, () => void this.decide(uploaded, url));
	}

	private async decide(uploaded: Uploaded, url: string): Promise<void> {
		const { story } = this.world;
		const { id, isApproved, change } = uploaded.upload;
		if (change !== null) this.writeInto(uploaded, change);
		story.say(`${id} is ${isApproved ? 'approved' : 'declined'}.`);
		this.kill(uploaded.upload, 'answer');
		// It may be sent before the one who pressed reads that it was heard.
		uploaded.isApproved ||= isApproved;
		this.answers++;
		const status = await this.answer(`${url}&approved=${String(isApproved)}`);
		if (status !== 200) story.say(`The answer about ${id} is not heard (${status}).`);
	}

	private writeInto(uploaded: Uploaded, { tag, amount }: { tag: string; amount: number }): void {
		const row = deskRows(this.world.tables).find(
			({ redirectionUrl }) => redirectionUrl === REDIRECT + tag,
		);
		if (row === undefined) return;
		uploaded.isChanged = true;
		Object.assign(row, { amount, updatedAt: new Date(this.world.clock.now()).toISOString() });
		this.world.story.say(`Somebody writes ${amount} for ${tag} into the table.`);
	}

	private async answer(url: string): Promise<number> {
		return (await this.world.webhooks.call({ url, body: '{}' })).status;
	}

	async download(id: string): Promise<void> {
		const { n8n, tables, story } = this.world;
		const uploaded = this.uploads.get(id);
		const tags = uploaded?.upload.rows.map(({ tag }) => REDIRECT + tag) ?? [];
		const row = deskRows(tables).find(({ redirectionUrl }) =>
			tags.includes(String(redirectionUrl)),
		);
		if (row === undefined || !n8n.isUp) return;
		const json = { query: { batch: row.batch } } as IDataObject;
		const { result } = await n8n.run(this.links, [{ json }], { start: 'A sheet wanted' });
		const sheet = result?.json('As a sheet') ?? [];
		story.say(`The sheet of ${id} is downloaded: ${sheet.length} rows.`);
		this.world.note(judgeSheet(this.world, sheet));
	}

	/** What the mail server says to the desk; throws when it does not take an e-mail. */
	onMail({ to }: Mail, deliver: () => void): void {
		const { plan, story } = this.world;
		const nth = ++this.letters;
		const kind = plan.desk?.mails.find((each) => each.nth === nth)?.kind;
		if (kind === undefined || kind === 'doubt') deliver();
		if (kind === undefined) return;
		story.say(`The mail server about the e-mail to ${to}: ${FAULTS[kind]}.`);
		throw new Error(FAULTS[kind]);
	}

	/** The rows as they are in the table now, for those who judge what is sent. */
	runOf({ start }: Execution): Run {
		const rows = deskRows(this.world.tables).map((row): SheetRow => ({
			tag: String(row.redirectionUrl).slice(REDIRECT.length),
			order: String(row.order),
			customer: String(row.firstName),
			amount: Number(row.amount),
			item: String(row.item),
			phone: String(row.phone),
			key: null,
		}));
		const onDuplicate = start === 'Every five minutes' ? 'sendUnanswered' : 'skip';
		return { flow: { ...FLOW, rows }, onDuplicate };
	}

	/** What became of the rows, as an execution says. */
	onChange({ id, result, workflow, start }: Execution): void {
		const { story, told } = this.world;
		const failure = result?.failure?.message;
		if (failure !== undefined) story.say(`Execution ${id} of ${workflow.id} ends: ${failure}`);
		for (const { title } of result?.json('The end') ?? []) {
			story.say(`The page of execution ${id} says: ${String(title)}.`);
		}
		if (workflow.id !== 'desk-links' || start === 'Upload a sheet') return;
		for (const { redirectionUrl, order, outcome, link } of result?.json('Keep the results') ?? []) {
			const tag = String(redirectionUrl).slice(REDIRECT.length);
			story.say(`The desk says of ${tag} (${String(order)}): ${String(outcome)}, ${String(link)}.`);
			const key = `desk-links ${tag}`;
			told.set(key, [...(told.get(key) ?? []), String(outcome)]);
		}
	}
}

const FLOW: Flow = {
	id: 'desk-links',
	kind: 'links',
	mode: 'columns',
	callback: 'trigger',
	onError: 'continueRegularOutput',
	retryOnFail: false,
	isKeyed: false,
	concurrency: 5,
	guard: null,
	waitMinutes: 0,
	rows: [],
};
