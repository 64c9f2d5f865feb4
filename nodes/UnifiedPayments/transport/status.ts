import { ENDPOINTS } from '../protocol/endpoints';
import { isAboutAccount } from '../protocol/errorTable';
import { isRecord, type Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';
import type { CallOptions, Client } from './client';
import { CallError, withoutData } from './errors';

/** As errors call it. */
export const STATUS_NAME = 'the transaction status';

type Asker = Pick<Client, 'query'>;

/**
 * Null when the service declines the question. Whether it has no such transaction, or knows it by
 * another name, nobody can tell. Whatever else goes wrong is thrown.
 */
export const askForRecord = async (
	client: Asker,
	id: string,
	type: string,
	options: CallOptions,
): Promise<Json | null> =>
	await recordIn(client.query(ENDPOINTS.statusV3, { id, type }, options, STATUS_NAME));

/** The same for a question that was asked already. */
export async function recordIn(asked: Promise<Reply>): Promise<Json | null> {
	const reply = await asked.catch(nullWhenDeclined);
	if (reply === null) return null;
	const { data } = reply;
	if (isRecord(data) && Object.keys(data).length > 0) return data;
	throw withoutData(reply, STATUS_NAME);
}

/** A no about the account or the signature is no answer to the question. */
function nullWhenDeclined(error: unknown): null {
	if (error instanceof CallError && error.failure.kind === 'refused') {
		const { serviceMessage } = error.failure;
		if (serviceMessage === null || !isAboutAccount(serviceMessage)) return null;
	}
	throw error;
}
