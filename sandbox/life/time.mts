/** `YYYY-MM-DD HH:MM:SS`, in UTC: the specification names no zone. */
export const dateTime = (ms: number): string =>
	new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** ISO 8601 UTC with microseconds and a trailing Z. */
export const isoMicros = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
