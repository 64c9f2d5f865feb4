import { ADVICE } from '../../protocol/advice';
import type { CreateOperation } from '../operation';
import type { RunOptions } from '../../fields/options';
import { approves, totalsIn } from '../../payment/fingerprint';
import {
	amountOf,
	hundredthsOf,
	inWords,
	moneyText,
	totalsOf,
	type Money,
	type Total,
} from '../../payment/money';
import { NotSentError } from '../../transport/errors';
import type { ReadyRow } from '../row';
import type { AskedSoFar } from './askedSoFar';

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

/** What an approval names must be the valid rows of the input, whatever was sent of them before. */
export async function notApproved(
	{ operation, options: { approvedFingerprint: approved }, yieldToHost }: BatchRun,
	rows: readonly ReadyRow[],
): Promise<Refusal | null> {
	const [row] = rows;
	if (approved === null || row === undefined) return null;
	const batch = rows.map(({ request }) => request);
	if (await approves(approved, operation.path, batch, yieldToHost)) return null;
	const now = totalsOf(rows.map(moneyIn));
	return {
		row,
		error: new NotSentError(
			`These are not the rows that were approved: ${difference(totalsIn(approved), now)}`,
			`Nothing was sent. ${ADVICE.checkAgain}`,
		),
	};
}

function difference(approved: readonly Total[], now: readonly Total[]): string {
	const [was, is] = [inWords(approved), inWords(now)];
	return was === is
		? `it is ${is} now as then, but something else in them was changed`
		: `approved was ${was}, and now it is ${is}`;
}

export const moneyIn = ({ request }: ReadyRow): Money => request.payment;

/** The first row with which its currency passes the limit. */
export function overTotal(
	maxTotal: string | null,
	rows: readonly ReadyRow[],
	asked?: AskedSoFar,
): Refusal | null {
	if (maxTotal === null) return null;
	const limit = hundredthsOf(maxTotal);
	const sums = new Map<string, bigint>();
	for (const row of rows) {
		const { amount, currency } = moneyIn(row);
		const sum = (sums.get(currency) ?? asked?.of(currency) ?? 0n) + hundredthsOf(amount);
		sums.set(currency, sum);
		if (sum > limit) return { row, error: tooMuch(row, rows, limit, asked) };
	}
	return null;
}

function tooMuch(
	row: ReadyRow,
	rows: readonly ReadyRow[],
	limit: bigint,
	asked?: AskedSoFar,
): NotSentError {
	const { currency } = moneyIn(row);
	const inAll = totalsOf(rows.map(moneyIn)).find((total) => total.currency === currency)!;
	const text = (hundredths: bigint) => moneyText({ amount: amountOf(hundredths), currency });
	const before = asked?.of(currency) ?? 0n;
	const also = before > 0n ? `, after ${text(before)} earlier in this execution` : '';
	return new NotSentError(
		`The rows ask for ${moneyText(inAll)} together${also}, which is more than the ${text(limit)} of 'Max Total'. With ${row.name} it is more`,
		`None of these rows was sent. ${ADVICE.maxTotal}`,
	);
}
