import type { CreateOperation } from '../actions/operation';
import type { RowOptions } from '../fields/options';
import { accountOf } from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { linkInEntry } from '../protocol/listedLink';
import { isMarkedWith, readMark } from '../payment/mark';
import { isRecord, type Json } from '../protocol/parse';
import { entriesOf } from '../protocol/reply';
import { sameValue } from '../payment/sameValue';
import { CallError, NotSentError } from '../transport/errors';
import { createLimiter, within } from '../transport/limiter';
import type { ReadyRow } from './checkRows';
import type { Permission } from './claimRows';
import type { Claims } from './claims';
import { nameOfItsOwn } from '../payment/key';
import { matchLinks, type Match } from '../payment/listedLinks';
import { createItem, failed, outcomeOfRow, type RowResult } from './result';

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
export interface SentRow {
	ready: ReadyRow;
	permission: Permission;
	result: RowResult;
}

/** A look-up is tried once more at the most. */
const RETRIES = 1;

/** How long the service is asked, in all: what it does not say by then stays open. */
const longestMs = ({ timeoutSeconds }: RowOptions): number => (RETRIES + 1) * timeoutSeconds * 1000;

/**
 * Asks the service about rows whose answer did not come, and for links that no reply held. Gives
 * the results, changed where the service knew more. Nothing that goes wrong here costs a result.
 */
export async function lookUpRows(
	run: LookUpRun,
	rows: readonly SentRow[],
): Promise<readonly RowResult[]> {
	const isAsked = rows.map((row) => isOpen(row) || lacksLink(run, row));
	if (!isAsked.includes(true)) return rows.map(({ result }) => result);
	return run.operation.lookUp === 'list' ? await askList(run, rows) : await askStatus(run, rows);
}

/** Sent by this run, or perhaps by another one of which the answer is not known. */
const MAY_BE_THERE: readonly Permission[] = ['mine', 'unanswered', 'unclear', 'doubtful'];

/** A row that may have been taken, and is known well enough to be found again. */
const isOpen = ({ ready: { options, identity }, permission, result }: SentRow): boolean =>
	outcomeOfRow(result) === 'unknown' &&
	options.onUnknown === 'lookUp' &&
	// Of a payment that is sent several times on purpose, nobody can say which one was found.
	identity !== null &&
	MAY_BE_THERE.includes(permission) &&
	!(failed(result) && wasRedirected(result.error));

/** Whoever sends us elsewhere would do so with the question, too. */
const wasRedirected = (error: unknown): boolean =>
	error instanceof CallError && error.failure.kind === 'redirected';

const lacksLink = (
	{ operation, findsLinks = true }: LookUpRun,
	{ ready, permission, result }: SentRow,
): boolean =>
	findsLinks &&
	operation.lookUp === 'list' &&
	ready.options.findLink &&
	!failed(result) &&
	['accepted', 'duplicate'].includes(outcomeOfRow(result)) &&
	// What an earlier run sent was something else.
	permission !== 'answeredOtherwise' &&
	result.items[0]!.link === null;

/** The list is asked for once for each account that has something to look for. */
async function askList(run: LookUpRun, rows: readonly SentRow[]): Promise<RowResult[]> {
	const results = rows.map(({ result }) => result);
	for (const places of byAccount(rows)) {
		const group = places.map((place) => rows[place]!);
		const isAsked = group.map((row) => isOpen(row) || lacksLink(run, row));
		if (!isAsked.includes(true)) continue;
		const matches = await matchesOf(run, group);
		places.forEach((place, index) => {
			if (isAsked[index]) results[place] = withMatch(run, group[index]!, matches[index]!);
		});
	}
	return results;
}

function byAccount(rows: readonly SentRow[]): number[][] {
	const accounts = new Map<string, number[]>();
	rows.forEach(({ ready }, place) => {
		const account = JSON.stringify(accountOf(ready.account));
		const places = accounts.get(account) ?? [];
		places.push(place);
		accounts.set(account, places);
	});
	return [...accounts.values()];
}

type ListMatch = Match | { entry: null; why: 'late' | 'failed' };

async function matchesOf(run: LookUpRun, group: readonly SentRow[]): Promise<ListMatch[]> {
	const { client, options } = group[0]!.ready;
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
		const links = group.map(({ ready: { mark, prepared, identity } }) => ({
			mark,
			params: prepared.params,
			orderReference: prepared.payment.orderReference,
			knownBy: identity?.by,
		}));
		return await matchLinks(entries, links, run.yieldToHost);
	} catch {
		return none('failed');
	}
}

/** Begins each of the reasons below. */
export const NO_LINK_FOUND = 'No link was found';

