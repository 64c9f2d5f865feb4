import {
	sleep,
	type IDataObject,
	type INodeExecutionData,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { readTold } from '../payment/callback';
import { bodyRefusal } from '../protocol/callback';
import type { Json } from '../protocol/parse';
import { createEndpointClient } from '../transport/client';
import { Redactor } from '../transport/redact';
import { paymentIn, RESUME_PATH } from './address';
import {
	leaving,
	paymentsOf,
	readAside,
	type AwaitedPayment,
	type PaymentStatus,
	type WaitingItem,
} from './awaited';
import type { Heard, Sleeper } from './sleeper';
import { forgetSleeper, keepSleeper, sleeperOf } from './sleepers';
import { PAUSES, type StatusLookup } from './status';

/** What n8n must know about a node whose executions can sleep. */
export const sleeping: Pick<INodeTypeDescription, 'webhooks' | 'waitingNodeTooltip'> = {
	webhooks: [
		{
			name: 'default',
			httpMethod: 'POST',
			path: RESUME_PATH,
			isFullPath: true,
			restartWebhook: true,
			// n8n answers once it has stored that the execution goes on, with what `webhook` says.
			responseMode: 'onReceived',
			responseData: '',
		},
	],
	waitingNodeTooltip: `={{ ($parameter["operation"] === "waitUntilPaid" ? "Waiting until the payment links are paid" : "Waiting until the payments have succeeded or failed") + ", at most " + $parameter["waitLimitMinutes"] + " minutes. The service calls back to this execution by itself." }}`,
};

/** How the caller is answered when the execution goes on sleeping. */
const ANSWERS = {
	/** Nothing to do yet. */
	not_final: 200,
	/** Others are still open. */
	kept: 200,
	too_large: 413,
	not_json: 415,
	not_an_object: 400,
	unacceptable_json: 400,
	/** The address is not that of a payment: its mark is missing, or is there twice. */
	no_payment: 400,
	/** This node waits for something else; another node of the execution may wait for it later. */
	not_awaited_now: 409,
	/** Too many call, the service contradicts itself, or only this callback can name the payment. */
	try_again_later: 503,
} as const;

/** For those who are told to come again. */
const COME_AGAIN_SECONDS = '5';

interface Answer {
	answer: keyof typeof ANSWERS;
	cause?: string;
}

/** The answer to the caller, now or later; or the items with which the execution goes on. */
type Outcome = Answer | 'answeredLater' | { items: Json[] };

/** Whoever called back does so again when it is told to. */
const CALL = { timeoutSeconds: 10, maxRetries: 0 };

/** Never throws: n8n would resume the execution with nothing. */
export async function resumeExecution(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const outcome = await receive(this).catch((error: unknown) => unheard(error, new Redactor()));
	if (outcome === 'answeredLater') return { noWebhookResponse: true };
	if ('items' in outcome) return resumed(outcome.items);
	answererOf(this)(outcome);
	return { noWebhookResponse: true };
}

const unheard = (error: unknown, redactor: Redactor) => ({
	answer: 'try_again_later' as const,
	cause: error instanceof Error ? redactor.text(error.message) : 'unknown',
});

/** The part of n8n's request that matters here. */
interface HostRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	/** Path and query as they were called; the second one is Node's own name for it. */
	originalUrl?: string;
	url?: string;
}

/** The cheap checks first: n8n has checked its signature, and the mark says what it is about. */
async function receive(context: IWebhookFunctions): Promise<Outcome> {
	const request = context.getRequestObject() as HostRequest;
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	const callback: Json = context.getBodyData();
	const { 'content-type': contentType } = context.getHeaderData() as Json;
	const refusal = bodyRefusal(request.rawBody, callback, contentType);
	if (refusal !== null) return { answer: refusal };
	const called = paymentIn(request.originalUrl ?? request.url ?? '');
	if (called === null) return { answer: 'no_payment' };
	const sleeper = sleeperOf(context, called, Date.now());
	let read: Aside | undefined;
	const aside = () => (read ??= asideOf(context));
	const payment = sleeper.payment(called, () => aside().payments, Date.now());
	if (payment === undefined) return { answer: 'not_awaited_now' };
	if (sleeper.over !== undefined) return { answer: 'kept' };
	// Without the whole mark, nothing proves that the callback belongs to it: it is a reason to ask.
	const told = { payment, callback, isProven: payment.key === called };
	const open = async () => await openLookup(context, sleeper.redactor);
	const leader = sleeper.lead(open, Date.now());
	if (leader === null) return joinLeader(sleeper, told, request.rawBody, answererOf(context));

	const own = await hear(sleeper, told);
	if (!('status' in own)) {
		await sleeper.leave(leader, own.cause === undefined && sleeper.statusOf(payment) === null);
		return own;
	}
	const areAllFinal = await sleeper.areAllFinal(leader).catch((error: unknown) => ({ error }));
	if (typeof areAllFinal === 'object') return unheard(areAllFinal.error, sleeper.redactor);
	if (!areAllFinal) return answerTo(own);
	// If it does not go on after all, whoever comes next begins anew.
	forgetSleeper(context);
	const { items, payments } = aside();
	const areAllKnown = [...payments.values()].every((each) => sleeper.statusOf(each) !== null);
	if (!areAllKnown) return { answer: 'try_again_later' };
	sleeper.over = { at: Date.now(), by: called };
	keepSleeper(context, sleeper);
	return { items: items.map((item) => leaving(item, sleeper.statusOf, sleeper.redactor)) };
}

