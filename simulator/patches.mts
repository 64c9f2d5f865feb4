import type { Patch } from './engine/build.mts';

const inNodes = (file: string, find: string, replace: string): Patch => ({
	file: `nodes/UnifiedPayments/${file}`,
	find,
	replace,
});

/**
 * Faults that earlier versions had, one change of the sources for each, to see that the simulator finds
 * them (`--patch <name> --first --seeds 200`): nothing else in this folder knows of them. Those that are found
 * are put back by the test; instalments, roundedOrder and unfolded are not.
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
	sharedKey: [inNodes('payment/key.ts', 'const [odd] = differing;', 'const odd = differing[-1];')],
	/** A list that cannot be read counts as one without the payment. */
	unreadList: [
		inNodes(
			'rows/create/lookUp.ts',
			"const isAbsent = match.entry === null && match.why === 'absent';",
			'const isAbsent = match.entry === null;',
		),
	],
	/** Of two instalments of one order, the record of one counts for either. */
	instalments: [
		inNodes(
			'payment/whose.ts',
			"if (payment.isOneOfSeveral && askedBy !== 'ownCallback') return UNCLEAR;",
			'',
		),
	],
	/** A stranger's callback without an order makes the genuine one a repeat. */
	orderIsNews: [
		inNodes(
			'trigger/execution/repeats.ts',
			'marks.has(emitted) && (order === null || marks.has(ordered));',
			'marks.has(emitted);',
		),
	],
	/** The order that a record itself names does not count against the address that was called. */
	otherOrder: [
		inNodes(
			'payment/order.ts',
			'orderReference === null ? null : otherOrderIn([record, ...told], orderReference);',
			'null as string | null;',
		),
	],
	/** A guard that gives nothing counts as not added. */
	emptyGuard: [
		inNodes(
			'fields/options.ts',
			'[...GUARDS].filter((name) => name in raw)',
			'[...GUARDS].filter(() => false)',
		),
	],
	/** An entry with the same amount is taken for the link. */
	equalValues: [
		inNodes(
			'payment/matchLinks.ts',
			'const match = matchOf(link, listed, account);',
			`const same = entries.filter(isRecord).find(
				(each) => sameValue('amount', each.amount, link.amount) && each.item_name !== undefined,
			);
			const sure = matchOf(link, listed, account);
			const match: Match = sure.entry === null && same !== undefined ? { entry: same } : sure;`,
		),
	],
	/** A mark does not say which node made it. */
	maker: [inNodes('payment/mark.ts', '.slice(0, MAKER_LENGTH);', ".slice(0, 0) + 'AAAA';")],
	/** Numbers of orders that a sheet has rounded are sent. */
	roundedOrder: [
		inNodes(
			'fields/text.ts',
			"typeof given === 'number' && Math.abs(given) > Number.MAX_SAFE_INTEGER",
			'false',
		),
	],
	/** Orders are compared byte by byte. */
	unfolded: [
		inNodes(
			'payment/compare.ts',
			"composed(text.replace(INVISIBLE, '')).replace(SPACES, ' ').trim();",
			'text;',
		),
	],
	/** "1,500.00" is no number. */
	commas: [inNodes('payment/amount.ts', "if ('value' in read) return Number(read.value);", '')],
	/** A no that says that the payment is there counts as a plain one. */
	noButThere: [
		inNodes(
			'transport/verdict.ts',
			'failure.saidNo && !failure.mayBeThere && hasPlainForm(failure)',
			'failure.saidNo && hasPlainForm(failure)',
		),
	],
	/** A signature that the service repeats is shown. */
	echoedSignature: [
		inNodes('protocol/madeSignatures.ts', 'made.size + madeBefore.size === 0', 'true'),
	],
};
