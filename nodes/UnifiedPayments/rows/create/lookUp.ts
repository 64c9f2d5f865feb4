import { accountOf } from '../../protocol/credential';
import { ENDPOINTS } from '../../protocol/endpoints';
import { linkInEntry } from '../../protocol/linkEntry';
import { matchLinks, type Match } from '../../payment/matchLinks';
import { withoutEnd } from '../../protocol/parse';
import { entriesOf } from '../../protocol/reply';
import { within } from '../../transport/limiter';
import { askStatus } from './lookUpByOrder';
import { failed, itemIn, lacksLink, outcomeOfRow, type RowRequest, type RowResult } from '../row';
import {
	isOpen,
	longestMs,
	paymentOf,
	RETRIES,
	takenAfterAll,
	type LookedUp,
	type LookUpRun,
	type SentRow,
} from './sentRow';

/**
 * Asks the service about rows whose answer did not come, and for links that no reply held. Gives
 * the results, changed where the service knew more. Nothing that goes wrong here costs a result.
 */
export async function lookUpRows(
	run: LookUpRun,
	rows: readonly SentRow[],
	/** All rows of this run that were sent, these among them. */
	all = rows,
): Promise<LookedUp[]> {
	return run.operation.lookUp === 'list'
		? await askList(run, rows)
		: await askStatus(run, rows, all);
}

const isToFind = ({ result }: SentRow): boolean => lacksLink(result);

/** The list is asked for once for each account that has something to look for. */
async function askList(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const { findsLinks = true } = run;
	const isAsked = (row: SentRow) => isOpen(row) || (findsLinks && isToFind(row));
	const found = rows.map((row): LookedUp => ({ row, result: row.result, isAbsent: true }));
	for (const { request, members } of byAccount(found)) {
		if (!members.some(({ row }) => isAsked(row))) continue;
		const group = members.map(({ row }) => row);
		for (const [index, match] of (await matchesOf(run, request, group)).entries()) {
			const each = members[index];
			if (each === undefined) continue;
			each.isContradicted = match.why === 'another';
			if (!isAsked(each.row)) continue;
			each.result = withMatch(run, each.row, match);
			each.isAbsent = match.why === 'absent';
		}
	}
	return found;
}

interface Group {
	/** One of theirs. */
	request: RowRequest;
	members: LookedUp[];
}

function byAccount(found: readonly LookedUp[]): Iterable<Group> {
	const accounts = new Map<string, Group>();
	for (const each of found) {
		const { request } = each.row;
		const account = JSON.stringify(accountOf(request.account));
		const known = accounts.get(account) ?? { request, members: [] };
		known.members.push(each);
		accounts.set(account, known);
	}
	return accounts.values();
}

type ListMatch = Match | { entry: null; why: 'late' | 'failed' };

async function matchesOf(
	run: LookUpRun,
	{ client, options, account }: RowRequest,
	group: readonly SentRow[],
): Promise<ListMatch[]> {
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
		const matches = await matchLinks(entries, links, account, run.yieldToHost);
		// What is not on this page may be on another one.
		return reply.isPaged ? matches.map(hiddenIfAbsent) : matches;
	} catch {
		return none('failed');
	}
}

const hiddenIfAbsent = (match: Match): Match =>
	match.why === 'absent' ? { entry: null, why: 'hidden' } : match;

const NO_LINK_FOUND = 'No link was found';

const NO_LINK: Readonly<Record<NonNullable<ListMatch['why']> | 'noAddress', string>> = {
	absent: `${NO_LINK_FOUND}: it is not in the list of payment links.`,
	hidden: `${NO_LINK_FOUND}: it is not in the list of payment links, or cannot be told apart there.`,
	several: `${NO_LINK_FOUND}: more than one entry of the list of payment links could be this one.`,
	another: `${NO_LINK_FOUND}: the entry that the reply named is that of another payment.`,
	late: `${NO_LINK_FOUND}: the list of payment links took too long.`,
	failed: `${NO_LINK_FOUND}: the list of payment links could not be read.`,
	noAddress: `${NO_LINK_FOUND}: its entry in the list of payment links holds no address that is certainly the link.`,
};

function withMatch(run: LookUpRun, row: SentRow, match: ListMatch): RowResult {
	const { request, result } = row;
	const link = match.entry === null ? null : request.client.redactor.deep(linkInEntry(match.entry));
	const why = match.why ?? 'noAddress';
	const found = link === null ? {} : { link, linkFrom: 'list' };
	if (!failed(result) && outcomeOfRow(result) !== 'unknown') {
		const item = itemIn(result);
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
		? `${withoutEnd(message, '. \t\r\n')}. ${next}`
		: next;
