import {
	sleep,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { WHOLE_BODY } from '../protocol/authorize';
import type { Credential } from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import {
	fresh,
	sign,
	unsignedEnvelope,
	withSignature,
	writeParams,
	type SignatureRecipe,
} from '../protocol/signing';
import { httpDate, type Json } from '../protocol/parse';
import { readSignature, readToken, type Reply } from '../protocol/reply';
import { createAccounts, openCredential, type OpenCredential } from './accounts';
import {
	createExchange,
	mostFor,
	MOST_OF_LIST,
	type Attempt,
	type Exchange,
	type HostContext,
} from './exchange';
import { CallError, withoutData } from './errors';
import { createLimiter, type Limiter } from './limiter';
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
import { hidden, Redactor } from './redact';

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
 * are as the service sent them but for our signatures, to be matched and compared; what is shown of
 * them goes through the redactor first.
 */
export interface Client {
	/** Knows the secrets of every account that the run has opened. */
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
	/** One read, signed in another way than the credential says. */
	signedBy(
		recipe: SignatureRecipe,
		path: string,
		params: Params,
		options: CallOptions,
	): Promise<Verdict>;
	/** By how many seconds this clock is ahead of the service's; null when its last reply did not say. */
	secondsAhead(): Promise<number | null>;
}

/** One per run of the node. */
export interface RunClient {
	redactor: Redactor;
	/** The client of a row's own account. Nothing is read before it is first used. */
	forRow(row: number): Client;
}

export function createClient(context: IExecuteFunctions): RunClient {
	const redactor = new Redactor();
	const credentialOf = createAccounts(context, redactor);
	/** By what the credential says, so that rows of one account share what is kept for it. */
	const accounts = new Map<string, Account>();
	const accountOf = async (row: number) => {
		const opened = await credentialOf(row);
		const account = accounts.get(opened.content) ?? createAccount(context, opened);
		accounts.set(opened.content, account);
		return account;
	};
	return {
		redactor,
		forRow(row) {
			let own: Promise<Account> | undefined;
			return createClientOf(async () => await (own ??= accountOf(row)), redactor);
		},
	};
}

/** For a call to an endpoint of the node, or from the editor: there are no rows. */
export async function createEndpointClient(
	context: IWebhookFunctions | ILoadOptionsFunctions,
	redactor: Redactor,
): Promise<Client> {
	const account = createAccount(context, await openCredential(context, redactor));
	return createClientOf(async () => account, redactor);
}

/** What is kept for an account while the node runs. */
interface Account {
	credential: Credential;
	exchange: Exchange;
	tools: RetryTools;
	/** Requests with a logo: each is held in memory several times while it is sent. */
	largeOnes: Limiter;
	/** For lists. */
	token?: Promise<Token>;
	/** The last answer, for its date. */
	last?: { headers: Readonly<Json>; at: number };
}

const LARGE_BODY = 64 * 1024;
const LARGE_ONES_AT_ONCE = 4;

function createAccount(context: HostContext, { saved, credential }: OpenCredential): Account {
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const send = createExchange(context, saved, signal);
	const account: Account = {
		credential,
		tools: {
			sleep: async (ms) => await sleep(ms, signal).catch(() => undefined),
			random: Math.random,
			cancelled: () => signal?.aborted === true,
		},
		largeOnes: createLimiter(LARGE_ONES_AT_ONCE),
		async exchange(request, timeoutSeconds) {
			const attempt = await send(request, timeoutSeconds);
			if (attempt.kind === 'answered') account.last = { headers: attempt.headers, at: Date.now() };
			return attempt;
		},
	};
	return account;
}

async function postWhole(
	{ exchange }: Account,
	url: string,
	body: string,
	{ timeoutSeconds }: CallOptions,
	headers: Record<string, string> = {},
): Promise<Attempt> {
	const request = {
		method: 'POST',
		url,
		body,
		headers: { [WHOLE_BODY]: 'true', ...headers },
	} as const;
	return await exchange({ ...request, most: mostFor(body) }, timeoutSeconds);
}

/**
 * One attempt, with a signature of its own. `judge` sees the answer to the request itself only: when
 * the signing endpoint gave no signature, it never left.
 */
async function post(
	account: Account,
	path: string,
	params: Params,
	options: CallOptions,
	judge: (verdict: Verdict) => Verdict = (verdict) => verdict,
	recipe?: SignatureRecipe,
): Promise<Verdict> {
	const { baseUrl, identity, signatureSource, recipe: own, apiKey } = account.credential;
	const paramsText = writeParams(params, options.twoDecimals);
	const freshness = fresh(Date.now());
	let signature: string;
	if (recipe !== undefined || signatureSource === 'local') {
		signature = sign(identity, recipe ?? own, paramsText, freshness);
	} else {
		const unsigned = unsignedEnvelope(identity, paramsText, freshness);
		const asked = await postWhole(account, baseUrl + ENDPOINTS.signature, unsigned, options);
		const signed = asked.kind === 'answered' ? readSignature(asked.body) : null;
		if (signed === null) return unsignedVerdict(asked);
		signature = signed;
	}
	const body = withSignature(identity, paramsText, freshness, signature);
	const headers = path === ENDPOINTS.statusV2 && apiKey ? { [apiKey.header]: apiKey.value } : {};
	const attempt = await postWhole(account, baseUrl + path, body, options, headers);
	return judge(verdictOf(withoutSignature(attempt, signature), Date.now()));
}

/** A reply may say the request back, and nobody needs its signature. */
const withoutSignature = (attempt: Attempt, signature: string): Attempt =>
	attempt.kind === 'answered' ? { ...attempt, body: hidden(attempt.body, signature) } : attempt;

async function fetchToken(account: Account, options: CallOptions): Promise<Token> {
	const { authUrl, identity } = account.credential;
	const { clientId: client_id, secretKey: secret_key } = identity;
	const body = JSON.stringify({ client_id, secret_key });
	const name = 'the token';
	const reply = await read(account, name, options, async () =>
		verdictOf(await postWhole(account, authUrl + ENDPOINTS.login, body, options), Date.now()),
	);
	const token = readToken(reply.data);
	if (token === null) throw withoutData(reply, name);
	return { token, message: reply.message };
}

async function read(
	{ tools }: Account,
	name: string,
	options: CallOptions,
	ask: () => Promise<Verdict>,
): Promise<Reply> {
	const verdict = await tryRead(ask, tools, options.maxRetries);
	if (!verdict.ok) throw new CallError(verdict.failure, { name, creates: false });
	return verdict.reply;
}

function createClientOf(open: () => Promise<Account>, redactor: Redactor): Client {
	return {
		redactor,

		credential: async () => (await open()).credential,

		async token(options) {
			return await fetchToken(await open(), options);
		},

		async query(path, params, options, name) {
			const account = await open();
			return await read(
				account,
				name,
				options,
				async () => await post(account, path, params, options),
			);
		},

		async list(path, options, name) {
			const account = await open();
			const { baseUrl, listAuthentication } = account.credential;
			const listed = async () => {
				const headers: Record<string, string> = {};
				if (listAuthentication === 'bearer') {
					account.token ??= fetchToken(account, options);
					const { token } = await account.token;
					redactor.add([token]);
					headers.Authorization = `Bearer ${token}`;
				}
				const get = { method: 'GET', url: baseUrl + path, headers, most: MOST_OF_LIST } as const;
				return await read(account, name, options, async () =>
					verdictOf(await account.exchange(get, options.timeoutSeconds), Date.now()),
				);
			};
			return await listed().catch((error: unknown) => {
				// The next list is asked with a new token: this one may be what did not work.
				account.token = undefined;
				throw error;
			});
		},

		async create(path, params, options) {
			const account = await open();
			const { credential, tools, largeOnes } = account;
			const judge = (verdict: Verdict) => namedRefusalOnly(verdict, credential);
			const send = async () =>
				await tryCreate(async () => await post(account, path, params, options, judge), tools);
			const isLarge = Object.values(params).some((value) => String(value).length > LARGE_BODY);
			return ofThisPayment(await (isLarge ? largeOnes(send) : send()), params, credential);
		},

		async signedBy(recipe, path, params, options) {
			return await post(await open(), path, params, options, undefined, recipe);
		},

		async secondsAhead() {
			const { last } = await open();
			const date = httpDate(String(last?.headers.date));
			return last === undefined || Number.isNaN(date) ? null : Math.round((last.at - date) / 1000);
		},
	};
}

/** Without a signature the request itself never left, unless the service plainly said no. */
function unsignedVerdict(asked: Attempt): Verdict {
	const verdict = verdictOf(asked, Date.now());
	if (!verdict.ok && ['notAuthorized', 'refused'].includes(verdict.failure.kind)) return verdict;
	return failedVerdict('notConnected', { code: 'the signing endpoint gave no signature' });
}
