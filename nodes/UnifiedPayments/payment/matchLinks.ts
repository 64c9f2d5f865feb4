import type { Account } from '../protocol/credential';
import { isRecord, type Json } from '../protocol/parse';
import { isPlaceholder, referenceFieldIn, referencesIn } from '../protocol/reply';
import { isName, isOtherCurrency, otherOrderIn, OWN_REFERENCE, sameValue } from './compare';
import { otherPayer } from './echo';
import { markTextsIn, nameInMark } from './mark';
import { isCount, readReference } from './references';
import { createSilentEntries, holdsSeveral } from './silentEntries';
import { whoseAddress, type AskedPayment } from './whose';

/**
 * The entry of a link, or why none is believed to be it. `hidden`: the list does not show by what it
 * would be known, so it may be there. `another`: what the reply named has the mark of another payment.
 */
export type Match =
	{ entry: Json; why: null } | { entry: null; why: 'absent' | 'hidden' | 'several' | 'another' };

const ABSENT: Match = { entry: null, why: 'absent' };
const HIDDEN: Match = { entry: null, why: 'hidden' };
const SEVERAL: Match = { entry: null, why: 'several' };
const ANOTHER: Match = { entry: null, why: 'another' };

/** Where an entry says how it is to be called back, under whatever name; a redirection is no such place. */
const OTHER_ADDRESS =
	/redirect|return|cancel|success|fail|error|thank|(?<!call)back_?url|logo|image/i;
