import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A row of the specification's error table. */
export interface ErrorRow {
	operation: string;
	/** As written; alternatives are joined by "or". */
	message: string;
	/** Null where the specification shows none. */
	status: number | null;
}

/** The specification's error table: tests and sandbox read the same file. */
export const ERROR_ROWS: readonly ErrorRow[] = readFileSync(
	resolve(process.cwd(), 'test', 'fixtures', 'error-table.tsv'),
	'utf8',
)
	.trimEnd()
	.split('\n')
	.slice(1)
	.map((line) => {
		const [operation = '', message = '', , status] = line.split('\t');
		return { operation, message, status: Number(status) || null };
	});

/** "Where a message lists alternatives joined by 'or', one of them applies", so a line is split only there. */
export const alternativesOf = (message: string): string[] => message.split(' or ');
