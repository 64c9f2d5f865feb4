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
import { within } from './limiter';

export type HostContext = IExecuteFunctions | IWebhookFunctions | ILoadOptionsFunctions;

interface OneRequest {
	method: IHttpRequestMethods;
	url: string;
	body?: string;
	headers?: Record<string, string>;
	/** How much of the reply is read. */
	most: Most;
}

/** A limit of bytes alone would let millions of empty objects hold n8n. */
interface Most {
	/** After decompression. */
	bytes: number;
	/** Objects and lists in it. */
	parts: number;
}

const KB = 1024;

/** A list may hold 100,000 links, of some 100 bytes each, with an object or two in each. */
export const MOST_OF_LIST: Most = { bytes: 10 * KB * KB, parts: 300_000 };

/** What else is asked for is small, but may say the request back, with its logo. */
export const mostFor = (body: string): Most => ({
	bytes: 512 * KB + 2 * body.length,
	parts: 5_000,
});

/** Sends one request; never throws. */
export type Exchange = (request: OneRequest, timeoutSeconds: number) => Promise<Attempt>;

/** How much later than n8n this package ends a request: n8n's own error says more. */
const GRACE_MS = 500;
/** How often requests are checked for their time-out. */
const TICK_MS = 100;

/** Made once, because making an error for each request is slow. */
const NOT_NEEDED = new Error('It is not waited for any more');
const CUT_OFF = new Error('The reply was cut off');

/** A request that is under way. */
interface Open {
	endsAt: number;
	/** Ends the wait, with the reason. */
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
		// The caller sends the next request after this one, so make sure that this one has ended.
		await within(GRACE_MS, exchanged);
		return answer;
	};
}

async function send(
	context: HostContext,
	saved: ICredentialDataDecryptedObject,
	{ method, url, body, headers, most }: OneRequest,
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
	return await readAnswer(response, most);
}

/** One request, as it ended. */
export type Attempt = Answered | Unanswered;

export interface Answered {
	kind: 'answered';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** Why the body was not read, e.g. "longer than 512 KB". */
	unread?: string;
}

interface Unanswered {
	kind: 'unanswered';
	/** `no`: not a byte of the request left. `maybe`: it may have arrived and been processed. */
	sent: 'no' | 'maybe';
	/** A short technical name of the cause, e.g. ECONNREFUSED. */
	code: string;
}

/**
 * Codes that can only come up before the first byte of a request is written: name resolution,
 * connecting, and the TLS handshake. A code that is not listed counts as `maybe`: ERR_SSL_… and
 * EHOSTUNREACH, for example, also end connections that carried a whole request.
 */
const BEFORE_FIRST_BYTE: readonly RegExp[] = [
	/^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED)$/,
	/^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
	/^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+)$/,
	/^(?:ERR_TLS_CERT_ALTNAME_INVALID|ERR_INVALID_URL|ERR_INVALID_CHAR)$/,
	/^(?:ERR_UNESCAPED_CHARACTERS|ERR_BAD_OPTION\w*)$/,
	/^SetupError$/,
	/^Ssrf\w*Error$/,
];

/** Calls of the system that come before the first byte, whatever code they end with. */
const BEFORE_CONNECTED: readonly unknown[] = ['getaddrinfo', 'connect'];

const DEEPEST = 6;

/** Reads whatever n8n's HTTP helper threw. n8n wraps errors, so the chain is walked. */
export function readThrown(thrown: unknown): Unanswered {
	const links = chain(thrown);
	const codes = links.flatMap(codesOf);
	const early = links.filter(isEarly).flatMap(codesOf)[0] ?? codes.find(isEarlyCode);
	if (early !== undefined) return { kind: 'unanswered', sent: 'no', code: early };
	const code = codes.find((each) => /^[A-Z][A-Z0-9_]+$/.test(each)) ?? 'no reply';
	return { kind: 'unanswered', sent: 'maybe', code };
}

