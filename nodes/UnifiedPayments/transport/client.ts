import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestMethods,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import {
	CREDENTIAL_NAME,
	readCredential,
	secretsIn,
	type Credential,
} from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { fresh, unsignedEnvelope, withSignature } from '../protocol/signing';
import type { Json } from '../protocol/parse';
import { readSignature, readToken, type Reply } from '../protocol/reply';
import { readThrown, type Attempt } from './attempt';
import { CallError, withoutData } from './errors';
import { checkEcho } from './outcome';
import { Redactor } from './redact';
import { tryCreate, tryRead, type RetryTools } from './retry';
import { failedVerdict, verdictOf, type Verdict } from './verdict';

export interface CallOptions {
	timeoutSeconds: number;
	/** For reads. */
	maxRetries: number;
}

export type Params = Readonly<Json>;

export interface Token {
	token: string;
	message: string | null;
}

/**
 * What operations may ask of the service. `name` is what is asked for, in the user's words. Replies
 * are as the service sent them, to be matched and compared; what is shown of them goes through the
 * redactor first.
 */
export interface Client {
	redactor: Redactor;
	credential(): Promise<Credential>;
	/** A signed read, tried again when that may help. */
	query(path: string, params: Params, options: CallOptions, name: string): Promise<Reply>;
	/** A GET, with a token when the credential says so. */
	list(path: string, options: CallOptions, name: string): Promise<Reply>;
	token(options: CallOptions): Promise<Token>;
	/** One signed POST, sent again only when not a byte of it left. */
	create(path: string, params: Params, options: CallOptions): Promise<Verdict>;
}

interface CredentialSource {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
}

export interface OpenCredential {
	saved: ICredentialDataDecryptedObject;
	credential: Credential;
}

/** Asks the host for the node's credential, and reads it; its secrets are never shown from then on. */
export async function openCredential(
	source: CredentialSource,
	redactor: Redactor,
): Promise<OpenCredential> {
	const saved = await source.getCredentials(CREDENTIAL_NAME);
	redactor.add(...secretsIn(saved));
	return { saved, credential: readCredential(saved) };
}

/** The only caller of the host's HTTP helper. One per run of the node. */
export function createClient(context: IExecuteFunctions): Client {
	const redactor = new Redactor();
	const signal = context.getExecutionCancelSignal();
	const tools: RetryTools = {
		sleep: async (ms) => await sleep(ms, signal).catch(() => undefined),
		random: Math.random,
		cancelled: () => signal?.aborted === true,
	};

	/** Read on first use, so that an operation that sends nothing needs no credential. */
	let opened: Promise<OpenCredential> | undefined;
	const open = async () => await (opened ??= openCredential(context, redactor));
	const credential = async () => (await open()).credential;

	async function attempt(
		method: IHttpRequestMethods,
		url: string,
		options: CallOptions,
		body?: string,
		headers: Record<string, string> = {},
	): Promise<Attempt> {
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_NAME,
				{
					method,
					url,
					body,
					headers: { Accept: 'application/json', ...headers },
					timeout: options.timeoutSeconds * 1000,
					// The status is ours to judge, and the host must not send again on a 401.
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					encoding: 'text',
				},
				// Without it the host would fetch and decrypt the credential for every request.
				{
					credentialsDecrypted: {
						id: CREDENTIAL_NAME,
						name: CREDENTIAL_NAME,
						type: CREDENTIAL_NAME,
						data: (await open()).saved,
					},
				},
			)) as IN8nHttpFullResponse;
			const { statusCode, headers: received, body: text } = response;
			return { kind: 'answered', status: statusCode, headers: received, body: text };
		} catch (error) {
			return readThrown(error);
		}
	}

	/** With the signing endpoint, a signature is fetched for this one attempt. */
	async function post(path: string, params: Params, options: CallOptions): Promise<Verdict> {
		const { baseUrl, identity, signatureSource } = await credential();
		const paramsText = JSON.stringify(params);
		if (signatureSource === 'local') {
			return verdictOf(await attempt('POST', baseUrl + path, options, paramsText), Date.now());
		}
		const freshness = fresh(Date.now());
		const unsigned = unsignedEnvelope(identity, paramsText, freshness);
		const asked = await attempt('POST', baseUrl + ENDPOINTS.signature, options, unsigned);
		const signed = asked.kind === 'answered' ? readSignature(asked.body) : null;
		if (signed === null) return unsignedVerdict(asked);
		redactor.add([signed]);
		const sealed = withSignature(identity, paramsText, freshness, signed);
		return verdictOf(await attempt('POST', baseUrl + path, options, sealed), Date.now());
	}

	async function read(
		name: string,
		options: CallOptions,
		ask: () => Promise<Verdict>,
	): Promise<Reply> {
		const verdict = await tryRead(ask, options.maxRetries, tools);
		if (!verdict.ok) throw new CallError(verdict.failure, { name, creates: false });
		return verdict.reply;
	}

	async function token(options: CallOptions): Promise<Token> {
		const name = 'the token';
		const { authUrl } = await credential();
		const reply = await read(name, options, async () =>
			verdictOf(await attempt('POST', authUrl + ENDPOINTS.login, options, '{}'), Date.now()),
		);
		const value = readToken(reply.data);
		if (value === null) throw withoutData(reply, name);
		return { token: value, message: reply.message };
	}

	let listToken: Promise<Token> | undefined;

	return {
		redactor,
		credential,
		token,

		async query(path, params, options, name) {
			return await read(name, options, async () => await post(path, params, options));
		},

		async list(path, options, name) {
			const { baseUrl, listAuthentication } = await credential();
			const headers: Record<string, string> = {};
			if (listAuthentication === 'bearer') {
				listToken ??= token(options);
				const { token: value } = await listToken;
				redactor.add([value]);
				headers.Authorization = `Bearer ${value}`;
			}
			const get = async () =>
				verdictOf(await attempt('GET', baseUrl + path, options, undefined, headers), Date.now());
			return await read(name, options, get);
		},

		async create(path, params, options) {
			const verdict = await tryCreate(async () => await post(path, params, options), tools);
			return checkEcho(verdict, params);
		},
	};
}

/** Without a signature the request itself never left, unless the service plainly said no. */
function unsignedVerdict(asked: Attempt): Verdict {
	const verdict = verdictOf(asked, Date.now());
	if (!verdict.ok && ['notAuthorized', 'refused'].includes(verdict.failure.kind)) return verdict;
	return failedVerdict('notConnected', { code: 'the signing endpoint gave no signature' });
}
