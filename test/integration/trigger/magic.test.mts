import { setTimeout as pause } from 'node:timers/promises';

import { MAGIC_VALUES, type Transaction } from '../../../dev/sandbox/index.mts';
import type { TriggerHost } from '../../../dev/host/engine/index.mts';
import { World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(
	async () =>
		await World.start({
			settleDelayMs: 20,
			lateReplyMs: 100,
			callbackRetry: { attempts: 3, firstDelayMs: 20, factor: 2 },
		}),
);

const callbacksOf = ({ ref }: Transaction) =>
	world.sandbox.state.callbacks.filter(({ reference }) => reference === ref);

/** Until all callbacks that the script promises were delivered and handled. */
async function delivered(host: TriggerHost, made: Transaction, count: number): Promise<void> {
	const done = () => callbacksOf(made).filter(({ status }) => status === 'delivered').length;
	while (done() < count) await pause(10);
	await host.idle();
}

const items = (host: TriggerHost) => host.runs.flatMap(({ callback }) => callback);
const rejected = (host: TriggerHost) => host.runs.flatMap((run) => run.rejected);

/** How often each value that steers the sandbox calls back, and what leaves the trigger. */
const EXPECTED: Array<[codes: string[], calls: number, states: string[]]> = [
	[['990200', '990101', '990102', '990304'], 1, ['success']],
	[['990401', '990402', '990403', '990404', '990405', '990406', '990407'], 1, ['failed']],
	[['990301', '990302'], 2, ['success']],
	[['990100', '990303'], 0, []],
];

describe('what the sandbox plays, from the action node to the trigger', () => {
	it.each(MAGIC_VALUES.map(({ code, meaning, failure }) => ({ code, meaning, failure })))(
		'$code: $meaning',
		async ({ code, failure }) => {
			const [, calls, states] = EXPECTED.find(([codes]) => codes.includes(code))!;
			const host = await world.serve();
			const made = await world.collect({ amount: code, callbackUrl: host.url });
			await delivered(host, made, calls);
			expect(items(host).map(({ state }) => state)).toEqual(states);
			expect(rejected(host)).toEqual([]);
			expect(callbacksOf(made)).toHaveLength(calls);
			for (const item of items(host)) {
				expect(item).toMatchObject({
					verified: 'confirmed',
					eventKey: `${made.ref}:${String(item.state)}`,
					transaction: {
						ref: made.ref,
						amount: Number(code),
						currency: 'KES',
						failureReason: failure ?? { failureCode: null, failureMessage: null },
					},
				});
			}
		},
	);
});
