import type { CreateOperation } from '../actions/operation';
import { fingerprintOf, totalsIn, type SendableRow } from '../payment/fingerprint';
import {
	amountOf,
	hundredthsOf,
	inWords,
	moneyText,
	toHundredths,
	totalsOf,
	type Total,
} from '../payment/money';
import { NotSentError } from '../transport/errors';
import { isAwaited, type ReadyRow } from './checkRows';
import { peekRows, type Permission } from './claimRows';
import type { Claims } from './claims';
import type { RowNames } from './rowNames';
import { isToSend } from './sendRow';

interface GateRun {
	operation: CreateOperation;
	names: RowNames;
}

/** A row that may be sent, and its place in the input. */
export interface PlacedRow {
	row: number;
	ready: ReadyRow;
}

/** Why none of the rows is sent, and the row by which that shows. */
interface Refusal {
	row: number;
	error: NotSentError;
}

type Look = (run: GateRun, rows: readonly PlacedRow[]) => Refusal | null;

/** How many rows are looked up together. */
const LOOKED_UP = 1000;

/**
 * What must hold for all rows together, before the first is sent. Rows that earlier runs sent do
 * not count, but that has to be looked up, so it is only where they would make a difference.
 */
export async function refusalOf(
	run: GateRun & { claims: Claims; yieldToHost: () => Promise<void> },
	rows: readonly PlacedRow[],
): Promise<Refusal | null> {
	const looks = [notApproved, overTotal].filter((look) => look(run, rows) !== null);
	if (looks.length === 0) return null;
	const left: PlacedRow[] = [];
	for (let at = 0; at < rows.length; at += LOOKED_UP) {
		const chunk = rows.slice(at, at + LOOKED_UP);
		const permissions = await peekRows(
			run.claims,
			chunk.map(({ ready }) => ready),
		).catch(() => null);
		left.push(
			...chunk.filter((_, index) => permissions === null || mayBeSent(permissions[index]!)),
		);
		await run.yieldToHost();
	}
	if (left.length === 0) return null;
	for (const look of looks) {
		const refusal = look(run, left);
		if (refusal !== null) return refusal;
	}
	return null;
}

/** What another run is sending at this moment may be free again by the time of its turn. */
const mayBeSent = (permission: Permission): boolean =>
	isToSend(permission) || permission === 'underWay';

/** What a fingerprint is made of. The address of an execution that waits is another one each time. */
export function sendable(
	operation: CreateOperation,
	{ account, prepared, options }: ReadyRow,
): SendableRow {
	const { callback_url: url, ...others } = prepared.params;
	const params = isAwaited(operation, options) ? others : { callback_url: url, ...others };
	return { account, path: operation.path, params, money: prepared.payment };
}

/** What an approval names must be what would be sent. */
const notApproved: Look = ({ operation }, rows) => {
	const approved = rows[0]?.ready.options.approvedFingerprint ?? null;
	if (approved === null) return null;
	const now = fingerprintOf(rows.map(({ ready }) => sendable(operation, ready)));
	if (approved === now) return null;
	const [{ row }] = rows as [PlacedRow];
	return {
		row,
		error: new NotSentError(
			`These are not the rows that were approved: ${difference(totalsIn(approved), totalsIn(now!))}`,
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
export const overTotal: Look = ({ names }, rows) => {
	const limit = toHundredths(rows[0]?.ready.options.maxTotal ?? 0);
	if (limit === 0n) return null;
	const sums = new Map<string, bigint>();
	for (const { row, ready } of rows) {
		const { amount, currency } = ready.prepared.payment;
		const sum = (sums.get(currency) ?? 0n) + hundredthsOf(amount);
		sums.set(currency, sum);
		if (sum <= limit) continue;
		const payments = rows.map((each) => each.ready.prepared.payment);
		const total = totalsOf(payments).find((each) => each.currency === currency)!;
		const most = moneyText({ amount: amountOf(limit), currency });
		return {
			row,
			error: new NotSentError(
				`The rows ask for ${moneyText(total)} together, which is more than the ${most} of 'Max Total'. With ${names.name(row)} it is more`,
				"Nothing was sent. If the rows are right, raise 'Max Total' in the options; if not, correct or remove some of them.",
			),
		};
	}
	return null;
};
