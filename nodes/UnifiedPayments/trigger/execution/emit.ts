import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { orderInWords, orderKeyOf, orderOf, type Order } from '../../payment/order';
import { readTold } from '../../payment/callback';
import type { Reader } from '../../payment/record';
import { SetupError } from '../../protocol/explainedError';
import type { Json } from '../../protocol/parse';
import {
	AskedTooOftenError,
	PER_MINUTE,
	withBudget,
	type Caller,
} from '../../transport/askingBudget';
import { createClient, type Client } from '../../transport/client';
import { CallError, toNodeError, type NodeError } from '../../transport/errors';
import type { Explanation } from '../../transport/explain';
import { createProcessedKeys } from '../../transport/processedKeys';
import type { Redactor } from '../../transport/redact';
import { readDelivery, type Delivery } from '../delivery';
import { readSettings, type Settings } from '../settings';
import { tellIfWithoutToken } from '../tokenState';
import { confirm, fromPayload, PATIENCE, type Believed, type Patience } from './confirm';
import { simplifyEvent, toEvent, toRejected, type TransactionEvent } from './event';
import { reject, type Rejection } from './rejection';
import { claim, type Claim } from './repeats';

const CALLBACK = 0;
const REJECTED = 1;

/**
 * The newest are kept: a repeat comes within hours, and n8n rewrites the list at every event. A
 * payment takes six entries, three if its order is not known, and up to three more if it was pending.
 */
const MAX_ENTRIES = 10_000;

/** Confirms and emits what the endpoint has stored; in queue mode, on another machine. */
export async function emitCallbacks(
	context: IExecuteFunctions,
	patience: Patience = PATIENCE,
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
			const { error, details } = toCallbackError(cause, index, context.getNode(), client.redactor);
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
	patience: Patience,
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
	const ordered = believed.rejected ? believed : findOrder(believed, delivery);
	// From here on it is shown, and written down as seen.
	const answer = client.redactor.deep(ordered) as typeof ordered;
	if (answer.rejected) return [REJECTED, toRejected(answer, delivery.callback)];
	const event = toEvent(answer, answer.order, verifiedBy(settings, delivery), delivery.callback);
	const claimed = await remember(context, answer, delivery, settings);
	if (claimed === 'otherOrder') {
		const { reference, order } = answer;
		const message = `The callback came to the URL of ${orderInWords(order)}, and payment "${reference}" has come out for another order`;
		return [REJECTED, toRejected(reject('order_mismatch', message, reference), delivery.callback)];
	}
	if (claimed === 'repeat') return [CALLBACK, null];
	if (!settings.states.has(event.state)) return [CALLBACK, null];
	return [CALLBACK, settings.simplify ? simplifyEvent(event) : { ...event }];
}

/** What to believe of a callback, by the chosen verification. */
async function believe(
	context: IExecuteFunctions,
	{ callback, verified, order }: Delivery,
	settings: Settings,
	client: Client,
	patience: Patience,
): Promise<Believed | Rejection> {
	const credential = await client.credential();
	const reading = { transactionType: settings.transactionType, account: credential };
	if (settings.verification !== 'confirm') return fromPayload(callback.body, reading);
	tellIfWithoutToken(context, credential);
	const signal = context.getExecutionCancelSignal();
	const wait = async (ms: number) => await sleep(ms, signal);
	const trusted = verified !== false;
	// Only the service was given an address with a mark.
	const caller: Caller = order.reading.is === 'valid' ? 'knowsAddress' : 'stranger';
	return await confirm(callback.body, {
		...reading,
		client: trusted
			? client
			: withBudget(client, credential, { caller, patienceMs: patience.turnMs, sleep: wait }),
		trusted,
		patience,
		sleep: wait,
	}).catch((error: unknown) => notAsked(context, callback.body, credential, error));
}

/** The service may be asked later, so what is not asked now can still be retried. */
function notAsked(
	context: IExecuteFunctions,
	body: Json,
	account: Reader,
	error: unknown,
): Rejection {
	if (!(error instanceof AskedTooOftenError)) throw error;
	context.logger.warn(
		`Unified Payments Trigger: a callback was not confirmed. ${error.message}. The limit is ${PER_MINUTE.stranger} a minute`,
	);
	const { reference } = readTold(body, account);
	return reject('asked_too_often', error.message, reference, true);
}

/** Whose order it is: by the address that the record states, else by the one that was called. */
function findOrder(
	believed: Believed,
	{ order: { reading } }: Delivery,
): (Believed & { order: Order }) | Rejection {
	const found = orderOf(believed.record, reading);
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
	{ reference, record: { state }, order }: Believed & { order: Order },
	{ delivery }: Delivery,
	{ skipRepeats }: Settings,
): Promise<Claim> {
	// A test in the editor neither uses up an event nor is kept from repeating one.
	if (!skipRepeats || context.getMode() === 'manual') return 'news';
	return await claim(createProcessedKeys(context, { maxEntries: MAX_ENTRIES }), {
		reference,
		state,
		order: orderKeyOf(order),
		delivery,
	});
}

const RETRY =
	'The callback is kept with this execution: retry the execution, and it is looked up again.';

export const toCallbackError = (
	error: unknown,
	itemIndex: number,
	node: INode,
	redactor: Redactor,
): NodeError => toNodeError(error, explain(error), itemIndex, node, redactor);

function explain(error: unknown): Explanation {
	if (error instanceof CallError) {
		const { message, description } = error;
		// Of the trigger's settings none changes how fast it asks.
		const advice = error.failure.kind === 'rateLimited' ? '' : `${description} `;
		return {
			message: `The callback could not be confirmed. ${message}`,
			description: advice + RETRY,
		};
	}
	if (error instanceof SetupError) {
		return { message: error.message, description: `Correct it. ${RETRY}` };
	}
	const reason = error instanceof Error ? error.message : String(error);
	return { message: `The callback could not be handled: ${reason}`, description: RETRY };
}
