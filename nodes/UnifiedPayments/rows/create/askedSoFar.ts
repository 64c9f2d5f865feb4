import type { IContextObject } from 'n8n-workflow';

import { hundredthsOf, type Money } from '../../payment/money';

/**
 * What this node has asked for in this execution, in all its runs: a loop or an agent runs it many
 * times. n8n keeps it with the execution, over waits and restarts.
 */
export interface AskedSoFar {
	/** In hundredths. */
	of(currency: string): bigint;
	add(money: Money): void;
	/** It was not sent after all. */
	subtract(money: Money): void;
}

const KEY = 'unifiedPaymentsAsked';

export function createAskedSoFar(memory: IContextObject): AskedSoFar {
	const sums = (memory[KEY] ??= {}) as Record<string, string>;
	const of = (currency: string) => BigInt(sums[currency] ?? 0);
	return {
		of,
		add: ({ amount, currency }) => {
			sums[currency] = String(of(currency) + hundredthsOf(amount));
		},
		subtract: ({ amount, currency }) => {
			sums[currency] = String(of(currency) - hundredthsOf(amount));
		},
	};
}
