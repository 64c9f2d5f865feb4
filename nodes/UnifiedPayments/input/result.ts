/** What a reader of user input gives back: the value, or what would have been allowed. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string; allowed: string };

export const good = <T>(value: T): Read<T> => ({ ok: true, value });

/** `reason` completes "'Amount' in row 3 is "x", …"; `allowed` says how to get going again. */
export const bad = (reason: string, allowed: string): Read<never> => ({
	ok: false,
	reason,
	allowed,
});
