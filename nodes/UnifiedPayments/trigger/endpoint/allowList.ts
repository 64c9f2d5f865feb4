/** An address as bytes: 4 or 16 of them. An IPv4 address inside IPv6 counts as IPv4. */
type Address = readonly number[];

interface Range {
	base: Address;
	/** How many leading bits must agree. */
	bits: number;
}

const MAPPED: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

const startsWith = (bytes: Address, start: readonly number[]) =>
	start.every((byte, index) => bytes[index] === byte);

function readV4(text: string): Address | null {
	const parts = text.split('.');
	// No leading zeros: some programs read them as octal, and then it is another address.
	if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
	const bytes = parts.map(Number);
	return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** One side of `::` as bytes; only the end of an address may be written as IPv4. */
function readGroups(text: string, isEnd: boolean): number[] | null {
	if (text === '') return [];
	const groups = text.split(':');
	const bytes: number[] = [];
	for (const [index, group] of groups.entries()) {
		const v4 = isEnd && index === groups.length - 1 ? readV4(group) : null;
		if (v4) bytes.push(...v4);
		else if (/^[0-9a-f]{1,4}$/i.test(group)) {
			const value = parseInt(group, 16);
			bytes.push(value >> 8, value & 255);
		} else return null;
	}
	return bytes;
}

function readV6(text: string): Address | null {
	const sides = text.split('::');
	if (sides.length > 2) return null;
	const head = readGroups(sides[0] ?? '', sides.length === 1);
	const tail = readGroups(sides[1] ?? '', true);
	if (!head || !tail) return null;
	const missing = 16 - head.length - tail.length;
	// `::` stands for at least one group.
	if (sides.length === 1 ? missing !== 0 : missing < 2) return null;
	return [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** As it is written, mapped addresses not yet unwrapped. */
const readWritten = (text: string): Address | null =>
	text.includes(':') ? readV6(text.replace(/%.*$/s, '')) : readV4(text);

const unwrap = (address: Address): Address =>
	address.length === 16 && startsWith(address, MAPPED) ? address.slice(MAPPED.length) : address;

function readAddress(text: string): Address | null {
	const written = readWritten(text.trim());
	return written && unwrap(written);
}

/** A single address or a network like 10.0.0.0/8 or 2001:db8::/32. */
function readRange(text: string): Range | null {
	const [written = '', length, ...more] = text.trim().split('/');
	const address = readWritten(written);
	if (!address || more.length > 0) return null;
	const all = address.length * 8;
	if (length === undefined) return { base: unwrap(address), bits: unwrap(address).length * 8 };
	if (!/^\d{1,3}$/.test(length) || Number(length) > all) return null;
	const bits = Number(length);
	const base = unwrap(address);
	const inside = MAPPED.length * 8;
	// A network around all mapped addresses is a network of IPv6: it stays as it is written.
	if (base.length === address.length || bits < inside) return { base: address, bits };
	return { base, bits: bits - inside };
}

function isWithin(address: Address, { base, bits }: Range): boolean {
	if (address.length !== base.length) return false;
	return base.every((byte, index) => {
		const counted = Math.min(Math.max(bits - index * 8, 0), 8);
		const mask = (0xff00 >> counted) & 0xff;
		return ((byte ^ address[index]!) & mask) === 0;
	});
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
	const address = readAddress(from);
	return address !== null && ranges.some((range) => isWithin(address, range));
}
