import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Sleeper } from './sleeper';

/** Beyond these, what was used longest ago is forgotten, and asked for again. */
const MAX_SLEEPERS = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const KEEP_MS = 10 * 60_000;

const sleepers = new Map<string, Sleeper>();

const nameOf = (context: IWebhookFunctions | IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

export function sleeperOf(context: IWebhookFunctions, key: string, now: number): Sleeper {
	const known = sleepers.get(nameOf(context));
	const sleeper = known?.isFor(key, now) === true ? known : new Sleeper();
	sleeper.usedAt = now;
	keepSleeper(context, sleeper);
	freeMemory(now);
	return sleeper;
}

export function keepSleeper(context: IWebhookFunctions, sleeper: Sleeper): void {
	const name = nameOf(context);
	sleepers.delete(name);
	sleepers.set(name, sleeper);
}

/** Those used longest ago come first. */
function freeMemory(now: number): void {
	let bytes = 0;
	for (const each of sleepers.values()) bytes += each.bytes;
	for (const [name, each] of sleepers) {
		const isTooMuch = sleepers.size > MAX_SLEEPERS || bytes > MAX_BYTES;
		if (!isTooMuch && now - each.usedAt <= KEEP_MS) break;
		if (each.isBusy) continue;
		sleepers.delete(name);
		bytes -= each.bytes;
	}
}

/** It goes on; or goes to sleep once more, as in a loop, and waits for something else. */
export const forgetSleeper = (context: IWebhookFunctions | IExecuteFunctions): void => {
	sleepers.delete(nameOf(context));
};
