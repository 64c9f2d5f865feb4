import { nameOfItsOwn } from '../../payment/key';
import { findEntries, type Listed } from '../../payment/list';
import { readRecord, type Record } from '../../payment/record';
import { givenAlike, whose } from '../../payment/whose';
import { ENDPOINTS } from '../../protocol/endpoints';
import { withoutEnd, type Json } from '../../protocol/parse';
import { entriesOf, linkIn } from '../../protocol/reply';
import { CallError, NotSentError } from '../../transport/errors';
import { createLimiter, within } from '../../transport/limiter';
import { askForRecord } from '../../transport/status';
import { failureOf, type Failure } from '../../transport/verdict';
import type { Claims } from '../claims/claims';
import { askedBy, type CreateOperation } from '../operation';
import {
	createItem,
	failed,
	isReady,
	itemIn,
	lacksLink,
	outcomeOfRow,
	type Row,
	type RowResult,
} from '../row';
import { mayHaveArrived, paymentOf, wasSent, withEarlierUrl, type SentRow } from './sentRow';

export interface LookUpRun {
	operation: CreateOperation;
	claims: Claims;
	lanes: number;
	/** Ends the asking when the execution is cancelled. */
	signal: AbortSignal;
	yieldToHost: () => Promise<void>;
}

/** What is known of a row after the service was asked about it. */
export interface LookedUp {
	row: SentRow;
	result: RowResult;
	/** `found`: the service has it, or something that may be it. `notAsked`: it could not be asked. */
	is: 'found' | 'notFound' | 'notAsked';
}

/** A look-up is tried once more at the most. */
const RETRIES = 1;

/** After so long nothing more is asked: what the service does not say by then stays open. */
const longestMs = ({ request }: SentRow): number =>
	(RETRIES + 1) * request.options.timeoutSeconds * 1000;

const isLate = (run: LookUpRun, deadline: number): boolean =>
	run.signal.aborted || Date.now() >= deadline;

/**
 * Asks the service about rows whose answer did not come, and for links that no reply held. It may say
 * that it has something; that it does not find it proves nothing. Nothing that goes wrong here costs a
 * result.
 */
export const lookUpRows = async (
	run: LookUpRun,
	rows: readonly SentRow[],
	/** All rows of this run that were sent, these among them. */
	all = rows,
): Promise<LookedUp[]> =>
	run.operation.lookUp === 'list' ? await askList(run, rows) : await askByOrder(run, rows, all);

const notAsked = (row: SentRow): LookedUp => ({ row, result: row.result, is: 'notAsked' });

/** The list is asked for once for each account that has something to look for. */
async function askList(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const isAsked = (row: SentRow) => mayHaveArrived(row) || lacksLink(row.result);
	const found: LookedUp[] = [];
	for (const group of byAccount(rows)) {
		const listed = group.some(isAsked) ? await listedOf(run, group) : null;
		for (const [at, row] of group.entries()) {
			const shown = listed?.[at];
			found.push(
				shown === undefined || !isAsked(row)
					? withoutAnswer(row, isAsked(row))
					: fromList(run, row, shown),
			);
		}
	}
	return found;
}

function withoutAnswer(row: SentRow, wasAsked: boolean): LookedUp {
	const result = wasAsked ? withReason(row, LIST_FAILED) : row.result;
	return { ...notAsked(row), result };
}

function byAccount(rows: readonly SentRow[]): Iterable<SentRow[]> {
	const accounts = new Map<string, SentRow[]>();
	for (const row of rows) {
		const account = row.request.payment.account.join(' ');
		const known = accounts.get(account);
		if (known) known.push(row);
		else accounts.set(account, [row]);
	}
	return accounts.values();
}

