import { askedBy, type CreateOperation } from '../operation';
import type { RowOptions } from '../../fields/options';
import { accountOf } from '../../protocol/credential';
import { ENDPOINTS } from '../../protocol/endpoints';
import { linkInEntry } from '../../protocol/linkEntry';
import { nameOfItsOwn, type PaymentKey } from '../../payment/key';
import { matchLinks, type Match } from '../../payment/matchLinks';
import { readReference } from '../../payment/references';
import { whoseRecord, type AskedPayment } from '../../payment/whose';
import { withoutEnd, type Json } from '../../protocol/parse';
import { entriesOf, referenceFieldIn } from '../../protocol/reply';
import { CallError, NotSentError } from '../../transport/errors';
import { createLimiter, within } from '../../transport/limiter';
import { askForRecord } from '../../transport/status';
import type { Claims } from '../claims/claims';
import { ADD_CALLBACK_URL, needsLinkInReply } from './firstAlone';
import {
	createItem,
	failed,
	itemIn,
	outcomeOfRow,
	type ClaimResult,
	type ReadyRow,
	type RowResult,
} from '../row';

export interface LookUpRun {
	operation: CreateOperation;
	claims: Claims;
	lanes: number;
	/** Ends the waiting when the execution is cancelled. */
	signal: AbortSignal | undefined;
	/** False when nothing but the answers is asked for. */
	findsLinks?: boolean;
	yieldToHost: () => Promise<void>;
}

/** A row that was sent, now or by an earlier run, or may have been. */
type SentRow = ReadyRow & { result: RowResult };

const wasSent = (row: ReadyRow): row is SentRow => row.result !== null;

/** A look-up is tried once more at the most. */
const RETRIES = 1;

/** How long the service is asked, in all: what it does not say by then stays open. */
const longestMs = ({ timeoutSeconds }: RowOptions): number => (RETRIES + 1) * timeoutSeconds * 1000;

/** What is known of a row after the service was asked about it. */
interface LookedUp {
	result: RowResult;
	/** False when the service could not be asked, or may have it: then nobody may send it again. */
	isAbsent: boolean;
}

/**
 * Asks the service about rows whose answer did not come, and for links that no reply held. Gives
 * the results, changed where the service knew more. Nothing that goes wrong here costs a result.
 */
export async function lookUpRows(run: LookUpRun, ready: readonly ReadyRow[]): Promise<LookedUp[]> {
	const rows = ready.filter(wasSent);
	const isAsked = rows.map((row) => isOpen(row) || lacksLink(run, row));
	if (!isAsked.includes(true)) return rows.map(({ result }) => ({ result, isAbsent: true }));
	return run.operation.lookUp === 'list' ? await askList(run, rows) : await askStatus(run, rows);
}

/** What may name the payment of a row. */
function paymentOf(
	operation: CreateOperation,
	{ request: { prepared, key, isCompared }, claimResult, result }: SentRow,
): AskedPayment {
	const { params, payment } = prepared;
	const { callback_url: url, mobile } = params;
	const reference = readReference(itemIn(result).reference);
	return {
		reference,
		callbackUrl: typeof url === 'string' ? url : null,
		sentBefore: claimResult !== 'mine' && claimResult !== 'free',
		orderReference: payment.orderReference,
		ownReference: askedBy(operation, prepared),
		isOneOfSeveral: key.by === 'duplicateKey' || !isCompared,
		mayBeTriedAgain: operation.lookUp === 'list',
		amount: payment.amount,
		currency: payment.currency,
		mobile: typeof mobile === 'string' ? mobile : null,
		sent: params,
		referenceField: referenceFieldIn(itemIn(result).data),
	};
}

/** Sent by this run, or perhaps by another one of which the answer is not known. */
const MAY_BE_THERE: readonly ClaimResult[] = ['mine', 'unanswered', 'unclear', 'doubtful'];

/** A row that may have been taken, and is known well enough to be found again. */
const isOpen = ({ request: { isCompared }, claimResult, result }: SentRow): boolean =>
	outcomeOfRow(result) === 'unknown' &&
	// Of a payment that is sent several times on purpose, nobody can say which one was found.
	isCompared &&
	MAY_BE_THERE.includes(claimResult) &&
	!(failed(result) && wasRedirected(result.error));

/** A service that redirects a create redirects the question as well. */
const wasRedirected = (error: unknown): boolean =>
	error instanceof CallError && error.failure.kind === 'redirected';

const lacksLink = (
	{ operation, findsLinks = true }: LookUpRun,
	{ claimResult, result }: SentRow,
): boolean =>
	findsLinks &&
	operation.lookUp === 'list' &&
	!failed(result) &&
	['accepted', 'duplicate'].includes(outcomeOfRow(result)) &&
	// An earlier run sent other values for this order.
	claimResult !== 'answeredWithOtherValues' &&
	itemIn(result).link === null;

/** The list is asked for once for each account that has something to look for. */
async function askList(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const found = rows.map(({ result }): LookedUp => ({ result, isAbsent: true }));
	for (const group of byAccount(rows)) {
		const isAsked = group.map(({ row }) => isOpen(row) || lacksLink(run, row));
		if (!isAsked.includes(true)) continue;
		const matches = await matchesOf(
			run,
			group.map(({ row }) => row),
		);
		group.forEach(({ row, place }, index) => {
			const match = matches[index];
			if (!isAsked[index] || match === undefined) return;
			const isAbsent = match.entry === null && match.why === 'absent';
			found[place] = { result: withMatch(run, row, match), isAbsent };
		});
	}
	return found;
}

