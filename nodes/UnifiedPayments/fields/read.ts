/** What a reader of user input gives back: the value, or what would have been allowed. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string; allowed: string };

export const good = <T>(value: T): Read<T> => ({ ok: true, value });

/** `reason` completes "'Amount' in row 3 is "x", …"; `allowed` says how to get going again. */
export const bad = (reason: string, allowed: string): Read<never> => ({
	ok: false,
	reason,
	allowed,
});

/** Cannot be checked until another field is good; that other field is the one to report. */
const UNASKED: Read<never> = good(undefined as never);

/** The next check of the same value; what was wrong with it already stays. */
export const and = <A, B>(read: Read<A>, next: (value: A) => Read<B>): Read<B> => {
	if (read === UNASKED) return UNASKED;
	return read.ok ? next(read.value) : read;
};

/** A check that needs another field: when that one is bad, it alone is reported. */
export const given = <A, B>(other: Read<A>, next: (value: A) => Read<B>): Read<B> =>
	other.ok ? and(other, next) : UNASKED;
