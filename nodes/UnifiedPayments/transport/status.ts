import { ENDPOINTS } from '../protocol/endpoints';
import { saysNotFound } from '../protocol/errorTable';
import { isRecord, type Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';
import type { CallOptions, Client } from './client';
import { CallError, withoutData } from './errors';

/** As errors call it. */
export const STATUS_NAME = 'the transaction status';

type Asker = Pick<Client, 'query'>;

/** Null when the service has no such transaction; whatever else goes wrong is thrown. */
export const askForRecord = async (
	client: Asker,
	id: string,
	type: string,
	options: CallOptions,
): Promise<Json | null> =>
	await recordIn(client.query(ENDPOINTS.statusV3, { id, type }, options, STATUS_NAME), id);

/** The same for a question that was asked already. */
export async function recordIn(asked: Promise<Reply>, id: string): Promise<Json | null> {
	const reply = await asked.catch((error: unknown) => nullWhenUnknown(error, id));
	if (reply === null) return null;
	const { data } = reply;
	if (isRecord(data) && Object.keys(data).length > 0) return data;
	// It may say yes and send no record: only its words can tell what that means.
	if (saysNotFound(reply.message, id)) return null;
	throw withoutData(reply, STATUS_NAME);
}

function nullWhenUnknown(error: unknown, id: string): null {
	if (
		error instanceof CallError &&
		error.failure.kind === 'refused' &&
		saysNotFound(error.failure.serviceMessage, id)
	) {
		return null;
	}
	throw error;
}
