import { NotSentError } from '../transport/errors';
import type { ReadyRow } from './checkRows';
import type { Claim, Claims } from './claims';
import type { Halt } from './halt';

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
export type Permission = Claim | 'free' | { error: unknown };

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<Permission[]> {
	const wanted = rows.flatMap(({ identity }) => (identity === null ? [] : [identity]));
	if (wanted.length === 0 || halt.reason() !== null) return rows.map(() => 'free');
	try {
		const given = await claims.claim(wanted);
		const claimOf = new Map(wanted.map((identity, index) => [identity, given[index]!]));
		return rows.map(({ identity }) => (identity === null ? 'free' : claimOf.get(identity)!));
	} catch (error) {
		return rows.map(({ identity }) =>
			identity === null ? 'free' : { error: notRecorded(error as Error) },
		);
	}
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database and that the workflow is saved, or turn off 'Duplicate Protection' in the options.",
	);