/** What the list shows of each; null when it could not be read in time. */
async function listedOf(run: LookUpRun, group: readonly SentRow[]): Promise<Listed[] | null> {
	const [first] = group as readonly [SentRow];
	const { client, options, account } = first.request;
	const asked = { ...options, maxRetries: RETRIES };
	try {
		const reply = await within(
			longestMs(first),
			client.list(ENDPOINTS.listPaymentLinks, asked, 'the payment links'),
			run.signal,
		);
		const entries = reply && entriesOf(reply);
		if (entries === null) return null;
		return await findEntries(entries, group.map(paymentOf), account, run.yieldToHost);
	} catch {
		return null;
	}
}

const NO_LINK = 'No link was found';
const LIST_FAILED = `${NO_LINK}: the list of payment links could not be read in time.`;
const NOT_LISTED = `${NO_LINK}: nothing in the list of payment links is certainly this one.`;
const NO_ADDRESS = `${NO_LINK}: its entry in the list has no address under a name of 'Link Fields' of the credential.`;
const withoutMark = (row: SentRow): string =>
	`${NO_LINK}: the reply held none, and without its own callback URL it cannot be told apart in the list. To get a link for this payment, give it a callback URL and ${nameOfItsOwn(row.request.key)}, because it was sent already.`;

function fromList(run: LookUpRun, row: SentRow, listed: Listed): LookedUp {
	const { client, account, payment } = row.request;
	const { entry } = listed;
	if (entry === null) {
		const canBeShown = payment.mark !== null || paymentOf(row).reference !== null;
		const result = withReason(row, payment.mark === null ? withoutMark(row) : NOT_LISTED);
		return { row, result, is: listed.isUnclear ? 'found' : canBeShown ? 'notFound' : 'notAsked' };
	}
	const link = client.redactor.deep(linkIn(entry, account)) as string | null;
	if (isAnswered(row)) {
		if (link === null) return { row, result: withReason(row, NO_ADDRESS), is: 'found' };
		const item = { ...itemIn(row.result), link, linkFrom: 'list' };
		return { row, result: { items: [item] }, is: 'found' };
	}
	const message = 'No answer came, but the service has it in its list of payment links.';
	const result = takenAfterAll(run, row, {
		message: link === null ? `${message} ${NO_ADDRESS}` : message,
		...(link === null ? {} : { link, linkFrom: 'list' }),
	});
	return { row, result, is: 'found' };
}

const isAnswered = ({ result }: SentRow): boolean =>
	!failed(result) && outcomeOfRow(result) !== 'unknown';

/** For a link that was made and is not known, the reason why. */
function withReason(row: SentRow, reason: string): RowResult {
	if (!isAnswered(row)) return row.result;
	const item = itemIn(row.result);
	const said = typeof item.message === 'string' ? withoutEnd(item.message, '. \t\r\n') : '';
	return { items: [{ ...item, message: said === '' ? reason : `${said}. ${reason}` }] };
}

