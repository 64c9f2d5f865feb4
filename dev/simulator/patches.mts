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
	/** A payment that was claimed before counts as free. */
	claims: [
		inNodes(
			'rows/claims/claims.ts',
			'(payment, before) => before.has(claimedEntry(payment))',
			'() => false',
		),
	],
	/** What was sent under a name with other values counts as the same. */
	usedName: [
		inNodes(
			'rows/claims/claims.ts',
			"claims.set(request, 'differs')",
			"claims.set(request, 'sent')",
		),
	],
	/** Every no of the service is final. */
	anyRefusal: [inNodes('transport/verdict.ts', 'isInErrorTable(refusal.message)', 'true')],
	/** A guard that gives nothing counts as not added. */
	emptyGuard: [
		inNodes('fields/options.ts', '.filter((name) => name in raw)', '.filter(() => false)'),
	],
	/** Requests are signed by one algorithm, whatever the credential says. */
	algorithm: [
		inNodes('protocol/signing.ts', 'createHmac(recipe.algorithm,', "createHmac('sha256',"),
	],
	/** Whatever stands behind the last point of a mark is its code. */
	markCode: [inNodes('payment/mark.ts', 'keys.map(isCodedWith).includes(true)', 'keys.length > 0')],
	/** A mark does not say which node made it. */
	maker: [inNodes('payment/mark.ts', 'shortHash(MAKER_LENGTH, workflowId, nodeId)', "'AAAA'")],
	/** The list is not asked for the link of a row. */
	noList: [inNodes('rows/create/lookUp.ts', 'group.some(isAsked)', 'group.length > 1_000')],
	/** A failed try ends the wait for a link. */
	failedTry: [inNodes('waiting/status.ts', "payment.kind === 'link' ?", 'payment.kind === null ?')],
	/** Items that are resumed are paired by place, so none may be left out. */
	pairing: [
		inNodes(
			'waiting/sleep.ts',
			'data.main = [left];',
			'data.main = [left.filter(({ json }) => json.error === undefined)];',
		),
	],
	/** "1,500.00" is no number. */
	commas: [inNodes('payment/amount.ts', "if ('value' in read) return exactSize(read.value);", '')],
	/** A signature that the service repeats is shown. */
	echoedSignature: [
		inNodes('transport/redact.ts', "if (typeof body !== 'string') return body;", 'return body;'),
	],
	/** Who failed to pay is told as paid. */
	againPaid: [
		inFile(
			'asked-again-when-it-failed',
			"$json.state === 'success' && $json.paidInFull === true",
			'$json.transaction !== undefined',
		),
	],
};
