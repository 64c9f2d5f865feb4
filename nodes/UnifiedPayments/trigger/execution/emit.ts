import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { orderInWords, orderKeyOf, orderOf, type Order } from '../../payment/order';
import { NO_MARK } from '../../payment/mark';
import type { Account } from '../../protocol/credential';
import { SetupError } from '../../protocol/explainedError';
import type { Json } from '../../protocol/parse';
import { createClient, type Client } from '../../transport/client';
import { CallError, toNodeError, type NodeError } from '../../transport/errors';
import type { Explanation } from '../../transport/explain';
import { createProcessedKeys } from '../../transport/processedKeys';
import type { Redactor } from '../../transport/redact';
import { isFromService, readDelivery, type Delivery } from '../delivery';
import { readSettings, type Settings } from '../settings';
import { confirm, fromPayload, PATIENCE, type Believed } from './confirm';
import { simplifyEvent, toEvent, toRejected, type TransactionEvent } from './event';
import { reject, type Rejection } from './rejection';
import { isNews, nameOf, type Novelty } from './repeats';

const CALLBACK = 0;
const REJECTED = 1;

/**
 * The newest are kept: a repeat comes within hours, and n8n rewrites the list at every event. A
 * payment takes seven entries, four if its order is not known, and some more if it was pending.
 */
const MAX_ENTRIES = 10_000;

/** Confirms and emits what the endpoint has stored; in queue mode, on another machine. */
export async function emitCallbacks(
	context: IExecuteFunctions,
	patience: readonly number[] = PATIENCE,
): Promise<INodeExecutionData[][]> {
	const client = createClient(context);
	const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [index, item] of context.getInputData().entries()) {
		const pairedItem = { item: index };
		try {
			const row = client.forRow(index);
			const [output, json] = await emit(context, item.json, index, row, patience);
			if (json) outputs[output].push({ json: json as IDataObject, pairedItem });
		} catch (cause) {
			const { error, details } = toCallbackError(cause, index, context, client.redactor);
			if (!context.continueOnFail()) throw error;
			// n8n takes it from here to the error output. Without one, it must not come out
			// together with the callbacks that can be believed.
			const output = context.getNode().onError === 'continueErrorOutput' ? CALLBACK : REJECTED;
			const json = { error: { message: error.message, ...details } };
			outputs[output].push({ json, pairedItem });
		}
	}
	return outputs;
}

async function emit(
	context: IExecuteFunctions,
	json: Json,
	index: number,
	client: Client,
	patience: readonly number[],
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
	const believed = await believe(context, delivery, settings, client, patience);
	const answer = believed.rejected ? believed : findOrder(believed, delivery, settings);
	const { redactor } = client;
	const rejected = (rejection: Rejection): [1, Json] => [
		REJECTED,
		toRejected(redactor.deep(rejection) as Rejection, delivery.callback),
	];
	if (answer.rejected) return rejected(answer);
	const novelty = await remember(context, answer, delivery, settings, await client.credential());
	if (novelty === 'otherOrder') {
		const { reference, order } = answer;
		const message = `The callback came to the URL of ${orderInWords(order)}, and payment "${reference}" has come out for another order`;
		return rejected(reject('order_mismatch', message, reference));
	}
	if (novelty === 'repeat' || !settings.states.has(answer.record.state)) return [CALLBACK, null];
	// What the service says is shown without secrets; what we say of it is never touched.
	const raw = redactor.deep(answer.record.raw) as Json;
	const event = toEvent(
		{ ...answer, record: { ...answer.record, raw } },
		answer.order,
		verifiedBy(settings, delivery),
		delivery.callback,
	);
	return [CALLBACK, settings.simplify ? simplifyEvent(event) : { ...event }];
}

/** What to believe of a callback, by the chosen verification. */
async function believe(
	context: IExecuteFunctions,
	{ callback, verified, order: { reading: called } }: Delivery,
	settings: Settings,
	client: Client,
	patience: readonly number[],
): Promise<Believed | Rejection> {
	const credential = await client.credential();
	const reading = { transactionType: settings.transactionType, account: credential };
	if (settings.verification !== 'confirm') return fromPayload(callback.body, reading);
	const signal = context.getExecutionCancelSignal();
	return await confirm(callback.body, {
		...reading,
		client,
		isFromService: isFromService({ verified }),
		orderReference: called.is === 'valid' ? called.orderReference : null,
		patience,
		sleep: async (ms) => await sleep(ms, signal),
	});
}

/**
 * Whose order it is: by the address that the service's own record states, else by the one that was
 * called. What a callback states that nobody confirmed is no evidence.
 */
function findOrder(
	believed: Believed,
	{ order: { reading } }: Delivery,
	{ verification }: Settings,
): (Believed & { order: Order }) | Rejection {
	const { record } = believed;
	const mark = verification === 'confirm' ? record.mark : NO_MARK;
	const found = orderOf({ ...record, mark }, reading);
	if (found.is === 'mismatch') return reject(found.reason, found.message, believed.reference);
	return { ...believed, order: found.order };
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
async function remember(
	context: IExecuteFunctions,
	{ reference, type, record: { state, amount }, order }: Believed & { order: Order },
	{ delivery }: Delivery,
	{ skipRepeats }: Settings,
	account: Account,
): Promise<Novelty> {
	// A test in the editor neither uses up an event nor is kept from repeating one.
	if (!skipRepeats || context.getMode() === 'manual') return 'news';
	return await isNews(createProcessedKeys(context, { maxEntries: MAX_ENTRIES }), {
		name: nameOf(account, type, reference),
		state,
		amount,
		order: orderKeyOf(order),
		delivery,
	});
}

/** Of an execution that fails: n8n keeps it, and lets nobody retry one that succeeded. */
const RETRY =
	'The callback is kept with this execution: retry the execution, and it is looked up again.';
const LOOK_UP = "Ask for the transaction later with 'Get' of 'Transaction'.";

export function toCallbackError(
	error: unknown,
	itemIndex: number,
	context: Pick<IExecuteFunctions, 'getNode' | 'continueOnFail'>,
	redactor: Redactor,
): NodeError {
	const next = context.continueOnFail() ? LOOK_UP : RETRY;
	return toNodeError(error, explain(error, next), itemIndex, context.getNode(), redactor);
}

function explain(error: unknown, next: string): Explanation {
	if (error instanceof CallError) {
		const { message, description } = error;
		// Of the trigger's settings none changes how fast it asks.
		const advice = error.failure.kind === 'rateLimited' ? '' : `${description} `;
		return {
			message: `The callback could not be confirmed. ${message}`,
			description: advice + next,
		};
	}
	if (error instanceof SetupError) {
		return { message: error.message, description: `Correct it. ${next}` };
	}
	const reason = error instanceof Error ? error.message : String(error);
	return { message: `The callback could not be handled: ${reason}`, description: next };
}
