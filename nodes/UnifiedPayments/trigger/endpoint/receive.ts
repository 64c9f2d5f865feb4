import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_NAME, secretsIn, type Credential } from '../../protocol/credential';
import { markIn, readMark } from '../../payment/mark';
import type { Json } from '../../protocol/parse';
import { SetupError } from '../../protocol/explainedError';
import { openCredential, type OpenCredential } from '../../transport/accounts';
import { Redactor } from '../../transport/redact';
import {
	AT_THE_END,
	cleanHeaders,
	isFromService,
	type CalledOrder,
	type Delivery,
} from '../delivery';
import { readSettings, type Settings } from '../settings';
import { checkBody, checkBudget, checkSender, refuse, type Incoming, type Refusal } from './checks';

/**
 * At an endpoint, n8n sets up its engine for expressions again for each credential that is
 * read, which takes longer than everything else that happens here.
 */
const KEEP_MS = 30_000;
/** Before a callback is refused, the credential is read again, which may have changed; so often at most. */
const GAP_MS = 1_000;
const opened = new Map<string, { credential: Promise<OpenCredential>; at: number }>();

/** The credential as it was read at most so long ago. Requests at the same moment share one read. */
async function open(
	context: IWebhookFunctions,
	redactor: Redactor,
	mostMs: number,
): Promise<OpenCredential> {
	const name = cacheKey(context);
	const now = Date.now();
	const known = opened.get(name);
	if (known !== undefined && now - known.at < mostMs) return await known.credential;
	for (const [other, { at }] of opened) if (now - at >= KEEP_MS) opened.delete(other);
	const entry = { credential: openCredential(context, redactor), at: now };
	opened.set(name, entry);
	return await entry.credential.catch((error: unknown) => {
		if (opened.get(name) === entry) opened.delete(name);
		throw error;
	});
}

/** When another credential is chosen, that one counts at once. */
function cacheKey(context: IWebhookFunctions): string {
	const node = context.getNode();
	const { id } = node.credentials?.[CREDENTIAL_NAME] ?? {};
	return JSON.stringify([context.getWorkflow().id, node.id, id]);
}

/** The part of n8n's request that matters here. */
interface HostRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	ip?: string;
	/** Path and query as they were called; the second one is Node's own name for it. */
	originalUrl?: string;
	url?: string;
}

/** Answers every request by itself, whatever happens: a throw would start a failed execution. */
export async function receiveCallback(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const redactor = new Redactor();
	try {
		const answer = await receive(this, redactor);
		return 'delivery' in answer ? accepted(answer) : refused(this, answer);
	} catch (error) {
		const cause = error instanceof Error ? redactor.text(error.message) : 'unknown';
		if (error instanceof SetupError) return refused(this, refuse('not_set_up'), cause);
		// A status that makes the sender try again: the cause is on our side.
		return refused(this, refuse('try_again_later'), cause);
	}
}

/** The cheap checks, the cheapest first. For what they refuse, nothing is asked or stored. */
async function receive(
	context: IWebhookFunctions,
	redactor: Redactor,
): Promise<Delivery | Refusal> {
	const request = await readRequest(context);
	const badBody = checkBody(request);
	if (badBody) return badBody;

	const settings = readSettings({
		verification: context.getNodeParameter('verification', 'confirm'),
		options: context.getNodeParameter('options', {}),
	});
	const before = answerTo(request, settings, await open(context, redactor, KEEP_MS), redactor);
	if ('delivery' in before || before.reason === 'too_many') return before;
	// Nothing is refused for a secret that has been changed meanwhile.
	return answerTo(request, settings, await open(context, redactor, GAP_MS), redactor);
}

function answerTo(
	request: Incoming,
	settings: Settings,
	{ saved, credential }: OpenCredential,
	redactor: Redactor,
): Delivery | Refusal {
	redactor.add(secretsIn(saved));
	const order = orderIn(request.url, credential, redactor);
	const now = Date.now();
	const sender = checkSender(request, order.reading.is, settings, credential, now);
	if (!sender.accepted) return sender;
	const refusal = checkBudget(sender, settings, credential, now);
	if (refusal !== null) return refusal;
	const isRepeatable = request.isAnsweredAtTheEnd && isFromService(sender);
	const secretHeaders = [settings.signatureHeader, String(saved.apiKeyHeader ?? '')];
	return {
		delivery: isRepeatable ? digestOf(request.bytes!, order) : randomUUID(),
		verified: sender.verified,
		order,
		// n8n stores it, so it holds no secret.
		callback: {
			body: redactor.deep(request.body) as Json,
			headers: cleanHeaders(request.headers, secretHeaders, redactor),
			receivedAt: new Date(now).toISOString(),
		},
	};
}

/** The same words at the address of an order say more than at the bare one. */
const digestOf = (bytes: Buffer, { written }: CalledOrder) =>
	createHash('sha256').update(bytes).update(written).digest('hex');

/** Read here, with the credential that counted when the callback came. */
function orderIn(url: string, credential: Credential, redactor: Redactor): CalledOrder {
	return {
		written: redactor.deep(markIn(url) ?? '') as string,
		reading: readMark(credential, url),
	};
}

async function readRequest(context: IWebhookFunctions): Promise<Incoming> {
	const request = hostRequest(context);
	// Of a form with files n8n has used the bytes up. Then its shape is what it is refused for.
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	return {
		bytes: request.rawBody,
		body: context.getBodyData(),
		headers: context.getHeaderData() as Json,
		address: request.ip ?? '',
		url: request.originalUrl ?? request.url ?? '',
		isAnsweredAtTheEnd: context.getWebhookName() === AT_THE_END,
	};
}

const hostRequest = (context: IWebhookFunctions) => context.getRequestObject() as HostRequest;

/** By then strangers may ask again. */
const COME_AGAIN_SECONDS = '60';

/** n8n stores the item, and only then sends this answer: what was acknowledged is not lost. */
const accepted = (delivery: Delivery): IWebhookResponseData => ({
	workflowData: [[{ json: { ...delivery } as IDataObject }]],
	webhookResponse: { accepted: true },
});

function refused(
	context: IWebhookFunctions,
	{ status, reason }: Refusal,
	cause?: string,
): IWebhookResponseData {
	const { ip: address = 'unknown' } = hostRequest(context);
	const { name: node } = context.getNode();
	const why = cause === undefined ? reason : `${reason} (${cause})`;
	// By default n8n prints the text and nothing else of a line of its log.
	context.logger.warn(
		`Unified Payments Trigger refused a callback to "${node}" from ${address}: ${why}`,
		{ reason, address, node, ...(cause === undefined ? {} : { cause }) },
	);
	const response = context.getResponseObject();
	if (status === 503) response.setHeader('Retry-After', COME_AGAIN_SECONDS);
	response.status(status).json({ accepted: false, reason });
	return { noWebhookResponse: true };
}
