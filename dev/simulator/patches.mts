import type { Patch } from './engine/build.mts';

const inNodes = (file: string, find: string, replace: string): Patch => ({
	file: `nodes/UnifiedPayments/${file}`,
	find,
	replace,
});

const inFile = (file: string, find: string, replace: string): Patch => ({
	file: `examples/${file}.json`,
	find,
	replace,
});

/**
 * Faults that are put back, one change of the sources for each, to see that the simulator finds them
 * (`--patch <name> --first --seeds 200`): nothing else in this folder knows of them. Each breaks another invariant.
 */
export const PATCHES: Readonly<Record<string, Patch[]>> = {
	/** Items that are resumed are paired by place, so none may be left out. */
	pairing: [
		inNodes(
			'waiting/sleep.ts',
			'data.main = [left];',
			'data.main = [left.filter(({ json }) => json.error === undefined)];',
		),
	],
	/** Rows that share a key and differ are taken for repeats. */
	sharedKey: [inNodes('payment/key.ts', 'difference(first, row)', 'null as string | null')],
	/** A stranger's callback without an order makes the genuine one a repeat. */
	orderIsNews: [
		inNodes(
			'trigger/execution/repeats.ts',
			'marks.has(emitted) && (order === null || marks.has(ordered));',
			'marks.has(emitted);',
		),
	],
	/** A guard that gives nothing counts as not added. */
	emptyGuard: [
		inNodes('fields/options.ts', '.filter((name) => name in raw)', '.filter(() => false)'),
	],
	/** A mark does not say which node made it. */
	maker: [inNodes('payment/mark.ts', '.slice(0, MAKER_LENGTH);', ".slice(0, 0) + 'AAAA';")],
	/** "1,500.00" is no number. */
	commas: [inNodes('payment/amount.ts', "if ('value' in read) return exactSize(read.value);", '')],
	/** A signature that the service repeats is shown. */
	echoedSignature: [inNodes('protocol/madeSignatures.ts', 'run.length > LONGEST.run', 'true')],
	/** Who failed to pay is told as paid. */
	againPaid: [
		inFile(
			'asked-again-when-it-failed',
			"$json.state === 'success' && $json.paidInFull === true",
			'$json.transaction !== undefined',
		),
	],
};
