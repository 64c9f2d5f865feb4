import type { CreateOperation } from '../operation';
import type { RunOptions } from '../../fields/options';
import { approves, totalsIn, type SendableRow } from '../../payment/fingerprint';
import {
	amountOf,
	hundredthsOf,
	inWords,
	moneyText,
	totalsOf,
	type Total,
} from '../../payment/money';
import { NotSentError } from '../../transport/errors';
import type { Claims } from '../claims/claims';
import { isToSend, outcomeOfRow, type ClaimResult, type ReadyRow } from '../row';
import { peekRows } from './sendRow';

interface BatchRun {
	operation: CreateOperation;
	options: RunOptions;
	/** Lets n8n do other things. */
	yieldToHost: () => Promise<void>;
}

/** Why none of the rows is sent, and the row by which that shows. */
interface Refusal {
	row: ReadyRow;
	error: NotSentError;
}

type Limit = (run: BatchRun, rows: readonly ReadyRow[]) => Promise<Refusal | null>;

/**
 * What must hold for all rows together, before the first is sent. Rows that earlier runs sent do
 * not count, but that has to be looked up, so it is only where they would make a difference.
 */
export async function checkBatch(
	run: BatchRun & { claims: Claims },
	rows: readonly ReadyRow[],
): Promise<Refusal | null> {
	const limits: Limit[] = [];
	for (const limit of [notApproved, overTotal]) {
		if ((await limit(run, rows)) !== null) limits.push(limit);
	}
	if (limits.length === 0) return null;
	const claimResults = await peekRows(run, rows).catch(() => []);
	const left = rows.filter(
		(row, index) => wasTaken(row) || mayBeSent(claimResults[index] ?? 'free'),
	);
	for (const limit of limits) {
		const refusal = await limit(run, left);
		if (refusal !== null) return refusal;
	}
	return null;
}

/** Sent by an earlier try of this very run; what an earlier run sent does not count. */
const wasTaken = ({ claimResult, result }: ReadyRow): boolean =>
	result !== null &&
	isToSend(claimResult) &&
	['accepted', 'unknown'].includes(outcomeOfRow(result));

/** What another run is sending at this moment may be free again by the time of its turn. */
const mayBeSent = (claimResult: ClaimResult): boolean =>
	isToSend(claimResult) || claimResult === 'underWay';

/** What a fingerprint is made of: what the user gave, without what this node adds to it. */
export const sendable = (
	{ path }: CreateOperation,
	{ request: { account, given, isAwaited } }: ReadyRow,
): SendableRow => ({
	account,
	path,
	params: given.params,
	twoDecimals: given.twoDecimals,
	money: given.payment,
	orderReference: given.payment.orderReference,
	isAwaited,
});

/** What an approval names must be what would be sent. */
const notApproved: Limit = async (
	{ operation, options: { approvedFingerprint: approved }, yieldToHost },
	rows,
) => {
	const [row] = rows;
	if (approved === null || row === undefined) return null;
	const batch = rows.map((each) => sendable(operation, each));
	if (await approves(approved, batch, yieldToHost)) return null;
	const now = totalsOf(batch.map(({ money }) => money));
	return {
		row,
		error: new NotSentError(
			`These are not the rows that were approved: ${difference(totalsIn(approved), now)}`,
			"Nothing was sent. Run 'Check' again with these rows, with the same settings as here, and have the new fingerprint approved.",
		),
	};
};

function difference(approved: readonly Total[], now: readonly Total[]): string {
	const [was, is] = [inWords(approved), inWords(now)];
	return was === is
		? `it is ${is} now as then, but something else in them was changed`
		: `approved was ${was}, and now it is ${is}`;
}

/** The first row with which its currency passes the limit. */
export const overTotal: Limit = async ({ options: { maxTotal } }, rows) => {
	if (maxTotal === null) return null;
	const limit = hundredthsOf(maxTotal);
	const totals = totalsOf(rows.map(({ request }) => request.prepared.payment));
	const inAll = new Map(totals.map((total) => [total.currency, moneyText(total)]));
	const sums = new Map<string, bigint>();
	for (const row of rows) {
		const { amount, currency } = row.request.prepared.payment;
		const sum = (sums.get(currency) ?? 0n) + hundredthsOf(amount);
		sums.set(currency, sum);
		if (sum <= limit) continue;
		const max = moneyText({ amount: amountOf(limit), currency });
		return {
			row,
			error: new NotSentError(
				`The rows ask for ${inAll.get(currency)} together, which is more than the ${max} of 'Max Total'. With ${row.name} it is more`,
				"Nothing was sent. If the rows are right, raise 'Max Total' in the options; if not, correct or remove some of them.",
			),
		};
	}
	return null;
};
