import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Json } from '../../output/transaction';
import { ProtocolError } from '../../protocol/settings';
import { Redactor } from '../../transport/redact';
import { judgeSender, judgeShape, refuse, type Incoming, type Refusal } from './checks';
import { Kept } from './expiringCache';
import { readSecrets, readSettings, type Secrets, type Settings } from '../settings';
import { cleanBody, cleanHeaders, type Delivery } from '../delivery';

const CREDENTIAL = 'unifiedPaymentsApi';

interface ReadCredential {
	saved: ICredentialDataDecryptedObject;
	secrets: Secrets;
}

/**
 * At an endpoint, the host sets up its engine for expressions anew for each credential that is
 * read, which takes longer than all else that happens here.
 */
const KEEP_MS = 30_000;
const credentials = new Kept<ReadCredential>(KEEP_MS, () => Date.now());

/** Where another credential is chosen, that one counts at once. */
function keyOf(context: IWebhookFunctions): string {
	const node = context.getNode();
	return JSON.stringify([context.getWorkflow().id, node.id, node.credentials?.[CREDENTIAL]?.id]);
}

async function readCredential(context: IWebhookFunctions): Promise<ReadCredential> {
	const saved = await context.getCredentials(CREDENTIAL);
	return { saved, secrets: readSecrets(saved) };
}

/** The part of the host's request that matters here. */
interface HostRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	ip?: string;
}

/** Answers every request by itself, whatever happens: a throw would start a failed execution. */
export async function receiveCallback(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const redactor = new Redactor();
	try {
		const answer = await receive(this, redactor);
		return 'delivery' in answer ? accepted(answer) : refused(this, answer);
	} catch (thrown) {
		const cause = thrown instanceof Error ? redactor.text(thrown.message) : 'unknown';
		if (thrown instanceof ProtocolError) return refused(this, refuse('not_set_up'), cause);
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
	const misshapen = judgeShape(request);
	if (misshapen) return misshapen;

	const settings = readSettings({
		verification: context.getNodeParameter('verification', 'confirm'),
		options: context.getNodeParameter('options', {}),
	});
	const read = async () => await readCredential(context);
	const key = keyOf(context);
	const { value, isFresh } = await credentials.get(key, read);
	const answer = judge(request, settings, value, redactor);
	// Nothing is refused for a secret that has been changed meanwhile.
	if ('delivery' in answer || isFresh) return answer;
	return judge(request, settings, await credentials.renew(key, read), redactor);
}

function judge(
	request: Incoming,
	settings: Settings,
	{ saved, secrets }: ReadCredential,
	redactor: Redactor,
): Delivery | Refusal {
	redactor.add([saved.secretKey, saved.apiKey, saved.callbackToken]);
	const verdict = judgeSender(request, settings, secrets);
	if (!verdict.accepted) return verdict;

	const secretHeaders = [settings.signatureHeader, String(saved.apiKeyHeader ?? '')];
	return {
		delivery: randomUUID(),
		verified: verdict.verified,
		callback: {
			body: cleanBody(request.body as Json, redactor),
			headers: cleanHeaders(request.headers, secretHeaders, redactor),
			receivedAt: new Date().toISOString(),
		},
	};
}

async function readRequest(context: IWebhookFunctions): Promise<Incoming> {
	const request = hostRequest(context);
	// Of a form with files the host has used the bytes up. Then its shape is what it is refused for.
	if (request.rawBody === undefined) await request.readRawBody?.().catch(() => undefined);
	return {
		bytes: request.rawBody,
		body: context.getBodyData(),
		headers: context.getHeaderData() as Json,
		query: context.getQueryData() as Json,
		address: request.ip ?? '',
	};
}

const hostRequest = (context: IWebhookFunctions) =>
	context.getRequestObject() as unknown as HostRequest;

/** The host stores the item, and only then sends this answer: what was acknowledged is not lost. */
const accepted = (delivery: Delivery): IWebhookResponseData => ({
	workflowData: [[{ json: delivery as unknown as IDataObject }]],
	webhookResponse: { accepted: true },
});

function refused(
	context: IWebhookFunctions,
	{ status, reason }: Refusal,
	cause?: string,
): IWebhookResponseData {
	const { ip } = hostRequest(context);
	context.logger.warn(`Unified Payments Trigger refused a callback: ${reason}`, {
		reason,
		address: ip ?? 'unknown',
		node: context.getNode().name,
		...(cause === undefined ? {} : { cause }),
	});
	context.getResponseObject().status(status).json({ accepted: false, reason });
	return { noWebhookResponse: true };
}
