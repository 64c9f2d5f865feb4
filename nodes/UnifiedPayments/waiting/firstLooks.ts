import { isFinal } from '../payment/state';
import { createLimiter } from '../transport/limiter';
import type { Awaited, Sight } from './awaited';
import { canBeAsked, lookAt, type Lookout } from './look';

/** The waits between the first looks at payments that were only just asked for. */
export const AFTER_CREATE: readonly number[] = [300, 700, 1_500, 2_500];

/** When a service knows nothing about any of them so often, it does not know them by these names. */
const MOST_IN_VAIN = 2;

interface FirstLooks {
	lookout: Lookout;
	lanes: number;
	/** Each is a wait before all that are still open are looked at once more. */
	pauses: readonly number[];
	/** Ends early when the execution is cancelled. */
	sleep(ms: number): Promise<void>;
	cancelled(): boolean;
	warn(line: string): void;
}

/**
 * Looks at payments before the execution goes to sleep: some end within seconds, and a callback
 * that comes before n8n has stored the execution is turned away. Gives what is known of each.
 */
export async function lookFirst(
	payments: ReadonlyArray<Awaited | null>,
	{ lookout, lanes, pauses, sleep, cancelled, warn }: FirstLooks,
): Promise<Array<Sight | null>> {
	const sights: Array<Sight | null> = payments.map(() => null);
	const limit = createLimiter(lanes);
	const isOpen = (index: number) => {
		const payment = payments[index] ?? null;
		const state = sights[index]?.state;
		const isOver = state !== undefined && isFinal(state);
		return payment !== null && canBeAsked(payment) && !isOver;
	};
	let inVain = 0;
	for (const pause of [0, ...pauses]) {
		const open = payments.flatMap((_, index) => (isOpen(index) ? [index] : []));
		if (open.length === 0 || inVain === MOST_IN_VAIN) break;
		if (pause > 0) await sleep(pause);
		if (cancelled()) break;
		const seen = await Promise.all(
			open.map(
				async (index) =>
					await limit(async () => await lookAt(payments[index]!, lookout)).catch((error: Error) => {
						warn(`A payment could not be looked up before waiting for it: ${error.message}`);
						return undefined;
					}),
			),
		);
		open.forEach((index, at) => (sights[index] = seen[at] ?? sights[index]!));
		inVain = seen.every((each) => each === null) ? inVain + 1 : 0;
	}
	return sights;
}
