import { NotSentError } from '../transport/errors';
import type { ReadyRow } from './checkRows';
import type { Claim, Claims, Wish } from './claims';
import type { Halt } from './pacer';
import { outcomeOfRow, type RowResult } from './result';

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
export type Permission = Claim | 'free' | { error: unknown };

const wishOf = ({ key, isCompared, options }: ReadyRow): Wish[] =>
	isCompared
		? [
				{
					key: key.key,
					values: key.values,
					sendUnanswered: options.onDuplicate === 'sendUnanswered',
				},
			]
		: [];

/** Asks with `ask`; a row without a wish is free. */
async function permissions(
	wishes: ReadonlyArray<readonly Wish[]>,
	ask: (wishes: readonly Wish[]) => Promise<Claim[]>,
): Promise<Permission[]> {
	const wanted = wishes.flat();
	if (wanted.length === 0) return wishes.map(() => 'free');
	const claims = new Map((await ask(wanted)).map((claim, index) => [wanted[index], claim]));
	return wishes.map(([wish]) => (wish === undefined ? 'free' : claims.get(wish)!));
}

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<Permission[]> {
	// After a standstill also those that are not sent any more: somebody else may have sent them.
	const isClaimed = ({ account }: ReadyRow) => halt.reason(account) === null || claims.stoodStill();
	const wishes = rows.map((row) => (isClaimed(row) ? wishOf(row) : []));
	try {
		return await permissions(wishes, claims.claim);
	} catch (error) {
		const failed = { error: notRecorded(error as Error) };
		return wishes.map(([wish]) => (wish === undefined ? 'free' : failed));
	}
}

/** What earlier runs did with these rows, without claiming them. */
export const peekRows = async (claims: Claims, rows: readonly ReadyRow[]): Promise<Permission[]> =>
	await permissions(rows.map(wishOf), claims.peek);

/** Says what became of a row that was claimed. */
export function settleRow(
	claims: Claims,
	{ key: { key }, isCompared }: ReadyRow,
	permission: Permission,
	result: RowResult,
): void {
	if (!isCompared || permission !== 'mine') return;
	const outcome = outcomeOfRow(result);
	if (outcome === 'accepted') claims.settle(key, 'answered');
	else claims.settle(key, outcome === 'unknown' ? 'unanswered' : 'released');
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database, and that the workflow is saved.",
	);
