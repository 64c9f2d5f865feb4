import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Callback, LedgerEntry, PaymentLink, Transaction, Wallet } from '../model.mts';

/** What is kept over a restart. A later record replaces an earlier one with the same key. */
export interface Kept {
	link: PaymentLink;
	transaction: Transaction;
	callback: Callback;
	wallet: Wallet;
	ledger: LedgerEntry;
	token: { token: string; integration: string };
	logo: { hash: string; base64: string };
	logoOf: { reference: string; hash: string };
}

export type KeptEntry = { [Kind in keyof Kept]: [kind: Kind, record: Kept[Kind]] }[keyof Kept];

export type Keep = <Kind extends keyof Kept>(kind: Kind, record: Kept[Kind]) => void;

const HEADER = '{"file":"Unified Payments sandbox","version":1}';

/**
 * A file with one line per change. A line is written before the change is answered, so that even
 * `kill -9` loses nothing that a client was told.
 */
export class Journal {
	private descriptor: number | null = null;

	constructor(private readonly file: string) {}

	/** What was kept so far; nothing when there is no file yet. */
	read(): KeptEntry[] {
		const [header, ...lines] = this.text().split('\n');
		if (header === '') return [];
		if (header !== HEADER)
			throw new Error(`${this.file} is not a file of this sandbox. Choose another, or delete it.`);
		// The process may have ended within its last line, which is then missing its end.
		const whole = lines.slice(0, -1);
		return whole.map((line, index) => this.parse(line, index + 2));
	}

	/** Writes these entries in place of all others, and what follows after them. */
	begin(entries: Iterable<KeptEntry>): void {
		this.close();
		mkdirSync(dirname(this.file), { recursive: true });
		const fresh = `${this.file}.new`;
		this.descriptor = openSync(fresh, 'w');
		writeSync(this.descriptor, `${HEADER}\n`);
		for (const [kind, record] of entries) this.append(kind, record);
		// The old file is whole until the new one is.
		renameSync(fresh, this.file);
	}

	readonly append: Keep = (kind, record) => {
		if (this.descriptor !== null) writeSync(this.descriptor, `${JSON.stringify([kind, record])}\n`);
	};

	close(): void {
		if (this.descriptor !== null) closeSync(this.descriptor);
		this.descriptor = null;
	}

	private text(): string {
		try {
			return readFileSync(this.file, 'utf8');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
			throw error;
		}
	}

	private parse(line: string, number: number): KeptEntry {
		try {
			return JSON.parse(line) as KeptEntry;
		} catch {
			throw new Error(
				`Line ${number} of ${this.file} cannot be read. Delete the file to start without it.`,
			);
		}
	}
}
