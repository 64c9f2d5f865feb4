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