/** The status of a reply counts, also where its body is not read. */
export async function readAnswer(
	response: { statusCode: number; headers: Readonly<Record<string, unknown>>; body: unknown },
	most: Most,
): Promise<Attempt> {
	const { statusCode: status, headers } = response;
	try {
		const body = isStream(response.body)
			? await readText(response.body, most.bytes)
			: response.body;
		const unread = tooMuch(body, most);
		if (unread === null) return { kind: 'answered', status, headers, body };
		return { kind: 'answered', status, headers, body: null, unread };
	} catch (error) {
		// There was a reply, so the request has left, whatever ended the rest of it.
		return { ...readThrown(error), sent: 'maybe' };
	}
}

function tooMuch(body: unknown, { bytes, parts }: Most): string | null {
	if (body === TOO_LONG) return `longer than ${Math.round(bytes / KB)} KB`;
	return typeof body === 'string' && hasMoreParts(body, parts)
		? `in more than ${parts} parts`
		: null;
}

/** Counts also what stands in texts: nothing that is honest comes near the limit. */
function hasMoreParts(text: string, parts: number): boolean {
	if (text.length <= parts) return false;
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if ((code === OPEN_OBJECT || code === OPEN_LIST) && ++count > parts) return true;
	}
	return false;
}

const OPEN_OBJECT = '{'.charCodeAt(0);
const OPEN_LIST = '['.charCodeAt(0);

/** Small pieces are put together now and then: each of them alone may hold a buffer of 64 KB. */
const MAX_PIECES = 64;

interface Stream {
	on(event: 'data', listener: (piece: Uint8Array) => void): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
	on(event: 'end' | 'close', listener: () => void): unknown;
	pause(): unknown;
}

const isStream = (body: unknown): body is Stream =>
	typeof body === 'object' && body !== null && 'on' in body && 'pause' in body;

const TOO_LONG = Symbol('too long');

/**
 * The whole text of a reply that n8n hands over as a stream, or that it is too long, and then the
 * rest is not read. As text, n8n would read on for as long as something comes.
 */
async function readText(stream: Stream, mostBytes: number): Promise<string | typeof TOO_LONG> {
	let pieces: Uint8Array[] = [];
	let count = 0;
	let size = 0;
	// Listening to the events takes half the time of `for await`.
	return await new Promise((resolve, reject) => {
		stream.on('data', (piece) => {
			size += piece.length;
			if (size > mostBytes) {
				stream.pause();
				resolve(TOO_LONG);
				return;
			}
			pieces.push(piece);
			if (++count % MAX_PIECES === 0) pieces = joined(pieces);
		});
		stream.on('error', reject);
		stream.on('end', () => resolve(withoutMark(Buffer.concat(pieces).toString())));
		// Without an end before it, the rest will not come.
		stream.on('close', () => reject(CUT_OFF));
	});
}

/** The last pieces as one; those before were put together already. */
const joined = (pieces: Uint8Array[]): Uint8Array[] => [
	...pieces.slice(0, -MAX_PIECES),
	Buffer.concat(pieces.slice(-MAX_PIECES)),
];

/** A byte order mark is no JSON. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

type ErrorLike = Partial<Record<'code' | 'name' | 'cause' | 'errors' | 'syscall', unknown>>;

function chain(thrown: unknown): ErrorLike[] {
	const links: ErrorLike[] = [];
	let current: unknown = thrown;
	while (typeof current === 'object' && current !== null && links.length < DEEPEST) {
		const link = current as ErrorLike;
		links.push(link);
		// Several addresses of one name were tried: the first stands for all.
		current = link.cause ?? (Array.isArray(link.errors) ? link.errors[0] : undefined);
	}
	return links;
}

const codesOf = ({ code, name }: ErrorLike): string[] =>
	[code, name].filter((each): each is string => typeof each === 'string');

const isEarlyCode = (code: string): boolean =>
	BEFORE_FIRST_BYTE.some((pattern) => pattern.test(code));

const isEarly = ({ syscall }: ErrorLike): boolean => BEFORE_CONNECTED.includes(syscall);
