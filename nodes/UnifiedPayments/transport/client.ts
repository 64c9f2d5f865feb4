import {
	sleep,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { secretsIn, type Credential } from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { fresh, unsignedEnvelope, withSignature, writeParams } from '../protocol/signing';
import { rememberSignature } from '../protocol/madeSignatures';
import type { Json } from '../protocol/parse';
import { parametersNamed } from '../protocol/query';
import { readSignature, readToken, type Reply } from '../protocol/reply';
import { createAccounts, openCredential, type OpenCredential } from './accounts';
import { MAX_LIST_BYTES, type Attempt, createExchange, type HostContext } from './exchange';
import { createNoticing, type Noticed } from './noticed';
import { CallError, withoutData } from './errors';
import { createWeightLimiter } from './limiter';
import {
	failedVerdict,
	namedRefusalOnly,
	ofThisPayment,
	tryCreate,
	tryRead,
	verdictOf,
	type RetryTools,
	type Verdict,
} from './verdict';
import { Redactor } from './redact';

export interface CallOptions {
	timeoutSeconds: number;
	/** For reads that are asked again anyway, or that somebody waits for. */
	maxRetries?: number;
	/** Whether an amount that is a number is written with two decimals. */
	twoDecimals?: boolean;
}

export type Params = Readonly<Json>;

interface Token {
	token: string;
	message: string | null;
}

/**
 * What operations may ask of the service. `name` is what is asked for, in the user's words. Replies
 * are as the service sent them, to be matched and compared; what is shown of them goes through the
 * redactor first.
 */
export interface Client {
	/** Knows the secrets of this account. */
	redactor: Redactor;
	/** The same object for all rows of one account. */
	credential(): Promise<Credential>;
	/** A signed read, tried again when that may help. */
	query(path: string, params: Params, options: CallOptions, name: string): Promise<Reply>;
	/** A GET, with a token when the credential says so. */
	list(path: string, options: CallOptions, name: string): Promise<Reply>;
	token(options: CallOptions): Promise<Token>;
	/** One signed POST, sent again only when not a byte of it left. */
	create(path: string, params: Params, options: CallOptions): Promise<Verdict>;
	/** What the headers of this run's replies said. */
	noticed(): Promise<Readonly<Noticed>>;
}

/** One per run of the node. */
export interface RunClient {
	/** Knows the secrets of every account of the run: for errors, which may be about any row. */
	redactor: Redactor;
	/** The client of a row's own account. Nothing is read before it is first used. */
	forRow(row: number): Client;
}

export function createClient(context: IExecuteFunctions): RunClient {
	const redactor = new Redactor();
	const accountOf = createAccounts(context, redactor);
	/** By what the credential says, so that rows of one account share its client. */
	const clients = new Map<string, Client>();
	const ofAccount = (opened: OpenCredential): Client => {
		const client = clients.get(opened.content) ?? createAccountClient(context, opened, redactor);
		clients.set(opened.content, client);
		return client;
	};
	return {
		redactor,
		forRow: (row) => createRowClient(async () => ofAccount(await accountOf(row)), redactor),
	};
}

/** For a call to an endpoint of the node, or from the editor: there are no rows. */
export async function createEndpointClient(
	context: IWebhookFunctions | ILoadOptionsFunctions,
	redactor: Redactor,
): Promise<Client> {
	return createAccountClient(context, await openCredential(context, redactor), redactor);
}

/** Opens the row's account on first use, so that an operation that sends nothing needs no credential. */
function createRowClient(open: () => Promise<Client>, ofRun: Redactor): Client {
	let own: Client | undefined;
	const opened = async () => (own ??= await open());
	return {
		get redactor() {
			return own?.redactor ?? ofRun;
		},
		credential: async () => await (await opened()).credential(),
		query: async (...asked) => await (await opened()).query(...asked),
		list: async (...asked) => await (await opened()).list(...asked),
		token: async (...asked) => await (await opened()).token(...asked),
		create: async (...asked) => await (await opened()).create(...asked),
		noticed: async () => await (await opened()).noticed(),
	};
}

/** What one account may be asked. */
function createAccountClient(
	context: HostContext,
	{ saved, credential }: OpenCredential,
	ofRun: Redactor,
): Client {
	const redactor = new Redactor();
	redactor.add(secretsIn(saved));
	const keepSecret = (secret: string) => [redactor, ofRun].forEach((each) => each.add([secret]));
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const tools: RetryTools = {
		sleep: async (ms) => await sleep(ms, signal).catch(() => undefined),
		random: Math.random,
		cancelled: () => signal?.aborted === true,
	};

	const send = createExchange(context, saved, signal);
	const noticing = createNoticing();
	const exchange: typeof send = async (...asked) => {
		const attempt = await send(...asked);
		if (attempt.kind === 'answered') noticing.notice(attempt);
		return attempt;
	};

	/**
	 * With the signing endpoint, a signature is fetched for this one attempt. `judge` sees the answer to
	 * the request itself only: when no signature was given, it never left.
	 */
	async function post(
		path: string,
		params: Params,
		options: CallOptions,
		judge: (verdict: Verdict) => Verdict = (verdict) => verdict,
	): Promise<Verdict> {
		const { baseUrl, identity, signatureSource } = credential;
		const paramsText = writeParams(params, options.twoDecimals);
		const exchanged = async (url: string, body: string) =>
			await exchange({ method: 'POST', url, body }, options.timeoutSeconds);
		if (signatureSource === 'local') {
			return judge(verdictOf(await exchanged(baseUrl + path, paramsText), Date.now()));
		}
		const freshness = fresh(Date.now());
		const unsigned = unsignedEnvelope(identity, paramsText, freshness);
		const asked = await exchanged(baseUrl + ENDPOINTS.signature, unsigned);
		const signed = asked.kind === 'answered' ? readSignature(asked.body) : null;
		if (signed === null) return unsignedVerdict(asked);
		const sealed = withSignature(identity, paramsText, freshness, signed);
		return judge(verdictOf(await exchanged(baseUrl + path, sealed), Date.now()));
	}

	async function read(
		name: string,
		options: CallOptions,
		ask: () => Promise<Verdict>,
	): Promise<Reply> {
		const verdict = await tryRead(ask, tools, options.maxRetries);
		if (!verdict.ok) throw new CallError(verdict.failure, { name, creates: false });
		return verdict.reply;
	}

	async function token(options: CallOptions): Promise<Token> {
		const name = 'the token';
		const { authUrl } = credential;
		const login = { method: 'POST', url: authUrl + ENDPOINTS.login, body: '{}' } as const;
		const reply = await read(name, options, async () =>
			verdictOf(await exchange(login, options.timeoutSeconds), Date.now()),
		);
		const value = readToken(reply.data);
		if (value === null) throw withoutData(reply, name);
		return { token: value, message: reply.message };
	}

	let listToken: Promise<Token> | undefined;
	const largeBodies = createWeightLimiter(MAX_LARGE_BODIES);

	return {
		redactor,
		credential: async () => credential,
		noticed: async () => noticing.noticed(),
		token,

		async query(path, params, options, name) {
			return await read(name, options, async () => await post(path, params, options));
		},

		async list(path, options, name) {
			const { baseUrl, listAuthentication } = credential;
			const headers: Record<string, string> = {};
			if (listAuthentication === 'bearer') {
				listToken ??= token(options);
				const { token: value } = await listToken;
				keepSecret(value);
				headers.Authorization = `Bearer ${value}`;
			}
			const get = {
				method: 'GET',
				url: baseUrl + path,
				headers,
				mostBytes: MAX_LIST_BYTES,
			} as const;
			return await read(name, options, async () =>
				verdictOf(await exchange(get, options.timeoutSeconds), Date.now()),
			);
		},

		async create(path, params, options) {
			proofsIn(params.callback_url).forEach(rememberSignature);
			const judge = (verdict: Verdict) => namedRefusalOnly(verdict, credential);
			const send = async () =>
				await tryCreate(async () => await post(path, params, options, judge), tools);
			const weight = sizeOf(params);
			const verdict = await (weight > SMALL_BODY ? largeBodies(weight, send) : send());
			return ofThisPayment(verdict, params, credential);
		},
	};
}

/** Bodies below this size may all be under way at the same time. */
const SMALL_BODY = 64 * 1024;
/** A body is held in memory several times while it is sent: as text, sealed, and as bytes. */
const MAX_LARGE_BODIES = 12 * 1024 * 1024;

/** n8n's proof that an execution may be resumed, which the service may say back in any spelling. */
const proofsIn = (url: unknown): string[] =>
	parametersNamed(typeof url === 'string' ? url : '', 'signature').map((each) =>
		each.replace(/^[^=]*=/, ''),
	);

/** Only texts can be large, above all a logo. */
const sizeOf = (params: Params): number =>
	Object.values(params).reduce<number>(
		(sum, value) => sum + (typeof value === 'string' ? value.length : 0),
		0,
	);

/** Without a signature the request itself never left, unless the service plainly said no. */
function unsignedVerdict(asked: Attempt): Verdict {
	const verdict = verdictOf(asked, Date.now());
	if (!verdict.ok && ['notAuthorized', 'refused'].includes(verdict.failure.kind)) return verdict;
	return failedVerdict('notConnected', { code: 'the signing endpoint gave no signature' });
}