interface Told {
	payment: AwaitedPayment;
	callback: Json;
	/** Whether it came to exactly the address of the payment, so that its names may be asked by. */
	isProven: boolean;
}

/** Nothing of n8n's context is kept meanwhile but what it takes to answer. */
function joinLeader(
	sleeper: Sleeper,
	told: Told,
	body: Buffer | undefined,
	answer: (answer: Answer) => void,
): Outcome {
	const isJoined = sleeper.join(
		body?.length ?? 0,
		async () => await hear(sleeper, told),
		(heard) => answer(answerTo(heard)),
	);
	return isJoined ? 'answeredLater' : { answer: 'try_again_later' };
}

/** A callback is kept when the service can be asked for the same again. */
function answerTo(heard: Heard): Answer {
	if (!('status' in heard)) return heard;
	return { answer: heard.status.canBeAskedAgain ? 'kept' : 'try_again_later' };
}

/** What a callback about an awaited payment leads to; never throws. */
const hear = async (sleeper: Sleeper, told: Told): Promise<Heard> =>
	await confirmed(sleeper, told).catch((error: unknown) => unheard(error, sleeper.redactor));

async function confirmed(sleeper: Sleeper, { payment, callback, isProven }: Told): Promise<Heard> {
	const lookup = await sleeper.lookup();
	const { state: claimed, status: said } = readTold(callback, lookup.account).record;
	const known = sleeper.statusOf(payment);
	// What is final can change: a time-out that was paid after all, a success that is reversed.
	const isNews = claimed !== known?.state && claimed !== 'pending';
	if (known !== null && !isNews) return { status: known };
	const isBehind = (found: PaymentStatus | null) => isBehindCallback(found, said);
	const names = isProven ? callback : {};
	let status = await sleeper.confirm(payment, lookup, names);
	if (isBehind(status)) {
		const later = await sleeper.patiently(payment, async () => {
			await sleep(PAUSES.behindCallback);
			return await sleeper.confirm(payment, lookup, names);
		});
		status = later ?? status;
		if (isBehind(status)) return { answer: 'try_again_later' };
	}
	return status?.isFinal ? { status } : { answer: 'not_final' };
}

/** What the node put aside before it went to sleep. */
function asideOf(context: IWebhookFunctions): Aside {
	const given: unknown = context.evaluateExpression('{{ $input.all() }}', 0);
	const items = (given as INodeExecutionData[]).map(({ json }) => readAside(json));
	return { items, payments: paymentsOf(items) };
}

interface Aside {
	items: WaitingItem[];
	payments: Map<string, AwaitedPayment>;
}

async function openLookup(context: IWebhookFunctions, redactor: Redactor): Promise<StatusLookup> {
	const client = await createEndpointClient(context, redactor);
	const account = await client.credential();
	return { client, account, options: CALL };
}

/** Whether the record may be behind the callback, which says something else than it, or nothing. */
const isBehindCallback = (status: PaymentStatus | null, said: string | null): boolean =>
	status === null || (!status.isFinal && (said === null || said !== status.word));

const resumed = (items: Json[]): IWebhookResponseData => ({
	workflowData: [items.map((json, item) => ({ json: json as IDataObject, pairedItem: { item } }))],
	webhookResponse: { accepted: true },
});

/** How the caller is told something; it may be later, so it does not hold on to the context. */
function answererOf(context: IWebhookFunctions): (answer: Answer) => void {
	const { logger } = context;
	const response = context.getResponseObject();
	const where = { node: context.getNode().name, execution: context.getExecutionId() };
	return ({ answer: reason, cause }) => {
		const status = ANSWERS[reason];
		logger.info(`Unified Payments: a callback to a waiting execution was not used: ${reason}`, {
			reason,
			...where,
			...(cause === undefined ? {} : { cause }),
		});
		if (reason === 'try_again_later') response.setHeader('Retry-After', COME_AGAIN_SECONDS);
		response.status(status).json({ accepted: status === 200, reason });
	};
}