function byAccount(rows: readonly SentRow[]): Array<Array<{ row: SentRow; place: number }>> {
	const accounts = new Map<string, Array<{ row: SentRow; place: number }>>();
	rows.forEach((row, place) => {
		const account = JSON.stringify(accountOf(row.request.account));
		const known = accounts.get(account) ?? [];
		known.push({ row, place });
		accounts.set(account, known);
	});
	return [...accounts.values()];
}

type ListMatch = Match | { entry: null; why: 'late' | 'failed' };

async function matchesOf(run: LookUpRun, group: readonly SentRow[]): Promise<ListMatch[]> {
	const [first] = group;
	if (first === undefined) return [];
	const { client, options, account } = first.request;
	const none = (why: 'late' | 'failed') => group.map(() => ({ entry: null, why }));
	try {
		const asked = { ...options, maxRetries: RETRIES };
		const reply = await within(
			longestMs(options),
			client.list(ENDPOINTS.listPaymentLinks, asked, 'the payment links'),
			run.signal,
		);
		if (reply === null) return none('late');
		const entries = entriesOf(reply);
		if (entries === null) return none('failed');
		const links = group.map((row) => paymentOf(run.operation, row));
		return await matchLinks(entries, links, account, run.yieldToHost);
	} catch {
		return none('failed');
	}
}

/** How each of the reasons below begins. */
const NO_LINK_FOUND = 'No link was found';

const NO_LINK: Readonly<Record<(ListMatch & { entry: null })['why'] | 'noAddress', string>> = {
	absent: `${NO_LINK_FOUND}: it is not in the list of payment links.`,
	hidden: `${NO_LINK_FOUND}: it is not in the list of payment links, or cannot be told apart there.`,
	several: `${NO_LINK_FOUND}: more than one entry of the list of payment links could be this one.`,
	late: `${NO_LINK_FOUND}: the list of payment links took too long.`,
	failed: `${NO_LINK_FOUND}: the list of payment links could not be read.`,
	noAddress: `${NO_LINK_FOUND}: its entry in the list of payment links holds no address that is certainly the link.`,
};

const withoutUrl = (key: PaymentKey): string =>
	`${NO_LINK_FOUND}: the reply held none, and without a callback URL it cannot be told apart in the list. ${ADD_CALLBACK_URL} To get a link for this payment, also give it ${nameOfItsOwn(key)}, because it was sent already.`;

function withMatch(run: LookUpRun, row: SentRow, match: ListMatch): RowResult {
	const { request, result } = row;
	const link = match.entry === null ? null : request.client.redactor.deep(linkInEntry(match.entry));
	const why = match.entry === null ? match.why : 'noAddress';
	const found = link === null ? {} : { link, linkFrom: 'list' };
	if (!failed(result) && outcomeOfRow(result) !== 'unknown') {
		const item = itemIn(result);
		if (link !== null) return { items: [{ ...item, ...found }] };
		const reason = needsLinkInReply(run.operation, row) ? withoutUrl(request.key) : NO_LINK[why];
		return { items: [{ ...item, message: sentence(item.message, reason) }] };
	}
	if (match.entry === null) return result;
	const message = 'No answer came, but the service has it in its list of payment links.';
	return takenAfterAll(run, row, {
		message: link === null ? `${message} ${NO_LINK[why]}` : message,
		...found,
	});
}

const sentence = (message: unknown, next: string): string =>
	typeof message === 'string' && message !== ''
		? `${withoutEnd(message, '. \t\r\n')}. ${next}`
		: next;

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
	const sent =
		claimResult === 'mine' ? prepared : { ...prepared, shown: withUrl(prepared.shown, url) };
	return { items: [createItem(operation, 'accepted', sent, { success: true, ...known })] };
}

/** What an earlier run sent had its own callback URL, and nobody calls back to this one's. */
function withUrl(shown: Json, url: unknown): Json {
	const sent = { ...shown };
	delete sent.callback_url;
	return typeof url === 'string' ? { ...sent, callback_url: url } : sent;
}

/** Each row by its order reference, which is what the service was given to know it by. */
async function askStatus(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const [first] = rows;
	if (first === undefined) return [];
	const limited = createLimiter(run.lanes);
	const found = rows.map((row): LookedUp => ({
		result: row.result,
		isAbsent: !isOpen(row) || !canBeAsked(row),
	}));
	const asking = rows.map(async (row, place) => {
		if (!isOpen(row) || !canBeAsked(row)) return;
		found[place] = await limited(async () => await askAbout(run, row));
	});
	await within(longestMs(first.request.options), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	return [...found];
}

const canBeAsked = ({ request: { prepared } }: SentRow): boolean =>
	prepared.payment.orderReference !== null;

async function askAbout(run: LookUpRun, row: SentRow): Promise<LookedUp> {
	const { result, request } = row;
	const { client, options, account } = request;
	const payment = paymentOf(run.operation, row);
	try {
		const record = await askForRecord(client, payment.ownReference ?? '', 'payin', {
			...options,
			maxRetries: RETRIES,
		});
		if (record === null) return { result, isAbsent: true };
		if (whoseRecord(record, payment, account, 'order').is !== 'mine') {
			return { result, isAbsent: false };
		}
		const taken = takenAfterAll(
			run,
			row,
			{
				message: 'No answer came, but the service knows it by its order reference.',
				data: client.redactor.deep(record),
				reference: readReference(record.ref),
			},
			client.redactor.deep(record.callback_url),
		);
		return { result: taken, isAbsent: false };
	} catch {
		return { result, isAbsent: false };
	}
}
