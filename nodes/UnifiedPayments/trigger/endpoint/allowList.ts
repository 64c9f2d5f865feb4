import { parseUrl } from '../../protocol/parse';

/** A network: an address, and how many of its 128 leading bits must agree. */
interface Range {
	base: bigint;
	bits: number;
}

const ALL_BITS = 128;
/** An IPv4 address is kept as the IPv6 address that stands for it, which begins with these. */
const V4_START_BITS = 96;
const V4_START = 0xffffn;

const isV4 = (address: bigint): boolean => address >> 32n === V4_START;

function readV4(text: string): bigint | null {
	const parts = text.split('.');
	// No leading zeros: some programs read them as octal, and then it is another address.
	if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
	if (parts.some((part) => Number(part) > 255)) return null;
	return parts.reduce((all, part) => (all << 8n) + BigInt(part), V4_START);
}

function readV6(text: string): bigint | null {
	const url = /^[\da-f:.]+$/i.test(text) ? parseUrl(`http://[${text}]`) : null;
	if (url === null) return null;
	// Now without IPv4 and zeros in front; `::` stands for what is missing of eight groups.
	const [head = '', tail = ''] = url.hostname.slice(1, -1).split('::');
	const groups = (side: string) => (side === '' ? [] : side.split(':'));
	const missing = 8 - groups(head).length - groups(tail).length;
	const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
	return all.reduce((whole, group) => (whole << 16n) + BigInt(`0x${group}`), 0n);
}

const readAddress = (text: string): bigint | null =>
	text.includes(':') ? readV6(text.split('%', 1)[0]!) : readV4(text);

/** A single address or a network like 10.0.0.0/8 or 2001:db8::/32. */
function readRange(text: string): Range | null {
	const [written = '', length, ...more] = text.split('/');
	const base = readAddress(written);
	if (base === null || more.length > 0) return null;
	if (length === undefined) return { base, bits: ALL_BITS };
	const before = written.includes(':') ? 0 : V4_START_BITS;
	const bits = before + Number(length);
	return /^\d{1,3}$/.test(length) && bits <= ALL_BITS ? { base, bits } : null;
}

function isWithin(address: bigint, { base, bits }: Range): boolean {
	// A network around all IPv4 addresses that is written as IPv6 is one of IPv6 addresses.
	if (isV4(address) !== (isV4(base) && bits >= V4_START_BITS)) return false;
	return (address ^ base) >> BigInt(ALL_BITS - bits) === 0n;
}

export interface AllowList {
	/** Empty: every address is allowed. */
	ranges: Range[];
	/** Entries that are no address. With one of them nothing is allowed, since it is not clear what was meant. */
	invalid: string[];
}

/** Entries separated by commas, spaces or lines. */
export function readAllowList(text: string): AllowList {
	const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
	const list: AllowList = { ranges: [], invalid: [] };
	for (const entry of entries) {
		const range = readRange(entry);
		if (range) list.ranges.push(range);
		else list.invalid.push(entry);
	}
	return list;
}

export function isAllowed({ ranges, invalid }: AllowList, from: string): boolean {
	if (invalid.length > 0) return false;
	if (ranges.length === 0) return true;
	const address = readAddress(from.trim());
	return address !== null && ranges.some((range) => isWithin(address, range));
}
