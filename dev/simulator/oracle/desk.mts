import type { Mail } from '../engine/nodes/mail.mts';
import type { TableRow } from '../engine/tables.mts';
import { DESK_TABLES, emailOf } from '../plan/desk.mts';
import { REDIRECT, type Entry } from '../service/ledger.mts';
import { deskOrderOf, deskRows, folded, orderIn, type Broken, type Facts } from './facts.mts';

const broken = (invariant: string, what: string): Broken[] => [{ invariant, what }];
const isOfDesk = (workflow: string): boolean => workflow.startsWith('desk-');
const tagOf = ({ redirectionUrl }: TableRow): string =>
	String(redirectionUrl ?? '').slice(REDIRECT.length);
/** What an order was called first. */
const nameOf = ({ order, instead }: TableRow): unknown => instead || order;
const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

/** What a workflow has sent for an order; the two of the desk are one. */
export function sentFor({ ledger, runs, tables }: Facts, workflow: string, order: unknown) {
	return ledger.entries.filter(({ execution, tag }) => {
		const run = runs.get(execution);
		if (run === undefined) return false;
		if (isOfDesk(run.flow.id))
			return isOfDesk(workflow) && deskOrderOf(tables, tag) === folded(order);
		return run.flow.id === workflow && orderIn(run, tag) === folded(order);
	});
}

/** Whether all of an order was paid, by what belongs to it or came out of the trigger for it. */
export function isPaidFor(facts: Facts, workflow: string, order: unknown): boolean {
	const entries = sentFor(facts, workflow, order);
	const isSame = (other: string) => other === workflow || (isOfDesk(other) && isOfDesk(workflow));
	const told = facts.cameOut.filter(
		(each) => isSame(each.workflow) && each.order !== null && folded(each.order) === folded(order),
	);
	const paid = facts.ledger.transactions.filter(
		({ ref, entry, history }) =>
			history.some(({ state }) => state === 'success') &&
			(entries.includes(entry) ||
				told.some((each) => each.ref === ref && each.state === 'success')),
	);
	const sum = paid.reduce((all, { amount }) => all + cents(amount), 0);
	const asked = [...entries, ...paid.map(({ entry }) => entry)].map(({ amount }) => cents(amount));
	return paid.length > 0 && sum >= Math.min(...asked);
}

/** Judged when the service takes something of the desk: it was approved, and is sent as it was uploaded. */
export function judgeApproved({ uploads }: Facts, { tag, params }: Entry): Broken[] {
	for (const { upload, isApproved, isChanged } of uploads.values()) {
		const row = upload.rows.find((each) => each.tag === tag);
		if (row === undefined) continue;
		if (!isApproved) return broken('only what was approved is sent', `${tag} was sent`);
		const isSame =
			cents(String(row.amount).replaceAll(',', '')) === cents(params.amount) &&
			emailOf(row) === (params.email ?? '') &&
			row.item === params.item_name;
		if (isSame && !isChanged) return [];
		return broken('an approval holds', `${tag} was approved with other cells`);
	}
	return [];
}

const LINK = /https:\/\/pay\.service\.example\/\w+/g;
const KINDS = { link: /: please pay .+ for order (.+)$/, receipt: /^Receipt for order (.+)$/ };

/** Judged when the desk sends an e-mail, besides whose link it is. */
export function judgeLetter(facts: Facts, { to, subject, text }: Mail): Broken[] {
	const isReminder = / a friendly reminder$/.test(subject);
	const again = facts.mails.filter(({ mail }) => mail.subject === subject && mail.to === to);
	if (isReminder) {
		const known = again.flatMap(({ mail }) => mail.text.match(LINK) ?? []);
		const links = text.match(LINK) ?? [];
		const twice = links.find((link) => known.includes(link));
		if (twice !== undefined) return broken('a reminder is sent once', `${to} has ${twice} again`);
		return links.flatMap((link) => judgeReminder(facts, to, link));
	}
	const link = KINDS.link.exec(subject)?.[1];
	const receipt = KINDS.receipt.exec(subject)?.[1];
	const order = link ?? receipt;
	if (order === undefined) return [];
	const before = facts.mails.find(
		({ mail }) =>
			(link === undefined ? KINDS.receipt : KINDS.link).exec(mail.subject)?.[1] === order,
	);
	if (before !== undefined)
		return broken('an order has one e-mail', `${to}: ${subject}, after ${before.mail.to}`);
	if (receipt === undefined) return [];
	const own = sentFor(facts, 'desk-links', order);
	if (!own.some(({ params }) => params.email === to))
		return broken('a receipt is for what the desk has sent', `${to} has one for ${order}`);
	return isPaidFor(facts, 'desk-links', order)
		? []
		: broken('a receipt is for what was paid', `${to} has one for ${order}`);
}

