import { randomBytes } from 'node:crypto';
import type { Integration } from '../integrations.mts';
import type { Callback, PaymentLink, Transaction } from '../model.mts';
import { Ledger } from './ledger.mts';
import { Logos } from './logos.mts';
import { Wallets } from './wallets.mts';

/** Everything the sandbox remembers, in memory. `reset` brings it back to the start. */
export class Store {
	readonly links = new Map<string, PaymentLink>();
	readonly transactions = new Map<string, Transaction>();
	readonly callbacks = new Map<string, Callback>();
	/** Token → integration id. */
	readonly tokens = new Map<string, string>();
	readonly ledger = new Ledger();
	readonly logos = new Logos();
	readonly wallets: Wallets;
	private run = newRun();
	private counter = 0;

	constructor(integrations: readonly Integration[]) {
		this.wallets = new Wallets(integrations);
	}

	/** Never repeats, not even after a restart, because a receiver that remembers references would skip the new one. */
	nextReference(prefix: 'PL' | 'CO' | 'PO' | 'CB'): string {
		return `${prefix}-${this.run}-${String(++this.counter).padStart(6, '0')}`;
	}

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
