import { adviceWith } from '../../protocol/advice';
import { nameOfItsOwn } from '../../payment/key';
import { linkIn } from '../../payment/link';
import { findEntries, type Listed } from '../../payment/list';
import { readRecord, type Record } from '../../payment/record';
import { givenAlike, whose } from '../../payment/whose';
import { ENDPOINTS } from '../../protocol/endpoints';
import { withoutEnd, type Json } from '../../protocol/parse';
import { entriesOf } from '../../protocol/reply';
import { CallError, NotSentError } from '../../transport/errors';
import { createLimiter, within } from '../../transport/limiter';
import { askForRecord } from '../../transport/status';
import { failureOf } from '../../transport/verdict';
import type { Claims } from '../claims/claims';
import type { CreateOperation } from '../operation';
import {
	createItem,
	failed,
	itemIn,
	lacksLink,
	outcomeOfRow,
	type ReadyRow,
	type RowResult,
} from '../row';
import { mayHaveArrived, paymentOf, withEarlierUrl, type SentRow } from './sentRow';

export interface LookUpRun {
	operation: CreateOperation;
	claims: Claims;
	lanes: number;
	/** Ends the asking when the execution is cancelled. */
	signal: AbortSignal;
	yieldToHost: () => Promise<void>;
}

/** What is known of a row after the service was asked about it. */
export interface LookedUp extends SentRow {
	/** `found`: the service has it, or something that may be it. `notAsked`: it could not be asked. */
	readonly is: 'found' | 'notFound' | 'notAsked';
}

/** A look-up is tried once more at the most. */
const RETRIES = 1;

/** After so long nothing more is asked: what the service does not say by then stays open. */
const longestMs = ({ row }: SentRow): number =>
	(RETRIES + 1) * row.request.options.timeoutSeconds * 1000;

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
	all: readonly SentRow[],
): Promise<LookedUp[]> => {
	const isLink = ({ row }: SentRow) => row.request.payment.kind === 'link';
	return rows.some(isLink) ? await askList(run, rows) : await askByOrder(run, rows, all);
};

const notAsked = (sent: SentRow): LookedUp => ({ ...sent, is: 'notAsked' });

/** The list is asked for once for each account that has something to look for. */
async function askList(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const isAsked = (sent: SentRow) => mayHaveArrived(sent) || lacksLink(sent.result);
	const found: LookedUp[] = [];
	for (const group of byAccount(rows)) {
		const listed = group.some(isAsked) ? await listedOf(run, group) : null;
		for (const [at, sent] of group.entries()) {
			const shown = listed?.[at];
			if (!isAsked(sent)) found.push(notAsked(sent));
			else if (shown === undefined) found.push(notAsked(withReason(sent, LIST_FAILED)));
			else found.push(fromList(run, sent, shown));
		}
	}
	return found;
}

function byAccount(rows: readonly SentRow[]): Iterable<SentRow[]> {
	const accounts = new Map<string, SentRow[]>();
	for (const sent of rows) {
		const account = sent.row.request.payment.account.join(' ');
		const known = accounts.get(account);
		if (known) known.push(sent);
		else accounts.set(account, [sent]);
	}
	return accounts.values();
}

