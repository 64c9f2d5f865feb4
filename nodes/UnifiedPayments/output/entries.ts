import { isRecord, type Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';

/** The entries of a list reply, each as an object; null when `data` is no list. */
export function entriesOf({ data }: Reply): Json[] | null {
	if (!Array.isArray(data)) return null;
	return data.map((entry) => (isRecord(entry) ? entry : { value: entry as unknown }));
}
