import type { LedgerEntry } from '../model.mts';
import type { Keep } from './journal.mts';

/**
 * Every create that was accepted, so that tests can prove that nothing was sent twice. An entry is
 * added before the reply is sent, so a lost reply does not lose it.
 */
export class Ledger {
	private readonly list: LedgerEntry[] = [];

	constructor(private readonly keep: Keep | null) {}

	append(entry: LedgerEntry): void {
		this.list.push(entry);
		this.keep?.('ledger', entry);
	}

	get accepted(): number {
		return this.list.length;
	}

	get entries(): readonly LedgerEntry[] {
		return this.list;
	}

	/** By the sandbox's own reference or by the caller's. */
	of(reference: string): LedgerEntry[] {
		return this.list.filter(
			(entry) => entry.reference === reference || entry.third_party_reference_1 === reference,
		);
	}

	/** How often each value of a field was accepted, e.g. `countBy('third_party_reference_1')`. */
	countBy(field: string): Record<string, number> {
		// Without a prototype, so that a value "__proto__" is a key like any other.
		const counts: Record<string, number> = Object.create(null);
		for (const entry of this.list) {
			const own = field in entry ? entry[field as keyof LedgerEntry] : entry.params[field];
			if (own === undefined || own === null) continue;
			const key = String(own);
			counts[key] = (counts[key] ?? 0) + 1;
		}
		return counts;
	}

	clear(): void {
		this.list.length = 0;
	}
}
