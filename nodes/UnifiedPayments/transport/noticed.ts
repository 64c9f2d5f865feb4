import { secondsAhead } from './clock';
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
