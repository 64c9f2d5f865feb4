import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Json } from '../../protocol/parse';
import { createClient, type Client } from '../../transport/client';
import { createProcessedKeys } from '../../transport/processedKeys';
import { readDelivery, type Delivery } from '../delivery';
import { readSettings, type Settings } from '../settings';
import { toCallbackError } from './callbackError';
import { confirm, fromPayload, type Believed } from './confirm';
import { toEvent, toRejected, type TransactionEvent } from './event';
import { reject, type Rejection } from './rejection';
import { claim } from './repeats';

const CALLBACK = 0;
const REJECTED = 1;

/** The newest are kept: a repeat comes within hours, and the host rewrites the list at every event. */
const MOST_ENTRIES = 10_000;
const PAUSES_MS = [1_000, 3_000];

/** Confirms and emits what the endpoint has stored; in queue mode, on another machine. */
export async function emitCallbacks(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const client = createClient(this);
	const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [index, item] of this.getInputData().entries()) {
		const pairedItem = { item: index };
		try {
			const [output, json] = await emit(this, item.json, index, client.forRow(index));
			if (json) outputs[output].push({ json: json as IDataObject, pairedItem });
		} catch (cause) {
			const { error, details } = toCallbackError(cause, index, this.getNode(), client.redactor);
			if (!this.continueOnFail()) throw error;
			// The host takes it from here to the error output. Without one, it must not come out
			// together with the callbacks that can be believed.
			const output = this.getNode().onError === 'continueErrorOutput' ? CALLBACK : REJECTED;
			outputs[output].push({
				json: { error: { message: error.message, ...details } },
				pairedItem,
			});
		}
	}
	return outputs;
}

async function emit(
	context: IExecuteFunctions,
	json: Json,
	index: number,
	client: Client,
): Promise<[output: 0 | 1, json: Json | null]> {
	const settings = readSettings({
		verification: context.getNodeParameter('verification', index, 'confirm'),
		states: context.getNodeParameter('states', index, []),
		options: context.getNodeParameter('options', index, {}),
	});
	const delivery = readDelivery(json);
	if (delivery === null) {
		const rejection = reject('unreadable', 'This item is no callback that the endpoint received');
		return [REJECTED, toRejected(rejection, null)];
	}
	// From here on it is shown, and written down as seen.
	const answer = client.redactor.deep(await believe(context, delivery, settings, client)) as
		Believed | Rejection;
	if (answer.rejected) return [REJECTED, toRejected(answer, delivery.callback)];
	const event = toEvent(answer, verifiedBy(settings, delivery), delivery.callback);
	if (!(await isNews(context, answer, event, delivery, settings))) return [CALLBACK, null];
	return [CALLBACK, settings.states.has(event.state) ? { ...event } : null];
}

/** What to believe of a callback, by the chosen verification. */
async function believe(
	context: IExecuteFunctions,
	{ callback, verified }: Delivery,
	{ verification, transactionType }: Settings,
	client: Client,
): Promise<Believed | Rejection> {
	if (verification !== 'confirm') return fromPayload(callback.body);
	const signal = context.getExecutionCancelSignal();
	return await confirm(callback.body, {
		client,
		transactionType,
		trusted: verified !== false,
		pauses: PAUSES_MS,
		sleep: async (ms) => await sleep(ms, signal),
	});
}

/** What the endpoint has proven, which may be less than the setting says by now. */
const verifiedBy = (
	{ verification }: Settings,
	{ verified }: Delivery,
): TransactionEvent['verified'] => {
	if (verification === 'confirm') return 'confirmed';
	return verification === 'none' ? false : verified;
};

/** Asked after confirmation: what could not be confirmed yet must not count as seen. */
async function isNews(
	context: IExecuteFunctions,
	{ reference }: Believed,
	{ eventKey, state }: TransactionEvent,
	{ delivery }: Delivery,
	{ skipRepeats }: Settings,
): Promise<boolean> {
	// A test in the editor neither uses up an event nor is kept from repeating one.
	if (!skipRepeats || context.getMode() === 'manual') return true;
	return await claim(createProcessedKeys(context, MOST_ENTRIES), {
		eventKey,
		reference,
		state,
		delivery,
	});
}
