import type { Answered } from './exchange';

/** What the headers of replies say. */
export interface Noticed {
	/** By how much this clock is ahead of the service's, as the last reply had it. */
	secondsAhead: number | null;
	/** How often the service asked to slow down. */
	slowedDown: number;
	/** Headers about a limit, by their names. */
	limits: Readonly<Record<string, string>>;
}

const ABOUT_LIMITS = /^(?:x-)?rate-?limit(?:-\w+)*$|^retry-after$/;

/** Reads as little as it can of each reply, so that it does not slow down a batch. */
export function createNoticing() {
	let last: { headers: Answered['headers']; at: number } | null = null;
	let slowedDown = 0;
	const limits: Record<string, string> = {};
	return {
		notice({ status, headers }: Answered): void {
			last = { headers, at: Date.now() };
			if (status === 429) slowedDown++;
			for (const name in headers) {
				if (ABOUT_LIMITS.test(name)) limits[name] = String(headers[name]);
			}
		},
		noticed: (): Noticed => ({
			secondsAhead: last && secondsAhead(last.headers, last.at),
			slowedDown,
			limits,
		}),
	};
}

/** Always in GMT. `Date.parse` alone would also see a date in "in 5 minutes". */
export const httpDate = (text: string): number => (text.endsWith(' GMT') ? Date.parse(text) : NaN);

/** By how many seconds this clock is ahead of the service's; null when a reply does not say. */
export function secondsAhead(
	headers: Readonly<Record<string, unknown>>,
	nowMs: number,
): number | null {
	const date = typeof headers.date === 'string' ? httpDate(headers.date) : NaN;
	return Number.isNaN(date) ? null : Math.round((nowMs - date) / 1000);
}
