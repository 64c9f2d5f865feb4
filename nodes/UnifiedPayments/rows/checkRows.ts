import type { IDataObject } from 'n8n-workflow';

import type { CreateOperation, Prepared, RowFiles } from '../actions/operation';
import { callbackUrls } from '../fields/callbackUrl';
import { InputError } from '../fields/inputError';
import { readOptions, type RowOptions } from '../fields/options';
import type { Credential } from '../protocol/credential';
import { amountOf, hundredthsOf, moneyText, toHundredths, type Money } from '../payment/money';
import { writeMark, type Maker } from '../payment/mark';
import type { Client, RunClient } from '../transport/client';
import { NotSentError } from '../transport/errors';
import {
	findDuplicates,
	keyOf,
	nameOfItsOwn,
	type DuplicateRow,
	type PaymentKey,
} from '../payment/key';
import type { Row } from './readRows';
import type { FailedRow } from './result';
import type { RowNames } from './rowNames';

export interface CheckRun {
	operation: CreateOperation;
	count: number;
	read: (row: number) => Row;
	/** The row as it came in. */
	item: (row: number) => IDataObject;
	files: (row: number) => RowFiles;
	names: RowNames;
	client: RunClient;
	/** This node. */
	maker: Maker;
	/** Where the service calls back about a row that this execution waits for. */
	resumeUrl: (row: number) => Promise<string>;
	cancelled: () => boolean;
	/** Lets the host do other things: a large sheet must not block it. */
	yieldToHost: () => Promise<void>;
}

/** A row that may be sent. */
export interface ReadyRow {
	/** Of the account that it was checked for. */
	client: Client;
	/** The same object for all rows of this account. */
	account: Credential;
	prepared: Prepared;
	options: RowOptions;
	/** As it was checked, before anything was added to the callback URL. */
	given: Prepared;
	/** What makes it the same payment as another row. */
	key: PaymentKey;
	/** Whether it is compared with other rows, and remembered. */
	isCompared: boolean;
	/** Whether its callback URL carries a mark, by which its link is found again. */
	isMarked: boolean;
	/** An earlier row of the input that is the same. */
	repeats: number | null;
}

/** A row that may be sent, or what is wrong with it. */
export type CheckedRow = ReadyRow | FailedRow;

export const isReady = (row: CheckedRow): row is ReadyRow => 'prepared' in row;

/** Looks at every row before the first is sent. */
export async function checkRows(run: CheckRun): Promise<CheckedRow[]> {
	const checked: CheckedRow[] = [];
	for (let row = 0; row < run.count && !run.cancelled(); row++) {
		checked.push(await checkRow(run, row));
		await run.yieldToHost();
	}
	const compared = checked.flatMap((each, place) =>
		isReady(each) && each.isCompared
			? [{ place, key: each.key, params: each.given.params, input: run.item(place) }]
			: [],
	);
	const duplicates = findDuplicates(compared);
	return checked.map((each, row) => withDuplicate(each, duplicates.get(row), run.names));
}

/** Whether the service calls back to the execution itself. */
export const isAwaited = ({ waits }: CreateOperation, options: RowOptions): boolean =>
	waits !== undefined || options.waitInThisExecution;

async function checkRow(
	{ operation, read, files, client: ofRun, resumeUrl, maker }: CheckRun,
	row: number,
): Promise<CheckedRow> {
	let dryRun = false;
	try {
		const { fields, options: givenOptions } = read(row);
		const options = readOptions(givenOptions);
		({ dryRun } = options);
		const client = ofRun.forRow(row);
		const account = await client.credential();
		const given = await operation.prepare(fields, options, files(row));
		checkAmount(given.payment, options, fields.amount);
		const waits = isAwaited(operation, options);
		const ownUrl = waits ? await resumeUrl(row) : null;
		const key = keyOf(account, operation.path, options.duplicateKey, given.payment);
		const isMarked = options.orderInCallbackUrl || ownUrl !== null;
		const mark = isMarked ? writeMark(account, given.payment, key, maker) : null;
		const prepared = withCallback(given, mark, account, ownUrl);
		return {
			client,
			account,
			given,
			prepared,
			options,
			key,
			isCompared: options.duplicateProtection && options.onDuplicate !== 'sendAnyway',
			isMarked: mark !== null && prepared.params.callback_url !== undefined,
			repeats: null,
		};
	} catch (error) {
		return { error, dryRun };
	}
}

/** A limit for each row, so that a misplaced point is found before it is sent. */
function checkAmount({ amount, currency }: Money, { maxAmount }: RowOptions, given: unknown): void {
	const most = toHundredths(maxAmount);
	if (most === 0n || hundredthsOf(amount) <= most) return;
	const limit = moneyText({ amount: amountOf(most), currency });
	throw new InputError([
		{
			field: 'amount',
			given,
			reason: `which is more than the ${limit} of 'Max Amount'`,
			allowed: "If the amount is right, raise 'Max Amount' in the options; if not, correct it.",
		},
	]);
}

/** Adds the token and the mark to the callback URL, if there is one. */
function withCallback(
	given: Prepared,
	mark: string | null,
	{ callbackToken }: Credential,
	/** Of the execution itself, which knows its payments by the mark. */
	ownUrl: string | null,
): Prepared {
	const { params, shown } = given;
	const url = ownUrl ?? params.callback_url;
	if (typeof url !== 'string') return given;
	const urls = callbackUrls(url, callbackToken, mark);
	return {
		...given,
		params: { ...params, callback_url: urls.sent },
		shown: { ...shown, callback_url: urls.shown },
	};
}

function withDuplicate(
	row: CheckedRow,
	duplicate: DuplicateRow | undefined,
	names: RowNames,
): CheckedRow {
	if (duplicate === undefined || !isReady(row)) return row;
	if (duplicate.differsIn === null && row.options.onDuplicate !== 'error') {
		return { ...row, repeats: duplicate.other };
	}
	return { error: refusal(duplicate, row, names), dryRun: row.options.dryRun };
}

function refusal(
	{ other, differsIn }: DuplicateRow,
	{ given, key, options }: ReadyRow,
	names: RowNames,
): NotSentError {
	const name = names.name(other);
	if (differsIn === null) {
		return new NotSentError(
			`This row is the same as ${name}, so it was not sent`,
			`Remove one of them, or set 'On Duplicate' to 'Skip'. If these are two payments, give one of them ${nameOfItsOwn(key)}.`,
			'duplicate',
		);
	}
	const shared = {
		duplicateKey: `the same 'Duplicate Key' "${options.duplicateKey}"`,
		orderReference: `the same order reference "${given.payment.orderReference}"`,
		values: 'the same payer, item and amount',
	}[key.by];
	return new NotSentError(
		`This row and ${name} have ${shared}, but differ in "${differsIn}"`,
		`None of them was sent, because it is not clear whether they are one payment. If they are, remove all but one. If they are several, give each ${nameOfItsOwn(key)}.`,
	);
}
