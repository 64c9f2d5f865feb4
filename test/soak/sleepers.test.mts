import { startWaitingDemo } from '../e2e/host/waitingSupport.mts';
import { sleepThrough } from '../helpers/soak/sleepers.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const SLEEPERS = setting('SLEEPERS', 200);
const KILLS = setting('SLEEPER_KILLS', 5);

it(
	`${SLEEPERS} executions that sleep all end once, each with its own result, over ${KILLS} kills`,
	async () => {
		// A service that tries for about three minutes.
		const demo = await startWaitingDemo({
			callbackRetry: { attempts: 60, firstDelayMs: 3_000, factor: 1 },
			callbackTimeoutMs: 30_000,
			mode: 'spec',
		});
		try {
			const neverPaid = Math.ceil(SLEEPERS / 20);
			const morning = await sleepThrough(demo, { sleepers: SLEEPERS, kills: KILLS, neverPaid });
			tell(JSON.stringify(morning));
			expect(morning).toMatchObject({ openRequests: 0, notOnce: [], wrong: [] });
			expect(morning.states.timedOut).toBe(neverPaid);
		} finally {
			await demo.stop();
		}
	},
	90 * MINUTE,
);