/** Nobody is reminded who had paid before the service was asked, where it shows that, or whose payment had come out. */
function judgeReminder(facts: Facts, to: string, link: string): Broken[] {
	const { ledger, plan, emitted, tables } = facts;
	const entry = ledger.entries.find((each) => each.link === link);
	if (entry === undefined) return [];
	const letters = tables.rowsOf(DESK_TABLES.letters);
	const letter = letters.filter((each) => each.kind === 'reminder' && each.to === to).at(-1);
	const asked = Date.parse(String(letter?.createdAt)) - plan.switches.statusLag * 1000 - 60_000;
	const rows = deskRows(tables);
	const row = rows.find((each) => tagOf(each) === entry.tag);
	const paidAsAnother = rows.find(
		(each) =>
			each.state === 'paid' && row !== undefined && nameOf(each) === nameOf(row) && each !== row,
	);
	if (paidAsAnother !== undefined && Date.parse(String(paidAsAnother.updatedAt)) < asked)
		return broken('nobody is reminded who has paid', `${to} has paid ${tagOf(paidAsAnother)}`);
	const early = entry.transactions.filter(
		({ amount, history }) =>
			amount >= entry.amount && history.some(({ state, at }) => state === 'success' && at < asked),
	);
	const isShown = plan.switches.tries === 'sameReference';
	const order = deskOrderOf(tables, entry.tag);
	const cameOut = (ref: string) =>
		emitted.some(
			(each) =>
				each.ref === ref &&
				each.state === 'success' &&
				folded(each.order) === order &&
				each.at < asked,
		);
	const [paid] = early.filter(({ ref }) => isShown || cameOut(ref));
	return paid === undefined
		? []
		: broken('nobody is reminded who has paid', `${to} is reminded of ${entry.tag}`);
}

const PAID = /^:white_check_mark: Order \*(.+)\*: paid, /;

/** Judged when a message comes to a channel: an order that is called paid there is paid. */
export function judgePaidMessage(facts: Facts, text: string, workflow: string): Broken[] {
	const order = PAID.exec(text)?.[1];
	if (order === undefined) return [];
	if (!isPaidFor(facts, workflow, order))
		return broken('what is called paid was paid', `order ${order} is called so in Slack`);
	const isOwn = !/\nNo row of /.test(text);
	if (isOfDesk(workflow) && isOwn && sentFor(facts, workflow, order).length === 0)
		return broken('what is told as its own was sent', `order ${order} was never sent`);
	return [];
}

/** Judged after each execution: a row that is marked as paid is paid. */
export function judgeMarks(facts: Facts): Broken[] {
	const { tables, plan } = facts;
	const marked = (workflow: string, rows: readonly TableRow[]) =>
		rows
			.filter(({ state, order }) => state === 'paid' && !isPaidFor(facts, workflow, order))
			.flatMap(({ order }) =>
				broken('what is marked as paid is paid', `order ${String(order)} of ${workflow} is not`),
			);
	const files = plan.flows.filter(({ file }) => file === 'paid-and-marked-in-the-sheet');
	return [
		...marked('desk-links', deskRows(tables)),
		...files.flatMap(({ id }) => marked(id, tables.rowsOf('Payment link orders'))),
	];
}

/** Judged at the end: what the tables say against what the service has. */
export function judgeDesk(facts: Facts): Broken[] {
	const { tables, ledger } = facts;
	return deskRows(tables).flatMap((row) => {
		const { approval, outcome, link, order } = row;
		const name = `${tagOf(row)} (${String(order)})`;
		const own = sentFor(facts, 'desk-links', order);
		// What was said about an earlier try, nobody knew.
		const last = facts.asked.filter(
			({ endpoint, tag }) => endpoint === 'create' && tag === tagOf(row),
		);
		const taken = ledger
			.of(tagOf(row))
			.filter(({ execution }) => execution === last.at(-1)?.execution);
		if (approval === 'approved' && !outcome)
			return broken('what was approved has an outcome', `${name} has none`);
		if (['rejected', 'not_sent'].includes(String(outcome)) && taken.length > 0)
			return broken('nothing taken is told as refused', `${name} is ${String(outcome)}`);
		if (outcome === 'accepted' && own.length === 0)
			return broken('accepted is what the service has', `${name} is not there`);
		if (link && !own.some((entry) => entry.link === link))
			return broken('a link is that of its row', `${name} has ${String(link)}`);
		return judgeUnmarked(facts, row, name);
	});
}

/** What the desk knows as paid is marked, at the latest after the next morning or evening. */
function judgeUnmarked({ tables, plan }: Facts, row: TableRow, name: string): Broken[] {
	const { records, callbackUrls, numbers } = plan.switches;
	const isProven = records === 'callbackUrl' && callbackUrls === 'whole' && numbers === 'plain';
	if (row.state === 'paid' || !row.link || !isProven) return [];
	const payments = tables.rowsOf(DESK_TABLES.payments);
	const paid = payments
		.filter(({ order, state }) => order === row.order && state === 'success')
		.reduce((sum, { amount }) => sum + cents(amount), 0);
	const asked = Math.min(cents(row.amount));
	return paid < asked ? [] : broken('what is known as paid is marked', `${name} is not`);
}

/** Judged when a sheet is downloaded: each row has its own link. */
export function judgeSheet(facts: Facts, rows: readonly Record<string, unknown>[]): Broken[] {
	return rows.flatMap(({ Redirect, link }) => {
		const tag = String(Redirect ?? '').slice(REDIRECT.length);
		if (!link) return [];
		const own = sentFor(facts, 'desk-links', deskOrderOf(facts.tables, tag));
		if (own.some((entry) => entry.link === link)) return [];
		return broken('a link is that of its row', `the sheet has ${String(link)} for ${tag}`);
	});
}
