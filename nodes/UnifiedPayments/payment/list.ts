import type { Json } from '../protocol/parse';
import { jsonOf, ownMark, paymentOfMark } from './mark';
import { readRecord, type Reader, type Record } from './record';
import { givenAlike, whose, type Known } from './whose';

/** What a list shows of a payment: its entry; several of which nobody can tell which it is; or nothing. */
export type Listed = { entry: Json } | { entry: null; isUnclear: boolean };

const NOTHING: Listed = { entry: null, isUnclear: false };
const UNCLEAR: Listed = { entry: null, isUnclear: true };

/**
 * The entry of each payment: the one with its mark at whatever place, else the one with the reference
 * of the reply. Of several with its mark, the one whose address is exactly the one that was sent.
 */
export async function findEntries(
	entries: readonly Json[],
	payments: readonly Known[],
	reader: Reader,
	yieldToHost: () => Promise<void>,
): Promise<Listed[]> {
	const byMark = new Map<string, Record[]>();
	const byReference = new Map<string, Record[]>();
	for (const entry of entries) {
		const record = readRecord(entry, reader);
		add(byMark, paymentOfMark(record.mark), record);
		add(byReference, record.reference, record);
		await yieldToHost();
	}
	const found: Array<{ listed: Listed }> = [];
	for (const payment of payments) {
		const isMine = (each: Record) => whose(each, payment, 'list').is === 'mine';
		const marked = byMark.get(paymentOfMark(ownMark(payment.mark)) ?? '') ?? [];
		const named = byReference.get(payment.reference ?? '') ?? [];
		found.push({
			listed:
				marked.length > 0
					? onlyOne(marked.filter(isMine), payment.callbackUrl)
					: onlyOne(named.filter(isMine), null),
		});
		await yieldToHost();
	}
	const shared = givenAlike(found, ({ listed: { entry } }) => (entry === null ? [] : [entry]));
	return found.map((each) => (shared.has(each) ? UNCLEAR : each.listed));
}

function add(map: Map<string, Record[]>, name: string | null, record: Record): void {
	if (name === null) return;
	const known = map.get(name);
	if (known) known.push(record);
	else map.set(name, [record]);
}

function onlyOne(candidates: readonly Record[], callbackUrl: string | null): Listed {
	const [first, ...others] = candidates;
	if (first === undefined) return NOTHING;
	if (others.length === 0) return { entry: first.raw };
	const isExact = ({ raw }: Record) => jsonOf(raw).includes(JSON.stringify(callbackUrl));
	const exact = callbackUrl === null ? [] : candidates.filter(isExact);
	return exact.length === 1 ? { entry: exact[0]!.raw } : UNCLEAR;
}
