import type { CreateOperation, Prepared, RowFiles } from '../actions/operation';
import { readOptions, type RowOptions } from '../fields/options';
import type { Client, RunClient } from '../transport/client';
import { NotSentError } from '../transport/errors';
import { createFingerprints, findRepeats, identityOf } from './identity';
import type { Row } from './readRows';
import type { FailedRow } from './result';

export interface CheckRun {
	operation: CreateOperation;
	count: number;
	read: (row: number) => Row;
	files: (row: number) => RowFiles;
	client: RunClient;
	cancelled: () => boolean;
	/** Lets the host do other things: a large sheet must not block it. */
	yieldToHost: () => Promise<void>;
}

/** A row that may be sent. */
export interface ReadyRow {
	/** Of the account that it was checked for. */
	client: Client;
	prepared: Prepared;
	options: RowOptions;
	/** Of what this row would send. */
	fingerprint: string;
	/** What makes it the same as another row; null when it is not to be compared. */
	identity: string | null;
	/** An earlier row of the input that is the same. */
	repeats: number | null;
}

/** A row that may be sent, or what is wrong with it. */
export type CheckedRow = ReadyRow | FailedRow;

export const isReady = (row: CheckedRow): row is ReadyRow => 'prepared' in row;

/** Looks at every row before the first is sent. */
export async function checkRows(run: CheckRun): Promise<CheckedRow[]> {
	const fingerprintOf = createFingerprints();
	const checked: CheckedRow[] = [];
	for (let row = 0; row < run.count && !run.cancelled(); row++) {
		checked.push(await checkRow(run, row, fingerprintOf));
		await run.yieldToHost();
	}
	const repeats = findRepeats(checked.map((each) => (isReady(each) ? each.identity : null)));
	return checked.map((each, row) => withRepeat(each, repeats[row] ?? null));
}

async function checkRow(
	{ operation, read, files, client: ofRun }: CheckRun,
	row: number,
	fingerprintOf: (prepared: Prepared) => string,
): Promise<CheckedRow> {
	let dryRun = false;
	try {
		const { fields, options: given } = read(row);
		const options = readOptions(given);
		({ dryRun } = options);
		const client = ofRun.forRow(row);
		const credential = await client.credential();
		const { callbackToken } = credential;
		const prepared = await operation.prepare(fields, options, callbackToken, files(row));
		const fingerprint = fingerprintOf(prepared);
		const identity = identityOf(credential, operation.path, options, fingerprint);
		return { client, prepared, options, fingerprint, identity, repeats: null };
	} catch (error) {
		return { error, dryRun };
	}
}

function withRepeat(row: CheckedRow, earlier: number | null): CheckedRow {
	if (earlier === null || !isReady(row)) return row;
	if (row.options.onDuplicate !== 'error') return { ...row, repeats: earlier };
	const error = new NotSentError(
		`This row is the same as row ${earlier + 1}, so it was not sent`,
		"Remove one of them, or change 'On Duplicate' or 'Duplicate Key' in the options.",
		'duplicate',
	);
	return { error, dryRun: row.options.dryRun };
}