/** What the list shows of each; null when it could not be read in time. */
async function listedOf(run: LookUpRun, group: readonly SentRow[]): Promise<Listed[] | null> {
	const [first] = group as readonly [SentRow];
	const { client, options, account } = first.row.request;
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
const withoutMark = ({ row }: SentRow): string =>
	`${NO_LINK}: the reply held none, and without our mark it cannot be told apart in the list. ${adviceWith('linkByMark', nameOfItsOwn(row.request.payment.key))}`;

function fromList(run: LookUpRun, sent: SentRow, listed: Listed): LookedUp {
	const { row, result } = sent;
	const { client, account, payment, prepared } = row.request;
	const { entry } = listed;
	if (entry === null) {
		const canBeShown = payment.mark !== null || paymentOf(sent).reference !== null;
		return {
			...withReason(sent, payment.mark === null ? withoutMark(sent) : NOT_LISTED),
			is: listed.isUnclear ? 'found' : canBeShown ? 'notFound' : 'notAsked',
		};
	}
	const link = client.redactor.deep(linkIn(entry, account, prepared.params)) as string | null;
	if (isAnswered(sent)) {
		if (link === null) return { ...withReason(sent, NO_ADDRESS), is: 'found' };
		const item = { ...itemIn(result), link, linkFrom: 'list' };
		return { row, result: { items: [item] }, is: 'found' };
	}
	const message = 'No answer came, but the service has it in its list of payment links.';
	const taken = takenAfterAll(run, row, {
		message: link === null ? `${message} ${NO_ADDRESS}` : message,
		...(link === null ? {} : { link, linkFrom: 'list' }),
	});
	return { row, result: taken, is: 'found' };
}

const isAnswered = ({ result }: SentRow): boolean =>
	!failed(result) && outcomeOfRow(result) !== 'unknown';

/** For a link that was made and is not known, the reason why. */
function withReason(sent: SentRow, reason: string): SentRow {
	if (!isAnswered(sent)) return sent;
	const item = itemIn(sent.result);
	const said = typeof item.message === 'string' ? withoutEnd(item.message, '. \t\r\n') : '';
	const message = said === '' ? reason : `${said}. ${reason}`;
	return { row: sent.row, result: { items: [{ ...item, message }] } };
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
	const ask = async (sent: SentRow) => {
		const answer = isLate(run, deadline) ? null : await answerAbout(sent);
		if (answer !== null) answers.set(sent, answer);
	};
	const asking = rows
		.filter(mayHaveArrived)
		.map(async (sent) => await limited(async () => await ask(sent)));
	await within(longestMs(first), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	const known = new Map(answers);
	// An order that several rows have names none of them, and neither does a reference.
	const shared = givenAlike(all, (sent) => {
		const { account, ownReference } = sent.row.request.payment;
		const order = JSON.stringify([account, 'order', ownReference ?? sent.row.place]);
		return [...namesOf(sent, known.get(sent)?.mine?.reference), order];
	});
	return rows.map((sent): LookedUp => {
		const answer = known.get(sent);
		if (answer === undefined) return notAsked(sent);
		const { row } = sent;
		const record = shared.has(sent) ? null : answer.mine;
		const result = record === null ? sent.result : foundByOrder(run, sent, record);
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
async function answerAbout(sent: SentRow): Promise<Answer | null> {
	const { client, options, account, payment } = sent.row.request;
	const { ownReference: order } = payment;
	if (order === null) return null;
	try {
		const asked = { ...options, maxRetries: RETRIES };
		const given = await askForRecord(client, order, 'payin', asked);
		if (given === null) return { isAnything: false, mine: null };
		const record = readRecord(given, account);
		const isMine = whose(record, paymentOf(sent), 'order').is === 'mine';
		return { isAnything: true, mine: isMine ? record : null };
	} catch {
		return null;
	}
}

/** The service filed it: as a failure, which releases it, or as a payment that it has. */
function foundByOrder(run: LookUpRun, { row, result }: SentRow, record: Record): RowResult {
	const { request, claim } = row;
	const { redactor } = request.client;
	const data = redactor.deep(record.raw) as Json;
	if (record.state === 'failed') {
		// What this run has sent may be a second try, and this the record of the first.
		if (claim === 'mine') return result;
		run.claims.release(request.payment.key);
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
	{ request, claim }: ReadyRow,
	known: Json,
	/** The callback URL that the service has. */
	url?: unknown,
): RowResult {
	const { key } = request.payment;
	claims.found(key);
	if (request.options.onDuplicate === 'error' && claim !== 'mine') {
		return {
			error: new NotSentError(
				'Not sent: an earlier run of this node sent the same payment, and the service has it',
				`What was sent then still holds. ${adviceWith('anotherPayment', nameOfItsOwn(key))}`,
				'duplicate',
			),
		};
	}
	const sent = claim === 'mine' ? request : withEarlierUrl(request, url);
	return { items: [createItem(operation, 'accepted', sent, { success: true, ...known })] };
}

/** By what the service knows a row: the same for two rows is nobody's. */
function namesOf({ row, result }: SentRow, found: string | null = null): string[] {
	const { reference, link } = itemIn(result);
	const { account, orderReference } = row.request.payment;
	// A reply that says our own order back names nothing.
	const names = [found ?? reference, link].filter((each) => each !== orderReference);
	return names.flatMap((each) =>
		typeof each === 'string' ? [JSON.stringify([account, each])] : [],
	);
}

/**
 * All rows, with those in doubt of which the replies give the same link or reference: a faulty service,
 * or a gateway that repeats an answer. Nobody can say whose it is, nor which of them the service took.
 */
export function doubtSharedReplies(
	run: Pick<LookUpRun, 'operation' | 'claims'>,
	all: readonly SentRow[],
): SentRow[] {
	const shared = givenAlike(all, (sent) => namesOf(sent));
	return all.map((sent) => {
		if (!shared.has(sent) || outcomeOfRow(sent.result) !== 'accepted') return sent;
		const { row } = sent;
		const { payment, prepared, isCompared } = row.request;
		if (isCompared) run.claims.doubt(payment.key);
		const failure = failureOf('namedTwice');
		return {
			row,
			result: { error: new CallError(failure, subjectOf(run), 'unknown', prepared.shown) },
		};
	});
}
