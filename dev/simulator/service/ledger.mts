import type { Transaction as SandboxTransaction } from '../../sandbox/model.mts';

/** What the service has really taken, and what became of it. The nodes never see this: it is the truth. */
export interface Entry {
	kind: 'link' | 'collection';
	/** The service's own name for it. */
	reference: string;
	link: string | null;
	/** As sent. */
	params: Readonly<Record<string, unknown>>;
	/** The payment of the plan that it is for, by a field that the nodes only pass on. */
	tag: string;
	amount: number;
	currency: string;
	/** What is kept of the callback URL. */
	callbackUrl: string | null;
	at: number;
	execution: string;
	transactions: Transaction[];
}

export type TransactionState = 'pending' | 'success' | 'failed';

export interface Transaction {
	ref: string;
	entry: Entry;
	amount: number;
	/** The newest last, each with the service's record as it was then. */
	history: Array<{ at: number; state: TransactionState; record: SandboxTransaction }>;
}

export const stateOf = ({ history }: Transaction): TransactionState =>
	history.at(-1)?.state ?? 'pending';

/** As somebody who is so much behind sees it; null when it is not there yet. */
export const recordAt = ({ history }: Transaction, time: number): SandboxTransaction | null =>
	history.filter(({ at }) => at <= time).at(-1)?.record ?? null;

/** Whether its address was kept as it was sent, so that its mark is whole. */
export const isWhole = ({ callbackUrl, params }: Entry): boolean =>
	callbackUrl !== null && callbackUrl === params.callback_url;

export class Ledger {
	readonly entries: Entry[] = [];

	add(entry: Entry): void {
		this.entries.push(entry);
	}

	of(tag: string): Entry[] {
		return this.entries.filter((each) => each.tag === tag);
	}

	get transactions(): Transaction[] {
		return this.entries.flatMap(({ transactions }) => transactions);
	}

	transaction(ref: string): Transaction | undefined {
		for (const { transactions } of this.entries) {
			const found = transactions.find((each) => each.ref === ref);
			if (found !== undefined) return found;
		}
		return undefined;
	}
}

/** Where a create carries the tag of its payment. */
export const REDIRECT = 'https://shop.example/thanks/';

export function tagIn(params: Readonly<Record<string, unknown>>): string {
	const { redirection_url: redirect, third_party_reference_2: own } = params;
	if (typeof own === 'string') return own;
	return typeof redirect === 'string' ? redirect.slice(REDIRECT.length) : '';
}