const NO_LINK: Readonly<Record<'absent' | 'several' | 'late' | 'failed' | 'noAddress', string>> = {
	absent: `${NO_LINK_FOUND}: the list of payment links has no entry that is certainly this one.`,
	several: `${NO_LINK_FOUND}: more than one entry of the list of payment links could be this one.`,
	late: `${NO_LINK_FOUND}: the list of payment links took too long.`,
	failed: `${NO_LINK_FOUND}: the list of payment links could not be read.`,
	noAddress: `${NO_LINK_FOUND}: its entry in the list of payment links holds no address that is certainly the link.`,
};

function withMatch(run: LookUpRun, row: SentRow, match: ListMatch): RowResult {
	const { ready, result } = row;
	const link = match.entry === null ? null : ready.client.redactor.deep(linkInEntry(match.entry));
	const why = match.entry === null ? match.why : 'noAddress';
	const found = link === null ? {} : { link, linkFrom: 'list' };
	if (!failed(result) && outcomeOfRow(result) !== 'unknown') {
		const item = result.items[0]!;
		if (link !== null) return { items: [{ ...item, ...found }] };
		return { items: [{ ...item, message: sentence(item.message, NO_LINK[why]) }] };
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
		? `${message.replace(/[.\s]+$/, '')}. ${next}`
		: next;

/** The service took the row, so no later run may send it. */
function takenAfterAll(
	{ operation, claims }: LookUpRun,
	{ ready: { prepared, identity, options }, permission }: SentRow,
	known: Json,
	/** The callback URL that the service has. */
	url?: unknown,
): RowResult {
	claims.found(identity!.key);
	if (options.onDuplicate === 'error' && permission !== 'mine') {
		return {
			error: new NotSentError(
				'Not sent: an earlier run of this node sent the same payment, and the service has it',
				`What was sent then still holds. If this is another payment, give it ${nameOfItsOwn(identity!)}.`,
				'duplicate',
			),
		};
	}
	const sent =
		permission === 'mine' ? prepared : { ...prepared, shown: withUrl(prepared.shown, url) };
	return { items: [createItem(operation, 'accepted', sent, { success: true, ...known })] };
}

/** What an earlier run sent had its own callback URL, and nobody calls back to this one's. */
function withUrl(shown: Json, url: unknown): Json {
	const sent = { ...shown };
	delete sent.callback_url;
	return typeof url === 'string' ? { ...sent, callback_url: url } : sent;
}

/** Each row by its order reference, which is what the service was given to know it by. */
async function askStatus(run: LookUpRun, rows: readonly SentRow[]): Promise<RowResult[]> {
	const limited = createLimiter(run.lanes);
	const results = rows.map(({ result }) => result);
	const asking = rows.map(async (row, place) => {
		if (isOpen(row)) results[place] = await limited(async () => await askAbout(run, row));
	});
	await within(longestMs(rows[0]!.ready.options), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	return [...results];
}

async function askAbout(run: LookUpRun, row: SentRow): Promise<RowResult> {
	const { client, options, prepared } = row.ready;
	const { orderReference } = prepared.payment;
	if (orderReference === null) return row.result;
	try {
		const { data } = await client.query(
			ENDPOINTS.statusV3,
			{ id: orderReference, type: 'payin' },
			{ ...options, maxRetries: RETRIES },
			'the transaction status',
		);
		if (!isRecord(data) || !isAbout(data, row.ready)) return row.result;
		const { ref } = data;
		return takenAfterAll(
			run,
			row,
			{
				message: 'No answer came, but the service knows it by its order reference.',
				data: client.redactor.deep(data),
				reference: typeof ref === 'string' || typeof ref === 'number' ? String(ref) : null,
			},
			client.redactor.deep(data.callback_url),
		);
	} catch {
		return row.result;
	}
}

/** Whether a record is that of a row: amount and currency are stated, and nothing speaks against it. */
function isAbout(record: Json, { prepared, account, mark, identity }: ReadyRow): boolean {
	const { params, payment } = prepared;
	const url = record.callback_url;
	// An order may have several payments that differ in their key only.
	if (identity!.by === 'duplicateKey') {
		if (mark === null || typeof url !== 'string' || !isMarkedWith(url, mark)) return false;
	}
	const isEqual = ['amount', 'currency', 'mobile', 'third_party_reference_1'].every((name) => {
		const stated = record[name];
		if (stated === undefined || stated === null || stated === '') {
			return name !== 'amount' && name !== 'currency';
		}
		return name === 'mobile'
			? digits(stated) === digits(params.mobile)
			: sameValue(name, stated, params[name]);
	});
	if (!isEqual || typeof url !== 'string') return isEqual;
	const stated = readMark(account, url);
	if (stated.kind === 'absent') return true;
	if (mark !== null) return isMarkedWith(url, mark);
	return stated.kind === 'valid' && stated.orderReference === payment.orderReference;
}

const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
