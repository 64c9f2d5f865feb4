import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { askedBy, type CreateOperation, type Prepared, type RowFiles } from '../operation';
import { callbackUrls } from '../../fields/callbackUrl';
import { InputError } from '../../fields/inputError';
import { isGuard, readOptions, type RowOptions } from '../../fields/options';
import { findDuplicates, keyOf, nameOfItsOwn, type ComparedRow } from '../../payment/key';
import { writeMark, type Maker } from '../../payment/mark';
import type { Payment } from '../../payment/payment';
import { isMore, moneyText, type Money } from '../../payment/money';
import { accountOf } from '../../protocol/credential';
import type { RunClient } from '../../transport/client';
import { NotSentError } from '../../transport/errors';
import { notSent } from './sendRow';
import type { RowValues } from '../read/readRows';
import {
	failed,
	isReady,
	type ReadyRow,
	type Row,
	type RowNames,
	type RowRequest,
	type RowResult,
} from '../row';

export interface CheckRun {
	operation: CreateOperation;
	count: number;
	read: (row: number) => RowValues;
	/** Whether reading a row reads an option that limits or forbids. */
	readsGuards: boolean;
	/** The row as it came in. */
	item: (row: number) => IDataObject;
	files: (row: number) => RowFiles;
	names: RowNames;
	client: RunClient;
	/** This node. */
	maker: Maker;
	/** Where the service calls back about a row that this execution waits for, and what names it there. */
	resumeUrl: (row: number) => Promise<{ url: string; awaited: NonNullable<Maker['awaited']> }>;
	/** Aborted when the execution is cancelled. */
	signal: AbortSignal;
	/** Lets n8n do other things: a large sheet must not block it. */
	yieldToHost: () => Promise<void>;
}

/** Looks at every row before the first is sent. */
export async function checkRows(run: CheckRun): Promise<Row[]> {
	const rows: Row[] = [];
	const compared: Array<ComparedRow & { of: ReadyRow }> = [];
	for (let place = 0; place < run.count; place++) {
		const row = await checkRow(run, place);
		rows.push(row);
		if (isReady(row) && row.request.isCompared) {
			const { key, given } = row.request;
			compared.push({ of: row, key, params: given.params, input: row.input });
		}
		await run.yieldToHost();
	}
	for (const { row, other, differsIn } of await findDuplicates(compared, run.yieldToHost))
		rows[row.of.place] = withDuplicate(row.of, other.of, differsIn);
	await run.yieldToHost();
	return rows;
}

async function checkRow(run: CheckRun, place: number): Promise<Row> {
	const rowWith = (request: RowRequest | null, result: RowResult | null): Row => ({
		place,
		input: run.item(place),
		// Worked out when needed: most rows need no name.
		get name() {
			return run.names.name(place);
		},
		request,
		repeats: null,
		claimResult: 'free',
		isAbsent: false,
		result,
	});
	if (run.signal.aborted) return rowWith(null, { error: notSent('the execution was cancelled') });
	let dryRun = false;
	let isUnguarded = run.readsGuards;
	try {
		const { fields, options: givenOptions } = run.read(place);
		isUnguarded = false;
		const options = readOptions(givenOptions);
		({ dryRun } = options);
		return rowWith(await requestOf(run, place, fields, options), null);
	} catch (error) {
		return rowWith(null, { error, dryRun, isUnguarded });
	}
}

/** Whether a limit or a dry run was asked for in a way that cannot be read: then nothing is sent. */
export const isUnreadableGuard = ({ result }: Row): boolean =>
	result !== null &&
	failed(result) &&
	(result.isUnguarded === true ||
		(result.error instanceof InputError &&
			result.error.issues.some(({ field }) => isGuard(field))));

