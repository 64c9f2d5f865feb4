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
import { memoryOf, type Memory } from './memory';
import { canBeAsked, lookUp, PAUSES, type StatusLookup } from './status';

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

interface Answer {
	answer: keyof typeof ANSWERS;
	cause?: string;
	/** How many payments are open: so many may come again at the same time. */
	open?: number;
}

/** The answer to the caller; or the items with which the execution goes on. */
type Outcome = Answer | { items: Json[] };

/** Whoever called back does so again when it is told to. */
const CALL = { timeoutSeconds: 10, maxRetries: 0 };

/** Never throws: n8n would resume the execution with nothing. */
export async function resumeExecution(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const outcome = await receive(this).catch((error: unknown) => unheard(error, new Redactor()));
	if ('items' in outcome) return resumed(outcome.items);
	answer(this, outcome);
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
	const memory = memoryOf(context, called, Date.now());
	let read: Aside | undefined;
	const aside = () => (read ??= asideOf(context));
	const payment = memory.payment(called, () => aside().payments, Date.now());
	if (payment === undefined) return { answer: 'not_awaited_now' };
	// Without the whole mark, nothing proves that the callback belongs to it: it is a reason to ask.
	const told = { payment, callback: payment.mark === called ? callback : {}, body: callback };
	const hearOnce = async () =>
		await memory
			.inTurn(async () => await hear(context, memory, told, aside))
			.catch((error: unknown) => unheard(error, memory.redactor));
	let heard = await hearOnce();
	if (heard === 'behind') {
		// Meanwhile others have their turn.
		heard = await memory.patiently(payment, async () => {
			await sleep(PAUSES.behindCallback);
			return await hearOnce();
		});
	}
	if (heard !== null && heard !== 'behind') return heard;
	return { answer: 'try_again_later', open: memory.open().length };
}

interface Told {
	payment: AwaitedPayment;
	/** Its names may be asked by: empty unless it came to exactly the address of the payment. */
	callback: Json;
	/** Only a reason to ask again. */
	body: Json;
}

/** What a callback leads to. Nobody else of the execution is heard meanwhile. */
async function hear(
	context: IWebhookFunctions,
	memory: Memory,
	told: Told,
	aside: () => Aside,
): Promise<Outcome | 'behind'> {
	const { payment } = told;
	if (memory.over !== undefined) {
		return { answer: memory.isOver(payment.mark, Date.now()) ? 'kept' : 'try_again_later' };
	}
	const lookup = await openLookup(context, memory.redactor);
	const status = await confirmed(memory, told, lookup);
	if (status === 'behind') return 'behind';
	if (!status?.isFinal) return { answer: 'not_final' };
	const left = await lookAtOthers(memory, lookup);
	// What nobody can ask about again is not kept: the process may end before the others are final.
	if (left === 'open') return { answer: status.canBeAskedAgain ? 'kept' : 'try_again_later' };
	if (left === 'unknown') return { answer: 'try_again_later' };
	const { items, payments } = aside();
	if (![...payments.values()].every((each) => memory.statusOf(each) !== null)) {
		return { answer: 'try_again_later' };
	}
	memory.over = { at: Date.now(), by: payment.mark };
	return {
		items: items.map((item) =>
			leaving(item, item.payment && memory.statusOf(item.payment), memory.redactor),
		),
	};
}

/** What the service says about the payment of a callback, of which nothing is believed. */
async function confirmed(
	memory: Memory,
	{ payment, callback, body }: Told,
	lookup: StatusLookup,
): Promise<PaymentStatus | 'behind' | null> {
	const { state: claimed, status: said } = readTold(body, lookup.account).record;
	const known = memory.statusOf(payment);
	// What is final can change: a time-out that was paid after all, a success that is reversed.
	if (known !== null && (claimed === known.state || claimed === 'pending')) return known;
	const status = memory.note(payment, await lookUp(payment, lookup, callback));
	return isBehindCallback(status, said) ? 'behind' : status;
}

/** So long the others are asked about at most; what is not looked at by then is, when somebody calls. */
const LOOK_MS = 5_000;
/** So many of them at the same time, once the first is found final. */
const FEW = 5;

/**
 * Asks about those that nobody has called about, in the order of the wait, until one is found open.
 * `unknown`: time was up before.
 */
async function lookAtOthers(
	memory: Memory,
	lookup: StatusLookup,
): Promise<'final' | 'open' | 'unknown'> {
	const left = memory.open();
	if (!left.every(canBeAsked)) return 'open';
	const end = Date.now() + LOOK_MS;
	for (let count = 1; left.length > 0; count = FEW) {
		if (Date.now() > end) return 'unknown';
		const areFinal = await Promise.all(
			left.splice(0, count).map(async (payment) => {
				return memory.note(payment, await lookUp(payment, lookup))?.isFinal === true;
			}),
		);
		if (!areFinal.every(Boolean)) return 'open';
	}
	return 'final';
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

/** For those who come again: the more are open, the further apart. */
const AGAIN_SECONDS = 5;
const A_SECOND = 5;
const comeAgainSeconds = (open: number): number =>
	AGAIN_SECONDS + Math.floor((Math.random() * open) / A_SECOND);

function answer(context: IWebhookFunctions, { answer: reason, cause, open = 0 }: Answer): void {
	const response = context.getResponseObject();
	const status = ANSWERS[reason];
	context.logger.info(
		`Unified Payments: a callback to a waiting execution was ${reason === 'kept' ? 'used' : 'not used'}: ${reason}`,
		{
			reason,
			...{ node: context.getNode().name, execution: context.getExecutionId() },
			...(cause === undefined ? {} : { cause }),
		},
	);
	if (reason === 'try_again_later') {
		response.setHeader('Retry-After', String(comeAgainSeconds(open)));
	}
	response.status(status).json({ accepted: status === 200, reason });
}