const ADDRESS = /https?:\/\/[^\s"'<>]+/gi;
const DEEPEST = 4;

/** More entries with one mark, or more addresses in one entry, are not looked at: nobody could tell. */
const MAX_CANDIDATES = 20;
const MAX_ADDRESSES = 20;

/**
 * Which entry of the service's list is which link: the one that the reply named, else the one with
 * the very callback URL that was sent, else the only one with its mark. In doubt none is given, and
 * never the same entry to two links.
 */
export async function matchLinks(
	entries: readonly unknown[],
	links: readonly AskedPayment[],
	account: Account,
	yieldToHost: () => Promise<void>,
): Promise<Match[]> {
	const listed = await indexEntries(entries, links, yieldToHost);
	const matches: Match[] = [];
	const takers = new Map<Json | null, number>();
	for (const link of links) {
		const match = matchOf(link, listed, account);
		takers.set(match.entry, (takers.get(match.entry) ?? 0) + 1);
		matches.push(match);
		await yieldToHost();
	}
	return matches.map((match) =>
		match.entry !== null && (takers.get(match.entry) ?? 0) > 1 ? SEVERAL : match,
	);
}

/** An entry that may be one of the links, with every address that may be its callback URL. */
interface Listed {
	entry: Json;
	addresses: string[];
}

interface Index {
	byMark: Map<string, Listed[]>;
	byReference: Map<string, Listed[]>;
	/** What the marks of all entries call their payments. */
	names: Set<string>;
	silent: ReturnType<typeof createSilentEntries>;
	isEmpty: boolean;
}

/** A list may be very long, and a run has thousands of links: each entry is looked at once. */
async function indexEntries(
	entries: readonly unknown[],
	links: readonly AskedPayment[],
	yieldToHost: () => Promise<void>,
): Promise<Index> {
	const marks = new Set(links.flatMap(({ callbackUrl }) => markTextsIn(callbackUrl)));
	const references = new Set(links.map(({ reference }) => reference));
	const index: Index = {
		byMark: new Map(),
		byReference: new Map(),
		names: new Set(),
		silent: createSilentEntries(links),
		isEmpty: entries.length === 0,
	};
	for (const entry of entries) {
		if (!isRecord(entry)) {
			index.silent.add({});
			continue;
		}
		const addresses: string[] = [];
		addAddresses(entry, DEEPEST, addresses);
		if (addresses.length > MAX_ADDRESSES) {
			index.silent.add({});
			continue;
		}
		const listed: Listed = { entry, addresses };
		const shown = new Set(addresses.flatMap(markTextsIn));
		for (const mark of shown) {
			if (marks.has(mark)) add(index.byMark, mark, listed);
			index.names.add(nameInMark(mark));
		}
		if (shown.size === 0) index.silent.add(entry);
		else if (holdsSeveral(entry, DEEPEST)) index.silent.add({});
		for (const reference of new Set(referencesIn(entry))) {
			if (references.has(reference)) add(index.byReference, reference, listed);
		}
		await yieldToHost();
	}
	return index;
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
	const known = map.get(key);
	if (known) known.push(value);
	else map.set(key, [value]);
}

/** Adds the addresses with a mark that stand in a value, and stops when there are too many. */
function addAddresses(value: unknown, depth: number, found: string[]): void {
	if (typeof value === 'string') {
		if (!value.includes('upo=')) return;
		for (const each of value.match(ADDRESS) ?? [value]) found.push(each);
	} else if (typeof value === 'object' && value !== null && depth > 0) {
		for (const [name, inner] of Object.entries(value)) {
			if (found.length > MAX_ADDRESSES) return;
			if (!OTHER_ADDRESS.test(name)) addAddresses(inner, depth - 1, found);
		}
	}
}

function matchOf(link: AskedPayment, listed: Index, account: Account): Match {
	const [named, ...others] =
		link.reference === null
			? []
			: (listed.byReference.get(link.reference) ?? []).filter((each) => isNamedBy(each, link));
	const marks = markTextsIn(link.callbackUrl);
	const candidates = marks.flatMap((mark) => listed.byMark.get(mark) ?? []);
	if (candidates.length > MAX_CANDIDATES) return SEVERAL;
	if (named !== undefined) {
		if (others.length === 0 && hasOtherMark(named, link, account)) return ANOTHER;
		const isOther = contradicts(named, link, account) || statesOther(named, link);
		// A number may be that of something else, where another entry has the mark.
		const isElsewhere =
			isCount(link.referenceField) && candidates.length > 0 && !candidates.includes(named);
		return others.length === 0 && !isOther && !isElsewhere
			? { entry: named.entry, why: null }
			: SEVERAL;
	}
	const marked = candidates
		.filter((each) => !contradicts(each, link, account))
		.map(({ entry, addresses }) => ({
			entry,
			verdicts: addresses.map((address) => whoseAddress(address, link, account)),
		}))
		.filter(({ verdicts }) => verdicts.some(({ is }) => is === 'mine'));
	const exact = marked.filter(({ verdicts }) =>
		verdicts.some((verdict) => verdict.is === 'mine' && verdict.by === 'callbackUrl'),
	);
	const [found, ...more] = exact.length > 0 ? exact : marked;
	// An entry with its mark that is not believed may still be it, so nobody can say that it is absent.
	// Neither where its amount is another one: a sheet may have been corrected since.
	const isNamed = marks.some((mark) => listed.names.has(nameInMark(mark)));
	if (found === undefined && isNamed) return SEVERAL;
	if (found === undefined) return wouldBeShown(link, listed) ? ABSENT : HIDDEN;
	return more.length === 0 ? { entry: found.entry, why: null } : SEVERAL;
}

/** A number in another field of an entry may be that of something else. */
function isNamedBy({ entry }: Listed, { reference, referenceField = null }: AskedPayment): boolean {
	const stated = readReference(entry[referenceField ?? '']);
	if (stated !== null) return stated === reference;
	const isLike =
		referenceField === null || isCount(referenceFieldIn(entry)) === isCount(referenceField);
	return isLike && referencesIn(entry)[0] === reference;
}

/** A reference may be that of something else, too, so the values must not speak against it. */
const statesOther = ({ entry }: Listed, { amount, sent = {} }: AskedPayment): boolean =>
	(isName(entry.amount) && !sameValue('amount', entry.amount, amount)) ||
	otherPayer(entry, sent) !== null;

/** Whether a link that the service has would be known by its mark in this list. */
function wouldBeShown(link: AskedPayment, { isEmpty, names, silent }: Index): boolean {
	if (isEmpty) return true;
	const isMarked = markTextsIn(link.callbackUrl).length > 0;
	return isMarked && names.size > 0 && !silent.mayHold(link);
}

const hasOtherMark = ({ addresses }: Listed, link: AskedPayment, account: Account): boolean =>
	addresses.some((address) => {
		const verdict = whoseAddress(address, link, account);
		return verdict.is === 'another' && verdict.because === 'mark';
	});

/** Whether anything that an entry states speaks against its being this link. */
function contradicts({ entry, addresses }: Listed, link: AskedPayment, account: Account): boolean {
	if (isOtherCurrency(entry.currency, link.currency)) return true;
	const { orderReference } = link;
	const stated = isPlaceholder(entry[OWN_REFERENCE]) ? [] : [entry];
	if (orderReference !== null && otherOrderIn(stated, orderReference) !== null) return true;
	return [entry.callback_url, ...addresses].some(
		(address) => whoseAddress(address, link, account).is === 'another',
	);
}
