import { isRecord, type Json } from '../protocol/parse';
import { referenceIn } from '../protocol/reply';
import { readRecord, type Reader, type Record } from './record';

/** What a callback is about: what it may be asked for by, and what it says. Never believed by itself. */
export interface Told {
	/** The service's own name for the transaction; null when the callback gives none. */
	reference: string | null;
	record: Record;
}

/** Reads the body of a callback: the record is its `data`, or the body itself. */
export function readTold(body: Json, reader: Reader): Told {
	const { data } = body;
	const inside = isRecord(data) ? data : null;
	const reference = (inside && referenceIn(inside, reader)) ?? referenceIn(body, reader);
	return { reference, record: readRecord(inside ?? body, reader) };
}