/** Collections are asked about one by one, by their order reference. */
async function askByOrder(
	run: LookUpRun,
	rows: readonly SentRow[],
	all: readonly SentRow[],
): Promise<LookedUp[]> {
	const [first] = rows;
	if (first === undefined) return [];
	const deadline = Date.now() + longestMs(first);
	const answers = new Map<SentRow, Answer>();
	const limited = createLimiter(run.lanes);
	const ask = async (row: SentRow) => {
		const answer = isLate(run, deadline) ? null : await answerAbout(run, row);
		if (answer !== null) answers.set(row, answer);
	};
	const asking = rows
		.filter(mayHaveArrived)
		.map(async (row) => await limited(async () => await ask(row)));
	await within(longestMs(first), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	const known = new Map(answers);
	const recordOf = (row: SentRow) => known.get(row)?.mine ?? null;
	// An order that several rows have names none of them, and neither does a reference.
	const shared = givenAlike(all, (row) => [
		...namesOf(row, recordOf(row)?.reference),
		JSON.stringify([
			row.request.payment.account,
			'order',
			askedBy(run.operation, row.request.prepared) ?? row.place,
		]),
	]);
	return rows.map((row): LookedUp => {
		const answer = known.get(row);
		if (answer === undefined) return notAsked(row);
		const record = shared.has(row) ? null : answer.mine;
		const result = record === null ? row.result : foundByOrder(run, row, record);
		return { row, result, is: answer.isAnything ? 'found' : 'notFound' };
	});
}

interface Answer {
	/** Whether the service has anything by that name, be it another payment. */
	isAnything: boolean;
	/** Its record, where it is certainly this payment's. */
	mine: Record | null;
}

/** Null when the service could not be asked. */
async function answerAbout({ operation }: LookUpRun, row: SentRow): Promise<Answer | null> {
	const { client, options, account, prepared } = row.request;
	const order = askedBy(operation, prepared);
	if (order === null) return null;
	try {
		const asked = { ...options, maxRetries: RETRIES };
		const given = await askForRecord(client, order, 'payin', asked);
		if (given === null) return { isAnything: false, mine: null };
		const record = readRecord(given, account);
		const isMine = whose(record, paymentOf(row), 'order').is === 'mine';
		return { isAnything: true, mine: isMine ? record : null };
	} catch {
		return null;
	}
}

/** The service filed it: as a failure, which releases it, or as a payment that it has. */
function foundByOrder(run: LookUpRun, row: SentRow, record: Record): RowResult {
	const { request, claimResult } = row;
	const { redactor } = request.client;
	const data = redactor.deep(record.raw) as Json;
	if (record.state === 'failed') {
		// What this run has sent may be a second try, and this the record of the first.
		if (claimResult === 'mine') return row.result;
		run.claims.release(request.key);
		const failure = failureOf('recordFailed', { code: record.status });
		return { error: new CallError(failure, subjectOf(run), 'rejected') };
	}
	return takenAfterAll(
		run,
		row,
		{
			message: 'No answer came, but the service knows it by its order reference.',
			data,
			reference: record.reference,
		},
		data.callback_url,
	);
}

const subjectOf = ({ operation }: Pick<LookUpRun, 'operation'>) => ({
	name: operation.name,
	creates: true,
});

/** The service took the row, so no later run may send it. */
function takenAfterAll(
	{ operation, claims }: LookUpRun,
	{ request: { prepared, key, options }, claimResult }: SentRow,
	known: Json,
	/** The callback URL that the service has. */
	url?: unknown,
): RowResult {
	claims.found(key);
	if (options.onDuplicate === 'error' && claimResult !== 'mine') {
		return {
			error: new NotSentError(
				'Not sent: an earlier run of this node sent the same payment, and the service has it',
				`What was sent then still holds. If this is another payment, give it ${nameOfItsOwn(key)}.`,
				'duplicate',
			),
		};
	}
	const sent = claimResult === 'mine' ? prepared : withEarlierUrl(prepared, url);
	return { items: [createItem(operation, 'accepted', sent, { success: true, ...known })] };
}

/** By what the service knows a row: the same for two rows is nobody's. */
function namesOf(row: SentRow, found: string | null = null): string[] {
	const { reference, link } = itemIn(row.result);
	const { account, orderReference } = row.request.payment;
	// A reply that says our own order back names nothing.
	const names = [found ?? reference, link].filter((each) => each !== orderReference);
	return names.flatMap((each) =>
		typeof each === 'string' ? [JSON.stringify([account, each])] : [],
	);
}

/**
 * Rows of which the replies give the same link or reference: a faulty service, or a gateway that
 * repeats an answer. Nobody can say whose it is, nor which of them the service took.
 */
export function doubtSharedReplies(
	run: Pick<LookUpRun, 'operation' | 'claims'>,
	all: readonly Row[],
): SentRow[] {
	const named = all.filter(isReady).filter(wasSent);
	const shared = givenAlike(named, (row) => namesOf(row));
	const doubted = [...shared].filter(({ result }) => outcomeOfRow(result) === 'accepted');
	for (const row of doubted) {
		const { request } = row;
		const failure: Failure = failureOf('namedTwice');
		row.result = {
			error: new CallError(failure, subjectOf(run), 'unknown', request.prepared.shown),
		};
		if (request.isCompared) run.claims.doubt(request.key);
	}
	return doubted;
}