async function requestOf(
	{ operation, files, client: ofRun, resumeUrl, maker }: CheckRun,
	place: number,
	fields: RowValues['fields'],
	options: RowOptions,
): Promise<RowRequest> {
	const client = ofRun.forRow(place);
	const account = await client.credential();
	const given = await operation.prepare(fields, account, files(place));
	checkAmount(given.payment, options, fields.amount);
	const isAwaited = operation.waits !== undefined || options.waitInThisExecution;
	const resumed = isAwaited ? await resumeUrl(place) : null;
	const { path } = operation;
	const order = askedBy(operation, given);
	const isMarked = isAwaited || account.orderInCallbackUrl;
	const isCompared = options.onDuplicate !== 'sendAnyway';
	const ownKey = keyOf(account, path, options.duplicateKey, given.payment, order);
	// What is sent several times on purpose has a mark of its own each time.
	const key = isCompared
		? ownKey
		: { key: randomUUID(), by: 'duplicateKey' as const, values: null };
	const { mobile } = given.params;
	const payment: Payment = {
		...given.payment,
		account: accountOf(account),
		kind: operation.lookUp === 'list' ? 'link' : 'collection',
		mobile: typeof mobile === 'string' ? mobile : null,
		key,
		// Where others have a key, one without may be any payment of the order.
		isOneOfSeveral: key.by === 'duplicateKey' || options.duplicateKey === '',
		mark: null,
		callbackUrl: null,
		sentEarlier: false,
		reference: null,
	};
	const made = resumed === null ? maker : { ...maker, awaited: resumed.awaited };
	const mark = isMarked ? writeMark(account, payment, made) : null;
	const prepared = withCallback(given, mark, resumed?.url ?? null);
	const { callback_url: callbackUrl } = prepared.params;
	if (typeof callbackUrl === 'string') {
		payment.callbackUrl = callbackUrl;
		payment.mark = mark;
	}
	return {
		client,
		account,
		given,
		prepared,
		payment,
		options,
		key,
		isCompared,
		isMarked,
		isAwaited,
	};
}

/** A limit for each row, so that a misplaced point is found before it is sent. */
function checkAmount(asked: Money, { maxAmount }: RowOptions, given: unknown): void {
	if (maxAmount === null || !isMore(asked.amount, maxAmount)) return;
	const limit = moneyText({ amount: maxAmount, currency: asked.currency });
	throw new InputError([
		{
			field: 'amount',
			given,
			reason: `which is more than the ${limit} of 'Max Amount'`,
			allowed: "If the amount is right, raise 'Max Amount' in the options; if not, correct it.",
		},
	]);
}

/** Adds the mark to the callback URL, if there is one. */
function withCallback(
	given: Prepared,
	mark: string | null,
	/** Of the execution itself, which knows its payments by the mark. */
	ownUrl: string | null,
): Prepared {
	const { params, shown } = given;
	const url = ownUrl ?? params.callback_url;
	if (typeof url !== 'string') return given;
	const urls = callbackUrls(url, mark);
	return {
		...given,
		params: { ...params, callback_url: urls.sent },
		shown: { ...shown, callback_url: urls.shown },
	};
}

function withDuplicate(row: ReadyRow, other: Row, differsIn: string | null): Row {
	const { onDuplicate, dryRun } = row.request.options;
	if (differsIn === null && onDuplicate !== 'error') {
		row.repeats = other;
		return row;
	}
	const error = refusal(row, other.name, differsIn);
	return { ...row, request: null, result: { error, dryRun } };
}

function refusal(
	{ request: { given, key, options } }: ReadyRow,
	other: string,
	differsIn: string | null,
): NotSentError {
	if (differsIn === null) {
		return new NotSentError(
			`This row is the same as ${other}, so it was not sent`,
			`Remove one of them, or set 'On Duplicate' to 'Skip'. If these are two payments, give one of them ${nameOfItsOwn(key)}.`,
			'duplicate',
		);
	}
	const what = {
		duplicateKey: `This row and ${other} have the same 'Duplicate Key' "${options.duplicateKey}", but differ in "${differsIn}"`,
		orderReference: `This row and ${other} have the same order reference "${given.payment.orderReference}", but differ in "${differsIn}"`,
		values: `This row and ${other} have the same payer, item and amount, but differ in "${differsIn}"`,
	};
	return new NotSentError(
		what[key.by],
		`None of them was sent, because it is not clear whether they are one payment. If they are, remove all but one. If they are several, give all but the oldest ${nameOfItsOwn(key)}.`,
	);
}
