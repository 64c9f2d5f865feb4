import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_NAME } from '../protocol/credential';
import { MOST_BYTES, readAnswer, readThrown, type Attempt } from './attempt';
import { within } from './limiter';

export type HostContext = IExecuteFunctions | IWebhookFunctions | ILoadOptionsFunctions;

interface OneRequest {
	method: IHttpRequestMethods;
	url: string;
	body?: string;
	headers?: Record<string, string>;
	/** Of the reply. */
	mostBytes?: number;
}

/** Sends one request; never throws. */
type Exchange = (request: OneRequest, timeoutSeconds: number) => Promise<Attempt>;

/** How much later than n8n this package ends a request: n8n's own error says more. */
const GRACE_MS = 500;
/** How often it is looked whether a request has to end. */
const TICK_MS = 100;

/** Made once: an error of its own for each request would cost more than the waiting. */
const NOT_NEEDED = new Error('It is not waited for any more');

/** A request that is under way. */
interface Open {
	endsAt: number;
	/** Whoever waits for it is told why it has no answer. */
	giveUp: (code: string) => void;
}

/**
 * The only caller of n8n's HTTP helper. A request ends with its time-out, whatever comes until then,
 * and when the execution is cancelled.
 */
export function createExchange(
	context: HostContext,
	saved: ICredentialDataDecryptedObject,
	cancel: AbortSignal | undefined,
): Exchange {
	const open = new Set<Open>();
	let isWatching = false;
	cancel?.addEventListener('abort', () => open.forEach(({ giveUp }) => giveUp('ERR_CANCELED')));

	/** One timer for all requests: one for each would be a good part of what a request costs. */
	async function watch(): Promise<void> {
		if (isWatching) return;
		isWatching = true;
		while (open.size > 0) {
			await sleep(TICK_MS);
			const now = Date.now();
			open.forEach(({ endsAt, giveUp }) => now >= endsAt && giveUp('ETIMEDOUT'));
		}
		isWatching = false;
	}

	return async (request, timeoutSeconds) => {
		const ending = new AbortController();
		const timeout = timeoutSeconds * 1000;
		const exchanged = send(context, saved, request, timeout, ending.signal);
		// n8n's time-out ends with the first byte of a reply, and some replies never end.
		const answer = await new Promise<Attempt>((resolve) => {
			const done = (attempt: Attempt) => {
				open.delete(entry);
				resolve(attempt);
			};
			const entry: Open = {
				endsAt: Date.now() + timeout + GRACE_MS,
				giveUp: (code) => done({ kind: 'unanswered', sent: 'maybe', code }),
			};
			open.add(entry);
			void watch();
			void exchanged.then(done);
			if (cancel?.aborted) entry.giveUp('ERR_CANCELED');
		});
		if (answer.kind === 'answered' && answer.unread === undefined) return answer;
		ending.abort(NOT_NEEDED);
		// Whoever waits for this one may send the next, so this one has ended first.
		await within(GRACE_MS, exchanged);
		return answer;
	};
}

async function send(
	context: HostContext,
	saved: ICredentialDataDecryptedObject,
	{ method, url, body, headers, mostBytes = MOST_BYTES }: OneRequest,
	timeout: number,
	ending: AbortSignal,
): Promise<Attempt> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_NAME,
			{
				method,
				url,
				body,
				headers: { Accept: 'application/json', ...headers },
				timeout,
				// The status is ours to judge, and n8n must not send again on a 401.
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				// As text, n8n would read on for as long as something comes.
				encoding: 'stream',
				// n8n puts the execution's own signal here, which knows nothing of this request.
				get abortSignal() {
					return ending;
				},
				set abortSignal(_) {
					// The end of the execution is listened to above.
				},
			},
			// Without it n8n would fetch and decrypt the credential for every request.
			{
				credentialsDecrypted: {
					id: CREDENTIAL_NAME,
					name: CREDENTIAL_NAME,
					type: CREDENTIAL_NAME,
					data: saved,
				},
			},
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return readThrown(error);
	}
	return await readAnswer(response, mostBytes);
}
