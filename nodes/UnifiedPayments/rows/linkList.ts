import { isRecord, type Json } from '../protocol/parse';
import { sameValue } from '../protocol/sameValue';

/** A payment link that was sent, or may have been. */
interface SentLink {
	/** What its callback URL carries; null when it carries nothing. */
	mark: string | null;
	/** What was sent. */
	params: Readonly<Json>;
	orderReference: string | null;
	/** True when two rows with the same values are the same payment. */
	knownByValues: boolean;
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
		else add(unmarked, roughly(entry), entry);
		for (const end of ends) if (wanted.has(end)) add(marked, end, entry);
		await yieldToHost();
	}
	const matches: Match[] = [];
	/** How many links each entry could be. */
	const takers = new Map<Json, number>();
	for (const link of links) {
		const found = candidates(link, marked, showsMarks ? new Map() : unmarked);
		for (const entry of found) takers.set(entry, (takers.get(entry) ?? 0) + 1);
		matches.push(only(found.filter((entry) => isCertain(entry, link))));
		await yieldToHost();
	}
	return matches.map((match) => (match.entry && takers.get(match.entry)! > 1 ? SEVERAL : match));
}

function add(map: Map<string, Json[]>, key: string, entry: Json): void {
	const known = map.get(key);
	if (known) known.push(entry);
	else map.set(key, [entry]);
}

/** The entries that carry the mark of a link; without one, those that state nothing else. */
function candidates(
	{ mark, params }: SentLink,
	marked: ReadonlyMap<string, Json[]>,
	unmarked: ReadonlyMap<string, Json[]>,
): Json[] {
	const same = mark === null ? [] : (marked.get(endOf(mark)) ?? []);
	const found = same.filter((entry) => JSON.stringify(entry).includes(mark!));
	if (found.length > 0) return found;
	return (unmarked.get(roughly(params)) ?? []).filter((entry) => isAlike(entry, params));
}

const only = (entries: readonly Json[]): Match => {
	if (entries.length > 1) return SEVERAL;
	return entries[0] ? { entry: entries[0] } : ABSENT;
};

/** What must be stated, if it was sent, before an entry without a mark can be believed. */
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

/** The same for entries and links that may be the same, so that few have to be compared. */
const roughly = ({ item_name: item }: Readonly<Json>): string =>
	isStated(item) ? String(item).trim() : '';

function isAlike(entry: Json, params: Readonly<Json>): boolean {
	const isWhole = PAYMENT_FIELDS.every((name) => isStated(entry[name]) || !isStated(params[name]));
	return (
		isWhole &&
		[...PAYMENT_FIELDS, ...OTHER_FIELDS].every(
			(name) => !isStated(entry[name]) || sameField(name, entry[name], params[name]),
		)
	);
}

/** Next month's link may have the same values: only its mark or its order tells it from this one. */
function isCertain(entry: Json, { mark, orderReference, knownByValues }: SentLink): boolean {
	if (mark !== null && JSON.stringify(entry).includes(mark)) return true;
	return orderReference === null ? knownByValues : names(entry, orderReference);
}

function sameField(name: string, stated: string | number, sent: unknown): boolean {
	if (!isStated(sent)) return false;
	switch (name) {
		case 'phone':
			return digits(stated) === digits(sent);
		case 'email':
			return String(stated).trim().toLowerCase() === String(sent).trim().toLowerCase();
		case 'callback_url':
			// Some services keep an address without its query.
			return stated === sent || stated === String(sent).replace(/[?#].*$/s, '');
		default:
			return sameValue(name, stated, sent);
	}
}

const digits = (phone: string | number) => String(phone).replace(/\D/g, '');

const names = ({ item_name: item }: Json, orderReference: string): boolean =>
	String(item)
		.split(/[\s,;:()#"']+/)
		.includes(orderReference);

/** Names of the address of a payment page, without case and marks. */
const LINK_NAMES = new Set([
	'link',
	'url',
	'paymentlink',
	'paymenturl',
	'paylink',
	'payurl',
	'checkouturl',
	'checkoutlink',
	'linkurl',
	'shorturl',
	'shortlink',
	'hostedurl',
	'paymentpage',
]);
const OTHER_ADDRESS = /callback|webhook|notif|redirect|return|cancel|logo|image/i;
const DEEPEST = 3;

/** The address of the payment page in an entry; null when there is none, or more than one. */
export function linkInEntry(entry: Json): string | null {
	const found = new Set(addressesIn(entry, DEEPEST));
	return found.size === 1 ? [...found][0]! : null;
}

function addressesIn(record: Json, depth: number): string[] {
	return Object.entries(record).flatMap(([name, value]) => {
		if (OTHER_ADDRESS.test(name)) return [];
		if (isRecord(value)) return depth > 1 ? addressesIn(value, depth - 1) : [];
		const isLink =
			typeof value === 'string' &&
			/^https?:\/\//i.test(value) &&
			LINK_NAMES.has(name.toLowerCase().replace(/[^a-z]/g, ''));
		return isLink ? [value] : [];
	});
}
