import {
	sleep,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { authorize } from '../protocol/authorize';
import {
	accountOf,
	digestOf,
	readCredential,
	secretsIn,
	type Credential,
} from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { SetupError } from '../protocol/explainedError';
import type { SignatureRecipe } from '../protocol/signing';
import { MAX_BYTES, readAnswer, readThrown, type Attempt } from './exchange';
import { explainFailure } from './explain';
import { findSignature, isAboutSignature, type Search } from './findSignature';
import { locked, within } from './limiter';
import { secondsAhead } from './noticed';
import { Redactor } from './redact';
import { verdictOf, type Failure } from './verdict';

const TIMEOUT_MS = 20_000;

type Send = (options: object) => Promise<unknown>;

/**
 * A real signed balance request, whose body decides. A credential whose signatures come from the
 * signing endpoint is verified at the token endpoint instead. With 'Find Signature Settings', a
 * signature that is refused is looked for.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	saved: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const redactor = new Redactor();
	const data = saved.data ?? {};
	redactor.add(secretsIn(data));
	// The only helper n8n gives to credential tests.
	const { request: send } = this.helpers;
	try {
		return await probe(readCredential(data), send, redactor);
	} catch (error) {
		const message = error instanceof SetupError ? error.message : 'The test could not be run';
		return { status: 'Error', message: redactor.text(message) };
	}
}

async function probe(
	credential: Credential,
	send: Send,
	redactor: Redactor,
): Promise<INodeCredentialTestResult> {
	const isLocal = credential.signatureSource === 'local';
	const url = isLocal
		? credential.baseUrl + ENDPOINTS.balance
		: credential.authUrl + ENDPOINTS.login;
	const answer = await attempt(credential, url, send);
	const verdict = verdictOf(answer, Date.now());
	const looks = credential.findSignature && isLocal;
	if (verdict.ok) {
		return looks ? await search(credential, null, send, redactor) : ACCEPTED;
	}
	const { failure } = verdict;
	const { message, description } = explainFailure(failure, {
		name: 'the test request',
		creates: false,
	});
	const secret = saysNo(failure) ? await whatIsWrong(credential, url, send, failure) : UNKNOWN;
	const mayLook = isLocal && secret.mayLook && saysNo(failure) && isAboutSignature(failure);
	const ahead = answer.kind === 'answered' ? secondsAhead(answer.headers, Date.now()) : null;
	if (mayLook && Math.abs(ahead ?? 0) > MAX_SECONDS_OFF) return refused(offClock(ahead ?? 0));
	if (mayLook && looks) return await search(credential, failure, send, redactor);
	const offer = mayLook ? ` ${OFFER}` : '';
	// Once the field is known, general advice about the message could only name another one.
	const advice = secret === RIGHT_KEY ? '' : ` ${description}`;
	return refused(redactor.text(`${secret.words}${message}.${advice}${offer}`));
}

const ACCEPTED: INodeCredentialTestResult = {
	status: 'OK',
	message: 'The service accepted the credential',
};

const refused = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

const saysNo = ({ kind }: Failure): boolean => kind === 'refused' || kind === 'notAuthorized';

/** More than a service that looks at the time lets pass. */
const MAX_SECONDS_OFF = 120;

const offClock = (ahead: number): string =>
	`The clock of this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the clock of the service, so the signature is taken for an old one. Correct the clock, and test again.`;

const OFFER =
	"If the settings of the signature are not known, turn on 'Find Signature Settings' under 'Advanced', and save.";

interface Secret {
	/** What is known about it, to begin the message with. */
	words: string;
	mayLook: boolean;
}

const UNKNOWN: Secret = { words: '', mayLook: true };
const WRONG_KEY: Secret = {
	words: "Wrong 'Secret Key' or 'Client ID': the service does not accept them together. ",
	mayLook: false,
};
const RIGHT_KEY: Secret = {
	words:
		"'Client ID' and 'Secret Key' are right: it is 'Sender', a setting under 'Advanced', or the clock of this machine. ",
	mayLook: true,
};

/** The words of the specification for a request whose sender is not who it says. */
const ABOUT_IDENTITY = /record not found|id not matched|not verified/i;

/**
 * The answer to a signed request names everything that may be wrong with it. The token endpoint takes
 * nothing but client ID and secret key, so it tells whether it is one of these two.
 */
async function whatIsWrong(
	credential: Credential,
	tested: string,
	send: Send,
	{ serviceMessage }: Failure,
): Promise<Secret> {
	const url = credential.authUrl + ENDPOINTS.login;
	if (url === tested) return WRONG_KEY;
	const verdict = verdictOf(await attempt(credential, url, send), Date.now());
	if (!verdict.ok) return saysNo(verdict.failure) ? WRONG_KEY : UNKNOWN;
	return ABOUT_IDENTITY.test(String(serviceMessage)) ? RIGHT_KEY : UNKNOWN;
}

const PAUSE_MS = 400;
/** n8n tests a credential whenever its dialog is opened. The same search is not made again so soon. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 100;

const made = new Map<string, { at: number; result: INodeCredentialTestResult }>();

/** One search at a time for an account, and its result for a while. */
async function search(
	credential: Credential,
	refusal: Failure | null,
	send: Send,
	redactor: Redactor,
): Promise<INodeCredentialTestResult> {
	const key = digestOf(credential);
	return await locked(`signature ${accountOf(credential).join(' ')}`, async () => {
		const known = made.get(key);
		if (known && Date.now() - known.at < KEPT_MS) return known.result;
		const url = credential.baseUrl + ENDPOINTS.balance;
		const found = await findSignature(credential.recipe, credential.identity.secretKey, refusal, {
			ask: async (recipe, params) =>
				verdictOf(await attempt({ ...credential, recipe }, url, send, params), Date.now()),
			pause: async () => await sleep(PAUSE_MS),
			now: Date.now,
		});
		const result = resultOf(found, credential.recipe, redactor);
		if (made.size >= MAX_KEPT) made.clear();
		made.set(key, { at: Date.now(), result });
		return result;
	});
}

const TURN_OFF = "Then turn off 'Find Signature Settings', and save.";
const ASK = 'Ask its support how the signature is computed; docs/first-day.md has the questions.';

function resultOf(
	found: Search,
	own: SignatureRecipe,
	redactor: Redactor,
): INodeCredentialTestResult {
	switch (found.kind) {
		case 'found': {
			const { template, algorithm, encoding } = found.recipe;
			if (template === own.template && algorithm === own.algorithm && encoding === own.encoding) {
				return ACCEPTED;
			}
			return refused(
				`Found what the service accepts. Enter under 'Advanced': 'Signature Template' ${template} and 'Signature Algorithm' HMAC-${algorithm.toUpperCase()} and 'Signature Encoding' ${encoding === 'hex' ? 'Hexadecimal' : 'Base64'}. ${TURN_OFF}`,
			);
		}
		case 'notFound':
			return refused(
				`The service accepted none of the ${found.asked} signatures that were tried, so it computes them in a way that is not on our list. ${ASK} ${TURN_OFF}`,
			);
		case 'paramsUnclear':
			return refused(
				`The service accepts the signature of a request with one parameter, and not with two. ${ASK} ${TURN_OFF}`,
			);
		case 'tooSlow':
			return refused(
				`The search ended after ${found.asked} signatures, because the service answers slowly. None of them was accepted. ${ASK} ${TURN_OFF}`,
			);
		case 'stopped': {
			const { message } = explainFailure(found.failure, {
				name: 'one of the signatures',
				creates: false,
			});
			return refused(
				redactor.text(
					`The search ended after ${found.asked} signatures, because the service gave another answer than before. ${message}. Wait a while before you test again, so that the account is not locked. ${TURN_OFF}`,
				),
			);
		}
	}
}

async function attempt(
	credential: Credential,
	uri: string,
	send: Send,
	body = '{}',
): Promise<Attempt> {
	const options = {
		method: 'POST',
		uri,
		body,
		headers: { Accept: 'application/json' },
		timeout: TIMEOUT_MS,
		resolveWithFullResponse: true,
		simple: false,
		useStream: true,
	};
	let response: { statusCode: number; headers: Record<string, unknown>; body: unknown };
	try {
		response = (await send(authorize(credential, options, Date.now()))) as typeof response;
	} catch (error) {
		return readThrown(error);
	}
	const answer = await within(TIMEOUT_MS, readAnswer(response, MAX_BYTES));
	// This helper takes no signal, so what is left of the reply is ended here.
	if (answer?.kind !== 'answered' || answer.unread !== undefined) {
		(response.body as { destroy(): void }).destroy();
	}
	return answer ?? { kind: 'unanswered', sent: 'maybe', code: 'ETIMEDOUT' };
}
