import { isRecord, withoutEnd, type Json } from '../protocol/parse';
import { exactAmount } from './amount';
import { isName, isOtherCurrency } from './compare';
import { otherPayer } from './echo';
import { unescaped } from './mark';
import type { AskedPayment } from './whose';

const CALLBACK = /call_?back|hook|notif/i;

/** With more entries of one amount than these, nobody looks further: one of them may be it. */
const MAX_COMPARED = 200;

/** Entries of a list without a mark that can be read: a link that was not found may be one of them. */
export function createSilentEntries(links: readonly AskedPayment[]) {
	const hosts = [...new Set(links.map(({ callbackUrl }) => hostIn(callbackUrl)))].filter(
		(host) => host !== null,
	);
	/** Addresses of ours that a service may have cut before their mark, by their length. */
	const cutAddresses = new Map<number, Set<string>>();
	/** By their amount; null for those without one that can be read. */
	const byAmount = new Map<string | null, Array<Readonly<Json>>>();
	return {
		add(entry: Readonly<Json>): void {
			if (isCalledBackElsewhere(entry, hosts)) return;
			for (const address of addressesOf(entry)) {
				const known = cutAddresses.get(address.length) ?? new Set();
				cutAddresses.set(address.length, known.add(address));
			}
			const amount = isName(entry.amount) ? exactAmount(entry.amount) : null;
			const known = byAmount.get(amount);
			if (known) known.push(entry);
			else byAmount.set(amount, [entry]);
		},
		/** Whether any of them may be this link. */
		mayHold(link: AskedPayment): boolean {
			const own = link.callbackUrl ?? '';
			const isCut = ([length, known]: [number, Set<string>]) => known.has(own.slice(0, length));
			// Nothing else that such an entry states can speak against it: not even its amount.
			if ([...cutAddresses].some(isCut)) return true;
			const withoutAmount = byAmount.get(null) ?? [];
			const alike = byAmount.get(exactAmount(link.amount)) ?? [];
			if (withoutAmount.length + alike.length > MAX_COMPARED) return true;
			return [...withoutAmount, ...alike].some((entry) => !isOther(entry, link));
		},
	};
}

const isOther = (entry: Readonly<Json>, { currency, sent = {} }: AskedPayment): boolean =>
	isOtherCurrency(entry.currency, currency) || otherPayer(entry, sent) !== null;

/** Where an entry says that it is called back, without what shows that an address was cut. */
const addressesOf = (entry: Readonly<Json>): string[] =>
	Object.entries(entry)
		.filter(([name, value]) => CALLBACK.test(name) && typeof value === 'string')
		.map(([, value]) => withoutEnd(unescaped(String(value).trim()), '.…'))
		.filter((address) => hostIn(address) !== null);

/** A path may be another one by now, or that of another execution; a host is plainly somebody else's. */
function isCalledBackElsewhere(entry: Readonly<Json>, own: readonly string[]): boolean {
	const stated = Object.entries(entry).filter(([name]) => CALLBACK.test(name));
	return stated.length > 0 && stated.every(([, value]) => isElsewhere(hostIn(value), own));
}

/** A host that is the start of another one may have been cut. */
const isElsewhere = (host: string | null, own: readonly string[]): boolean =>
	host !== null && !own.some((each) => each.startsWith(host) || host.startsWith(each));

function hostIn(value: unknown): string | null {
	if (typeof value !== 'string' || !URL.canParse(value)) return null;
	const { protocol, host } = new URL(value);
	const isWhole = protocol.startsWith('http') && !host.includes('*');
	return isWhole ? withoutEnd(host, '.') : null;
}

/** Whether a value is a group of entries, of which some may be silent. */
export const holdsSeveral = (value: unknown, depth: number): boolean => {
	if (depth === 0 || typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value) && value.filter(isRecord).length > 1) return true;
	return Object.values(value).some((inner) => holdsSeveral(inner, depth - 1));
};
