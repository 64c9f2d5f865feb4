import { isRecord, type Json } from './parse';

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
	const [only = null] = found;
	return found.size === 1 ? only : null;
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
