import type { IDataObject } from 'n8n-workflow';

import type { CreateOperation, Prepared, RowFiles } from '../actions/operation';
import { callbackUrls } from '../fields/callbackUrl';
import { InputError } from '../fields/inputError';
import { readOptions, type RowOptions } from '../fields/options';
import type { Credential } from '../protocol/credential';
import { amountOf, hundredthsOf, moneyText, toHundredths, type Money } from '../payment/money';
import { writeMark } from '../payment/mark';
import type { Client, RunClient } from '../transport/client';
import { NotSentError } from '../transport/errors';
import {
	findTwins,
	identityOf,
	isCompared,
	nameOfItsOwn,
	type Identity,
	type Twin,
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
	/** What makes it the same as another row; null when it is not to be compared. */
	identity: Identity | null;
	/** What its callback URL carries, by which its link is found again; null for nothing. */
	mark: string | null;
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
	const identities = checked.map((each) => (isReady(each) ? each.identity : null));
	const twins = findTwins(identities, run.item);
	return checked.map((each, row) => withTwin(each, twins[row] ?? null, run.names));
}

/** Whether the service calls back to the execution itself. */
export const isAwaited = ({ waits }: CreateOperation, options: RowOptions): boolean =>
	waits !== undefined || options.waitInThisExecution;

async function checkRow(
	{ operation, read, files, client: ofRun, resumeUrl }: CheckRun,
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
		const identity = identityOf(account, operation.path, options, given.payment);
		return {
			client,
			account,
			...withCallback(given, identity, options, account, ownUrl),
			options,
			identity: isCompared(options) ? identity : null,
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
	{ params, shown, ...rest }: Prepared,
	identity: Identity,
	{ orderInCallbackUrl }: RowOptions,
	credential: Credential,
	/** Of the execution itself, which knows its payments by the mark. */
	ownUrl: string | null,
): Pick<ReadyRow, 'prepared' | 'mark'> {
	const url = ownUrl ?? params.callback_url;
	if (typeof url !== 'string') return { prepared: { params, shown, ...rest }, mark: null };
	const isMarked = orderInCallbackUrl || ownUrl !== null;
	const mark = isMarked
		? writeMark(credential, rest.payment, identity.key, identity.by === 'duplicateKey')
		: null;
	const urls = callbackUrls(url, credential.callbackToken, mark);
	return {
		prepared: {
			params: { ...params, callback_url: urls.sent },
			shown: { ...shown, callback_url: urls.shown },
			...rest,
		},
		mark,
	};
}

function withTwin(row: CheckedRow, twin: Twin | null, names: RowNames): CheckedRow {
	if (twin === null || !isReady(row)) return row;
	if (twin.kind === 'same' && row.options.onDuplicate !== 'error') {
		return { ...row, repeats: twin.row };
	}
	return { error: refusal(twin, row, names), dryRun: row.options.dryRun };
}

function refusal(twin: Twin, { prepared, identity }: ReadyRow, names: RowNames): NotSentError {
	const other = names.name(twin.row);
	switch (twin.kind) {
		case 'same':
			return new NotSentError(
				`This row is the same as ${other}, so it was not sent`,
				`Remove one of them, or set 'On Duplicate' to 'Skip'. If these are two payments, give one of them ${nameOfItsOwn(identity!)}.`,
				'duplicate',
			);
		case 'otherValues':
			return new NotSentError(
				`This row and ${other} have the same order reference "${prepared.payment.orderReference}", but not the same payer and amount`,
				'Neither was sent, because it is not clear which one is meant. Correct one of them. If these are two payments, give the newer one an order reference of its own.',
			);
		case 'otherColumn':
			return new NotSentError(
				`This row and ${other} would be the same payment, but differ in the column "${twin.column}"`,
				"Neither was sent. If these are two payments, give one of them an order reference or a 'Duplicate Key' of its own. If they are one, remove a row.",
			);
	}
}
