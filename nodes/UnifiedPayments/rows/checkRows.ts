import { createHash } from 'node:crypto';

import { findRepeats } from './identity';
import { readOptions, type RowOptions } from '../fields/options';
import type { Client } from '../transport/client';
import { NotSentError } from '../transport/errors';
import type { CreateOperation, Prepared, RowHost } from '../actions/operation';
import type { Row } from './readRows';

export interface CheckRun {
	operation: CreateOperation;
	count: number;
	read: (row: number) => Row;
	host: (row: number) => RowHost;
	client: Client;
	cancelled: () => boolean;
	/** Lets the host do other things: a large sheet must not block it. */
	breathe: () => Promise<void>;
}

/** A row that may be sent. */
export interface Ready {
	prepared: Prepared;
	options: RowOptions;
	/** What this row would send, as a fingerprint. */
	print: string;
	/** What makes it the same as another row; null when it is not to be compared. */
	key: string | null;
	/** An earlier row of the input that is the same. */
	repeats: number | null;
}

/** A row that may not, and why; `dryRun` when it was only to be checked. */
export interface Bad {
	thrown: unknown;
	dryRun: boolean;
}

export type Checked = Ready | Bad;

export const isBad = (each: Checked): each is Bad => 'thrown' in each;

/** Looks at every row before the first is sent. */
export async function checkRows(run: CheckRun): Promise<Checked[]> {
	const print = createPrinter();
	const checked: Checked[] = [];
	for (let row = 0; row < run.count && !run.cancelled(); row++) {
		checked.push(await checkRow(run, row, print));
		await run.breathe();
	}
	const earlier = findRepeats(checked.map((each) => (isBad(each) ? null : each.key)));
	return checked.map((each, row) => withRepeat(each, earlier[row] ?? null));
}

async function checkRow(
	{ operation, read, host, client }: CheckRun,
	row: number,
	print: (prepared: Prepared) => string,
): Promise<Checked> {
	let dryRun = false;
	try {
		const { fields, options: given } = read(row);
		const options = readOptions(given);
		({ dryRun } = options);
		const { callbackToken } = await client.credential();
		const prepared = await operation.prepare(fields, options, callbackToken, host(row));
		const printed = print(prepared);
		return { prepared, options, print: printed, key: keyOf(options, printed), repeats: null };
	} catch (thrown) {
		return { thrown, dryRun };
	}
}

function keyOf(options: RowOptions, print: string): string | null {
	const { duplicateProtection, onDuplicate, duplicateKey } = options;
	if (!duplicateProtection || onDuplicate === 'sendAnyway') return null;
	return duplicateKey === null ? `all ${print}` : `key ${duplicateKey}`;
}

function withRepeat(each: Checked, earlier: number | null): Checked {
	if (earlier === null || isBad(each)) return each;
	if (each.options.onDuplicate !== 'error') return { ...each, repeats: earlier };
	const thrown = new NotSentError(
		`This row is the same as row ${earlier + 1}, so it was not sent`,
		"Remove one of them, or change 'On Duplicate' or 'Duplicate Key' in the options.",
		'duplicate',
	);
	return { thrown, dryRun: each.options.dryRun };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** Of what is sent, without the callback token, which may change; a logo is hashed once. */
function createPrinter(): (prepared: Prepared) => string {
	const logos = new Map<unknown, string>();
	return ({ shown, params: { logo } }) => {
		if (typeof logo !== 'string') return sha256(JSON.stringify(shown));
		const known = logos.get(logo) ?? sha256(logo);
		logos.set(logo, known);
		return sha256(`${JSON.stringify(shown)} ${known}`);
	};
}
