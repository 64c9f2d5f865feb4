import { isRecord, type Json } from '../protocol/parse';
import { exactAmount } from './sameValue';
import type { Identity } from './key';

/** A payment link that was sent, or may have been. */
interface SentLink {
	/** What its callback URL carries; null when it carries nothing. */
	mark: string | null;
	/** What was sent. */
	params: Readonly<Json>;
	orderReference: string | null;
	/** What makes two rows the same payment; undefined where the same may be sent on purpose. */
	knownBy: Identity['by'] | undefined;
}

/** The entry of a link, or why none is believed to be it. */
export type Match = { entry: Json } | { entry: null; why: 'absent' | 'several' };

const ABSENT: Match = { entry: null, why: 'absent' };
const SEVERAL: Match = { entry: null, why: 'several' };

/** Amount, currency and code of any mark; no order holds a point. */
const END_OF_MARK = /\.[1-9]\d{0,16}[A-Z]{3}\.[\w-]{16}(?![\w-])/g;
const endOf = (mark: string) => mark.slice(mark.indexOf('.'));

/**
 * Which entry of the service's list is which link: the one that carries its mark anywhere in its
 * text. A list that shows no marks at all is compared by what it does state. In doubt none is
 * given, and never the same entry to two links.
 */
export async function matchLinks(
	entries: readonly unknown[],
	links: readonly SentLink[],
	yieldToHost: () => Promise<void>,
): Promise<Match[]> {
	const marked = new Map<string, Json[]>();
	const unmarked = new Map<string, Json[]>();
	const wanted = new Set(links.flatMap(({ mark }) => (mark === null ? [] : [endOf(mark)])));
	let showsMarks = false;
	for (const entry of entries) {
		if (!isRecord(entry)) continue;
		const ends = new Set(JSON.stringify(entry).match(END_OF_MARK));
		if (ends.size > 0) showsMarks = true;
		else add(unmarked, paymentIn(entry), entry);
		for (const end of ends) if (wanted.has(end)) add(marked, end, entry);
		await yieldToHost();
	}
	const matches: Match[] = [];
	/** How many links each entry could be. */
	const takers = new Map<Json, number>();
	for (const link of links) {
		const own = withMark(link, marked);
		const found = own.length > 0 ? own : alike(link, showsMarks ? new Map() : unmarked);
		for (const entry of found) takers.set(entry, (takers.get(entry) ?? 0) + 1);
		matches.push(only(own.length > 0 ? own : found.filter((entry) => isCertain(entry, link))));
		await yieldToHost();
	}
	return matches.map((match) => (match.entry && takers.get(match.entry)! > 1 ? SEVERAL : match));
}

function add(map: Map<string, Json[]>, key: string, entry: Json): void {
	const known = map.get(key);
	if (known) known.push(entry);
	else map.set(key, [entry]);
}

const withMark = ({ mark }: SentLink, marked: ReadonlyMap<string, Json[]>): Json[] =>
	mark === null
		? []
		: (marked.get(endOf(mark)) ?? []).filter((entry) => JSON.stringify(entry).includes(mark));

/** Entries without a mark that state what was sent. */
function alike({ params }: SentLink, unmarked: ReadonlyMap<string, Json[]>): Json[] {
	const found = unmarked.get(paymentIn(params)) ?? [];
	// Nobody can tell so many of the same apart, and comparing them all would take long.
	return found.length > MOST_ALIKE ? [] : found.filter((entry) => isAlike(entry, params));
}

const only = (entries: readonly Json[]): Match => {
	if (entries.length > 1) return SEVERAL;
	return entries[0] ? { entry: entries[0] } : ABSENT;
};

/** What an entry without a mark must state as it was sent, and not at all if it was not. */
const PAYMENT_FIELDS = [
	'item_name',
	'amount',
	'currency',
	'country_id',
	'first_name',
	'last_name',
	'email',
	'phone',
] as const;

/** What else an entry may state. */
const OTHER_FIELDS = [
	'business_name',
	'currency_country_id',
	'redirection_url',
	'callback_url',
] as const;

const isStated = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** How many entries with the same payment are compared one by one. */
const MOST_ALIKE = 50;

/** The same text for the same payment, however it is written. */
const paymentIn = (fields: Readonly<Json>): string =>
	JSON.stringify(
		PAYMENT_FIELDS.map((name) => {
			const value = fields[name];
			return isStated(value) ? normal(name, value) : null;
		}),
	);

function normal(name: string, value: string | number): string {
	const text = String(value).trim();
	switch (name) {
		case 'amount':
			return exactAmount(value) ?? text;
		case 'currency':
			return text.toUpperCase();
		case 'email':
			return text.toLowerCase();
		case 'phone':
			return text.replace(/\D/g, '');
		default:
			return text;
	}
}

/** Whether what else an entry of the same payment states was sent. */
const isAlike = (entry: Json, params: Readonly<Json>): boolean =>
	OTHER_FIELDS.every((name) => !isStated(entry[name]) || isSent(name, entry[name], params[name]));

function isSent(name: string, stated: string | number, sent: unknown): boolean {
	if (!isStated(sent)) return false;
	if (name !== 'callback_url') return normal(name, stated) === normal(name, sent);
	// Some services keep an address without its query.
	return stated === sent || stated === String(sent).replace(/[?#].*$/s, '');
}

/** Next month's link may have the same values: only its order tells it from this one, or only its key. */
const isCertain = (entry: Json, { orderReference, knownBy }: SentLink): boolean =>
	orderReference === null
		? knownBy === 'values'
		: knownBy !== 'duplicateKey' && names(entry, orderReference);

const names = ({ item_name: item }: Json, orderReference: string): boolean =>
	String(item)
		.split(/[\s,;:()#"']+/)
		.includes(orderReference);
