import { randomBytes } from 'node:crypto';
import type { Integration } from '../integrations.mts';
import type { Callback, PaymentLink, Transaction } from '../model.mts';
import { Ledger } from './ledger.mts';
import type { Keep, Kept, KeptEntry } from './journal.mts';
import { Logos } from './logos.mts';
import { Wallets } from './wallets.mts';

/** Everything the sandbox remembers. `reset` brings it back to the start. */
export class Store {
	readonly links = new Map<string, PaymentLink>();
	readonly transactions = new Map<string, Transaction>();
	readonly callbacks = new Map<string, Callback>();
	/** Token → integration id. */
	readonly tokens = new Map<string, string>();
	readonly ledger: Ledger;
	readonly logos: Logos;
	readonly wallets: Wallets;
	private run = newRun();
	private counter = 0;

	constructor(
		integrations: readonly Integration[],
		private readonly keep: Keep | null = null,
	) {
		this.ledger = new Ledger(keep);
		this.logos = new Logos(keep);
		this.wallets = new Wallets(integrations);
	}

	/** Never repeats, not even after a restart, because a receiver that remembers references would skip the new one. */
	nextReference(prefix: 'PL' | 'CO' | 'PO' | 'CB'): string {
		return `${prefix}-${this.run}-${String(++this.counter).padStart(6, '0')}`;
	}

	addToken(token: string, integration: string): void {
		this.tokens.set(token, integration);
		this.keep?.('token', { token, integration });
	}

	restore(entries: Iterable<KeptEntry>): void {
		for (const [kind, record] of entries) this.restorers[kind](record as never);
	}

	/** Everything that is kept over a restart. */
	*entries(): Iterable<KeptEntry> {
		for (const link of this.links.values()) yield ['link', link];
		for (const transaction of this.transactions.values()) yield ['transaction', transaction];
		for (const callback of this.callbacks.values()) yield ['callback', callback];
		for (const wallet of this.wallets.list()) yield ['wallet', wallet];
		for (const entry of this.ledger.entries) yield ['ledger', entry];
		for (const [token, integration] of this.tokens) yield ['token', { token, integration }];
		yield* this.logos.entries();
	}

	private readonly restorers: { [Kind in keyof Kept]: (record: Kept[Kind]) => void } = {
		link: (link) => this.links.set(link.reference, link),
		transaction: (transaction) => this.transactions.set(transaction.ref, transaction),
		callback: (callback) => this.callbacks.set(callback.id, callback),
		wallet: (wallet) => this.wallets.restore(wallet),
		ledger: (entry) => this.ledger.append(entry),
		token: ({ token, integration }) => this.tokens.set(token, integration),
		logo: ({ hash, base64 }) => this.logos.add(hash, base64),
		logoOf: ({ reference, hash }) => this.logos.assign(reference, hash),
	};

	reset(): void {
		this.links.clear();
		this.transactions.clear();
		this.callbacks.clear();
		this.tokens.clear();
		this.ledger.clear();
		this.logos.clear();
		this.wallets.reset();
		this.run = newRun();
		this.counter = 0;
	}
}

const newRun = () => randomBytes(4).toString('hex');

export const newestFirst = <T,>(records: Map<string, T>, limit = Infinity): T[] => {
	const all = [...records.values()];
	return all.slice(Math.max(0, all.length - limit)).reverse();
};
