import type { Execution } from '../engine/n8n.mts';
import type { Flow, OnDuplicate, Plan, SheetRow } from '../plan/plan.mts';
import { isAboutLinks } from '../plan/workflow.mts';
import type { Entry, Ledger, Transaction, TransactionState } from '../service/ledger.mts';
import type { Asked } from '../service/service.mts';
import { OWN_WORDS } from '../service/switches.mts';

/** A run of a workflow that the operator started. */
export interface Run {
	/** With the sheet as it was then. */
	flow: Flow;
	onDuplicate: OnDuplicate;
	/** Nothing goes wrong any longer. */
	isLast: boolean;
	/** Where it was approved before: the rows as they were then. */
	approved?: { fingerprint: string; rows: readonly SheetRow[] };
}

/** A callback of the service itself, as it was answered. */
export interface Delivery {
	transaction: Transaction;
	state: TransactionState;
	url: string;
	answers: Array<{ at: number; status: number; execution: Execution | undefined }>;
}

/** What a trigger gave out. */
export interface Emitted {
	ref: string;
	state: string;
	order: string | null;
	at: number;
	/** The workflow of the trigger. */
	workflow: string;
}

/** What an invariant found wrong. */
export interface Broken {
	invariant: string;
	what: string;
}

/** Everything that happened, for those who judge it. */
export interface Facts {
	plan: Plan;
	ledger: Ledger;
	/** By execution. */
	runs: ReadonlyMap<string, Run>;
	asked: readonly Asked[];
	deliveries: readonly Delivery[];
	emitted: readonly Emitted[];
	/** The same, with what came out of executions that run, or were killed later. */
	cameOut: readonly Emitted[];
	executions: readonly Execution[];
	kills: number;
	/** When the secret key was changed. */
	rotations: readonly number[];
	secrets: ReadonlySet<string>;
	/** What runs that remember said about payments: by workflow and tag, all outcomes until now. */
	told: ReadonlyMap<string, string[]>;
}

/** Compared as people see it. */
export const folded = (text: unknown): string =>
	String(text)
		.normalize('NFC')
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/gu, ' ')
		.trim();

/** The order of a payment, as the plan has it; null when it has none. */
export function orderOf({ plan }: Facts, tag: string): string | null {
	const [first = tag, nth] = tag.split('-try-');
	const row = plan.flows.flatMap(({ rows }) => rows).find((each) => each.tag === first);
	if (row === undefined || row.order === null) return null;
	return folded(nth === undefined ? row.order : `${row.order}-try-${nth}`);
}

/** What a row is a payment of, by what its workflow compares; and what is asked of whom. */
interface RowPayment {
	name: string;
	values: string;
}

/** Two rows with the same name are one payment, whatever their tags: so says the contract of the nodes. */
export function paymentOf(row: SheetRow, flow: Flow): RowPayment {
	const isLink = isAboutLinks(flow);
	const who = isLink ? [row.customer, row.item] : [];
	const values = JSON.stringify([
		row.phone.replace(/\D/g, '').slice(-9),
		...who,
		Number(String(row.amount).replaceAll(',', '')),
	]);
	const kind = isLink ? 'link' : 'collection';
	// The service is asked about a collection by its order as it was sent: it knows no other spelling.
	const asked = isLink ? values : `${values} ${row.order}`;
	if (flow.isKeyed && row.key !== null)
		return { name: `${kind} key ${folded(row.key)}`, values: asked };
	if (row.order !== null) return { name: `${kind} order ${folded(row.order)}`, values: asked };
	return { name: `${kind} ${values}`, values };
}

/** The same for a row of a run, by its tag, with the cells that it had then. */
export function paymentIn({ flow }: Run, tag: string): RowPayment | null {
	const row = flow.rows.find((each) => each.tag === tag);
	return row === undefined ? null : paymentOf(row, flow);
}

export function orderIn({ flow }: Run, tag: string): string | null {
	const order = flow.rows.find((each) => each.tag === tag)?.order ?? null;
	return order === null ? null : folded(order);
}

/** What the service took from a workflow for a row: the same payment, with the same values. */
export function takenFor({ ledger, runs }: Facts, run: Run, tag: string): Entry[] {
	const own = paymentIn(run, tag);
	return ledger.entries.filter((entry) => {
		const other = runs.get(entry.execution);
		if (other?.flow.id !== run.flow.id) return false;
		const payment = paymentIn(other, entry.tag);
		return own?.name === payment?.name && own?.values === payment?.values;
	});
}

/** Whether a success is called so in words that the credential lists; a failure also has its reason. */
export const knowsSuccess = ({ switches, isTaught }: Plan): boolean =>
	isTaught || switches.words.success !== OWN_WORDS.success;
