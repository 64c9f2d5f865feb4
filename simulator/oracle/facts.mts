import type { Execution } from '../engine/n8n.mts';
import type { Flow, OnDuplicate, Plan } from '../plan/plan.mts';
import type { Ledger, Transaction, TransactionState } from '../service/ledger.mts';
import type { Asked } from '../service/service.mts';

/** A run of a workflow that the operator started. */
export interface Run {
	/** With the sheet as it was then. */
	flow: Flow;
	onDuplicate: OnDuplicate;
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
	executions: readonly Execution[];
	kills: number;
	secrets: ReadonlySet<string>;
	/** What was told about payments: by tag, all outcomes until now. */
	told: Map<string, string[]>;
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
	const row = plan.flows.flatMap(({ rows }) => rows).find((each) => each.tag === tag);
	return row?.order === null || row === undefined ? null : folded(row.order);
}
