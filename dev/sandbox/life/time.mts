let lastMs = Number.NaN;
let lastIso = '';

/** ISO 8601 in UTC. Remembers the last one, because a busy sandbox asks many times within a millisecond. */
export function isoTime(ms: number): string {
	if (ms !== lastMs) {
		lastIso = new Date(ms).toISOString();
		lastMs = ms;
	}
	return lastIso;
}

/** `YYYY-MM-DD HH:MM:SS`, in UTC: the specification names no zone. */
export const dateTime = (ms: number): string => isoTime(ms).slice(0, 19).replace('T', ' ');

/** ISO 8601 UTC with microseconds and a trailing Z. */
export const isoMicros = (ms: number): string => `${isoTime(ms).slice(0, -1)}000Z`;
