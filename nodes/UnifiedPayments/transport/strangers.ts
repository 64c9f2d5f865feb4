import { accountOf, type Account } from '../protocol/credential';

/** Questions about callbacks of strangers, for each account; so many at once after a quiet minute. */
export const STRANGERS = { perMinute: 60 };
const MINUTE_MS = 60_000;

const asked = new Map<string, { left: number; at: number }>();

/** Whether the service may be asked once more for a caller who has proven nothing. */
export function mayAskForStranger(account: Account, now: number): boolean {
	const name = JSON.stringify(accountOf(account));
	const { perMinute } = STRANGERS;
	const { left, at } = asked.get(name) ?? { left: perMinute, at: now };
	const filled = Math.min(perMinute, left + ((now - at) / MINUTE_MS) * perMinute);
	// After a quiet minute an account needs no entry.
	for (const [other, entry] of asked) if (now - entry.at > MINUTE_MS) asked.delete(other);
	asked.set(name, { left: filled < 1 ? filled : filled - 1, at: now });
	return filled >= 1;
}
