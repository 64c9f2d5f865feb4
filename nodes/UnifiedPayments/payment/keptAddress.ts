import type { Account } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import { readMark } from './mark';

const ADDRESS = /https?:\/\/[^\s"'<>\\]+/gi;

/** Every address in an entry or a record, at whatever place. */
const addressesIn = (record: Json): string[] => JSON.stringify(record).match(ADDRESS) ?? [];

/** What a record kept of a callback URL: all of it, a part of it, or nothing that can be seen. */
export function keptOf(record: Json, callbackUrl: string): 'whole' | 'part' | 'nothing' {
	const addresses = addressesIn(record);
	if (addresses.includes(callbackUrl)) return 'whole';
	const [start = callbackUrl] = callbackUrl.split('?');
	return addresses.some((each) => each.startsWith(start.slice(0, 60))) ? 'part' : 'nothing';
}

/** Whether a record has a callback URL whose mark is ours and holds: then it was kept whole. */
export const keepsMark = (record: Json, account: Account): boolean =>
	addressesIn(record).some((address) => readMark(account, address).kind === 'valid');
