import {
	sleep,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { statusFields } from '../fields/options';
import { readFields, type RawFields } from '../fields/field';
import { isFinal, readState, type ExtraStatuses } from '../payment/state';
import { carriesToken } from '../protocol/callback';
import { readMark } from '../payment/mark';
import { isRecord, type Json } from '../protocol/parse';
import { createEndpointClient } from '../transport/client';
import { createLimiter, locked } from '../transport/limiter';
import { Redactor } from '../transport/redact';
import { paymentIn } from './address';
import { isWaiting, readAwaited, withSight, type Awaited, type Sight } from './awaited';
import { forgetSights, keptSights } from './kept';
import { lookAt, type Lookout } from './look';

/** How the caller is answered when the execution goes on sleeping. */
const ANSWERS = {
	/** Nothing to do yet. */
	not_final: 200,
	/** Others are still open. */
	kept: 200,
	bad_token: 401,
	/** This node waits for something else; another node of the execution may wait for it later. */
	not_awaited_now: 409,
	/** The service contradicts itself, or only this callback can tell what a payment is called. */
	try_again_later: 503,
} as const;

type Answer = keyof typeof ANSWERS;

/** What is told to the caller, or what the execution goes on with. */
type Outcome = { answer: Answer } | { items: Json[] };

/** A service may be a little behind its own callbacks. */
const PATIENCE: readonly number[] = [500, 1_000, 2_000];

/** So many payments are looked at together. */
const LANES = 5;

const CALL = { timeoutSeconds: 30, maxRetries: 1 };

/** Never throws: n8n would resume the execution with nothing. */
export async function resumeExecution(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const redactor = new Redactor();
	try {
		// Calls about one execution one after the other: each builds on what the others found out.
		const outcome = await locked(
			`resume ${nameOf(this)}`,
			async () => await receive(this, redactor),
		);
		return 'items' in outcome ? resumed(this, outcome.items) : answered(this, outcome.answer);
	} catch (error) {
		const cause = error instanceof Error ? redactor.text(error.message) : 'unknown';
		return answered(this, 'try_again_later', cause);
	}
}

const nameOf = (context: IWebhookFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

interface HostRequest {
	/** Path and query as they were called; the second one is Node's own name for it. */
	originalUrl?: string;
	url?: string;
}

async function receive(context: IWebhookFunctions, redactor: Redactor): Promise<Outcome> {
	const client = await createEndpointClient(context, redactor);
	const account = await client.credential();
	const { callbackToken } = account;
	if (callbackToken !== null && !carriesToken(context.getQueryData() as Json, callbackToken)) {
		return { answer: 'bad_token' };
	}
	const request = context.getRequestObject() as unknown as HostRequest;
	const url = request.originalUrl ?? request.url ?? '';
	const items = itemsOf(context);
	const open = items.flatMap(({ json }) => {
		const payment = isWaiting(json) ? readAwaited(json) : null;
		return payment === null ? [] : [payment];
	});
	const isOurs = readMark(account, url).kind === 'valid';
	const called = isOurs ? open.find(({ key }) => key === paymentIn(url)) : undefined;
	if (isOurs && called === undefined) return { answer: 'not_awaited_now' };

	const statuses = statusesOf(context);
	const lookout: Lookout = { client, account, options: CALL, statuses };
	const kept = keptSights(nameOf(context));
	const body: unknown = context.getBodyData();
	const callback = isRecord(body) ? body : {};
	if (called !== undefined && !kept.has(called.key)) {
		const sight = await lookWithPatience(called, callback, lookout);
		if (sight === null || !isFinal(sight.state)) {
			return { answer: claimsEnd(callback, statuses) ? 'try_again_later' : 'not_final' };
		}
		const isTaken = [...kept.values()].some((each) => isSame(each, sight));
		if (isTaken) return { answer: 'not_final' };
		kept.set(called.key, sight);
	}
	if (!(await areAllFinal(open, kept, lookout))) {
		const sight = called && kept.get(called.key);
		return { answer: sight?.canBeAskedAgain === false ? 'try_again_later' : 'kept' };
	}
	return {
		items: items.map(({ json }) => {
			const payment = isWaiting(json) ? readAwaited(json) : null;
			return payment === null ? json : withSight(json, kept.get(payment.key)!, client.redactor);
		}),
	};
}

/** One record is one payment, whatever a callback says. */
const isSame = (a: Sight, b: Sight): boolean => a.reference !== null && a.reference === b.reference;

/** What the node put aside before it went to sleep. */
const itemsOf = (context: IWebhookFunctions): INodeExecutionData[] =>
	context.evaluateExpression('{{ $input.all() }}', 0) as unknown as INodeExecutionData[];

function statusesOf(context: IWebhookFunctions): ExtraStatuses {
	const options = context.getNodeParameter('options', {}) as RawFields;
	const { successStatuses, failureStatuses } = readFields(statusFields, options);
	return { success: successStatuses, failed: failureStatuses };
}

/** Only a hint, by which to decide whether it is worth asking again. */
const claimsEnd = (callback: Json, statuses: ExtraStatuses): boolean => {
	const inside = [callback.data, callback.transaction].filter(isRecord);
	return isFinal(readState([callback, ...inside], statuses).state);
};

async function lookWithPatience(
	payment: Awaited,
	callback: Json,
	lookout: Lookout,
): Promise<Sight | null> {
	let sight = await lookAt(payment, lookout, callback);
	for (const pause of claimsEnd(callback, lookout.statuses) ? PATIENCE : []) {
		if (sight !== null && isFinal(sight.state)) break;
		await sleep(pause);
		sight = await lookAt(payment, lookout, callback);
	}
	return sight;
}

/** Asks about those that are not known to be final, until one is found that is not. */
async function areAllFinal(
	open: readonly Awaited[],
	kept: Map<string, Sight>,
	lookout: Lookout,
): Promise<boolean> {
	const limit = createLimiter(LANES);
	let isOpen = false;
	await Promise.all(
		open
			.filter(({ key }) => !kept.has(key))
			.map(
				async (payment) =>
					await limit(async () => {
						if (isOpen) return;
						const sight = await lookAt(payment, lookout);
						if (sight !== null && isFinal(sight.state)) kept.set(payment.key, sight);
						else isOpen = true;
					}),
			),
	);
	return !isOpen;
}

const resumed = (context: IWebhookFunctions, items: Json[]): IWebhookResponseData => {
	forgetSights(nameOf(context));
	return {
		workflowData: [
			items.map((json, item) => ({ json: json as IDataObject, pairedItem: { item } })),
		],
		webhookResponse: { accepted: true },
	};
};

function answered(
	context: IWebhookFunctions,
	reason: Answer,
	cause?: string,
): IWebhookResponseData {
	const status = ANSWERS[reason];
	context.logger.info(
		`Unified Payments: a callback to a waiting execution was not used: ${reason}`,
		{
			reason,
			node: context.getNode().name,
			execution: context.getExecutionId(),
			...(cause === undefined ? {} : { cause }),
		},
	);
	context
		.getResponseObject()
		.status(status)
		.json({ accepted: status === 200, reason });
	return { noWebhookResponse: true };
}
