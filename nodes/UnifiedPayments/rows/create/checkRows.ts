import { ADVICE, adviceWith } from '../../protocol/advice';
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { CreateOperation, Prepared, RowFiles } from '../operation';
import { callbackUrls } from '../../fields/callbackUrl';
import { readEach, type RawFields } from '../../fields/field';
import { InputError } from '../../fields/inputError';
import { isGuard, readOptions, type RowOptions } from '../../fields/options';
import { orderReferenceField } from '../../fields/text';
import {
	findDuplicates,
	keyOf,
	nameOf,
	nameOfItsOwn,
	type ComparedRow,
	type RowName,
} from '../../payment/key';
import { writeMark, type Maker } from '../../payment/mark';
import type { PaymentKey } from '../../payment/payment';
import { isMore, moneyText, type Money } from '../../payment/money';
import { accountOf, type Credential } from '../../protocol/credential';
import type { Client, RunClient } from '../../transport/client';
import { NotSentError } from '../../transport/errors';
import { notSent } from './sendRow';
import type { RowValues } from '../read/readRows';
import type { RowNames } from '../rowNames';
import { isReady, type ReadyRow, type Row, type RowRequest, type RowResult } from '../row';

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
	/** The currency that the heading of the amount names for all rows. */
	currencyInHeading: () => string | null;
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

/** A row that has a name, or that can be read, with what it is compared by. */
interface Compared extends ComparedRow {
	of: Row;
}

/** Looks at every row before the first is sent. */
export async function checkRows(run: CheckRun): Promise<Row[]> {
	const rows: Row[] = [];
	const compared: Compared[] = [];
	for (let place = 0; place < run.count; place++) {
		rows.push(await checkRow(run, place, compared));
		await run.yieldToHost();
	}
	for (const { row, other, differsIn } of await findDuplicates(compared, run.yieldToHost)) {
		if (isReady(row.of)) rows[row.of.place] = withDuplicate(row.of, other.of, differsIn);
	}
	await run.yieldToHost();
	return rows;
}

/** Everything about a row that does not depend on whether its fields can be read. */
interface NamedRow {
	fields: RawFields;
	options: RowOptions;
	client: Client;
	account: Credential;
	name: RowName | null;
}

async function checkRow(run: CheckRun, place: number, compared: Compared[]): Promise<Row> {
	const rowWith = (
		request: RowRequest | null,
		result: RowResult | null,
		isUnguarded = false,
	): Row => ({
		place,
		input: run.item(place),
		// Worked out when needed: most rows need no name.
		get name() {
			return run.names.name(place);
		},
		request,
		repeats: null,
		claim: 'free',
		isUnguarded,
		result,
	});
	if (run.signal.aborted) return rowWith(null, { error: notSent('the execution was cancelled') });
	let isUnguarded = run.readsGuards;
	let dryRun = false;
	let named: NamedRow | null = null;
	const compare = (of: Row, key: RowName | null) => {
		if (key === null || named === null || named.options.onDuplicate === 'sendAnyway') return of;
		const { input, request } = of;
		const params = request?.given.params ?? null;
		compared.push({ of, key: key.key, params, fields: named.fields, input });
		return of;
	};
	try {
		const { fields, options: givenOptions } = run.read(place);
		isUnguarded = false;
		const options = readOptions(givenOptions);
		({ dryRun } = options);
		named = await nameRow(run, place, fields, options);
		const request = await requestOf(run, place, named);
		return compare(rowWith(request, null), request.payment.key);
	} catch (error) {
		isUnguarded ||= isAboutGuard(error);
		return compare(rowWith(null, { error, dryRun }, isUnguarded), named?.name ?? null);
	}
}

/** Whether a limit or a dry run was asked for in a way that cannot be read: then nothing is sent. */
const isAboutGuard = (error: unknown): boolean =>
	error instanceof InputError && error.issues.some(({ field }) => isGuard(field));

/** Read before everything else, so that a row that cannot be read still counts as a twin. */
async function nameRow(
	{ operation: { path }, client: ofRun }: CheckRun,
	place: number,
	fields: RawFields,
	options: RowOptions,
): Promise<NamedRow> {
	const client = ofRun.forRow(place);
	const account = await client.credential();
	const { orderReference: read } = readEach({ orderReference: orderReferenceField }, fields);
	const order = read.ok && read.value !== undefined ? read.value.trim() : null;
	const name = nameOf(account, path, options.duplicateKey, order);
	return { fields, options, client, account, name };
}

async function requestOf(
	{ operation, files, resumeUrl, maker }: CheckRun,
	place: number,
	{ fields, options, client, account, name }: NamedRow,
): Promise<RowRequest> {
	const isAwaited = operation.waits !== undefined || options.waitInThisExecution;
	const checked = await operation.prepare(fields, account, files(place), isAwaited);
	const { payment: values, ...given } = checked;
	checkAmount(values, options, fields.amount);
	const isCompared = options.onDuplicate !== 'sendAnyway';
	// What is sent several times on purpose has a mark of its own each time.
	const key: PaymentKey = isCompared
		? keyOf(account, operation.path, name, values)
		: { key: randomUUID(), by: 'duplicateKey', values: null };
	// Where others have a key, one without may be any payment of the order.
	const isOneOfSeveral = key.by === 'duplicateKey' || options.duplicateKey === '';
	const resumed = isAwaited ? await resumeUrl(place) : null;
	const url = resumed?.url ?? given.params.callback_url;
	const hasUrl = typeof url === 'string';
	const isMarked = hasUrl && (isAwaited || account.orderInCallbackUrl);
	const marked = { ...values, key, isOneOfSeveral };
	const mark = isMarked
		? writeMark(account, marked, { ...maker, awaited: resumed?.awaited })
		: null;
	const urls = hasUrl ? callbackUrls(url, mark) : null;
	return {
		client,
		account,
		given,
		prepared: urls === null ? given : withCallback(given, urls),
		payment: {
			...marked,
			account: accountOf(account),
			mark,
			callbackUrl: urls?.sent ?? null,
			sentEarlier: false,
			reference: null,
		},
		options,
		isCompared,
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
			allowed: ADVICE.maxAmount,
		},
	]);
}

const withCallback = (
	given: Prepared,
	{ sent, shown }: ReturnType<typeof callbackUrls>,
): Prepared => ({
	...given,
	params: { ...given.params, callback_url: sent },
	shown: { ...given.shown, callback_url: shown },
});

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
	{ request: { payment, options } }: ReadyRow,
	other: string,
	differsIn: string | null,
): NotSentError {
	if (differsIn === null) {
		return new NotSentError(
			`This row is the same as ${other}, so it was not sent`,
			`${ADVICE.removeRepeat} ${adviceWith('oneOfTwo', nameOfItsOwn(payment.key))}`,
			'duplicate',
		);
	}
	const what = {
		duplicateKey: `This row and ${other} have the same 'Duplicate Key' "${options.duplicateKey}", but differ in "${differsIn}"`,
		orderReference: `This row and ${other} have the same order reference "${payment.orderReference}", but differ in "${differsIn}"`,
		values: `This row and ${other} have the same payer, item and amount, but differ in "${differsIn}"`,
	};
	return new NotSentError(
		what[payment.key.by],
		`None of them was sent, because it is not clear whether they are one payment. ${adviceWith('oneOrSeveral', nameOfItsOwn(payment.key))}`,
	);
}
