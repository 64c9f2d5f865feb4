import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authorize } from '../protocol/authorize';
import { readCredential, secretsIn, type Credential } from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { SetupError } from '../protocol/setupError';
import { readAnswer, readThrown, type Attempt } from './attempt';
import { MOST_BYTES } from './body';
import { explainFailure } from './explain';
import { within } from './limiter';
import { Redactor } from './redact';
import { verdictOf, type Failure } from './verdict';

const TIMEOUT_MS = 20_000;

type Send = (options: object) => Promise<unknown>;

/**
 * A real signed balance request, whose body decides. A credential whose signatures come from the
 * signing endpoint is verified at the token endpoint instead.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	saved: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const redactor = new Redactor();
	const data = saved.data ?? {};
	redactor.add(...secretsIn(data));
	// The only helper the host gives to credential tests.
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
	const url =
		credential.signatureSource === 'local'
			? credential.baseUrl + ENDPOINTS.balance
			: credential.authUrl + ENDPOINTS.login;
	const verdict = verdictOf(await attempt(credential, url, send), Date.now());
	if (verdict.ok) return { status: 'OK', message: 'The service accepted the credential' };
	const { failure } = verdict;
	const { message, description } = explainFailure(failure, {
		name: 'the test request',
		creates: false,
	});
	const which = saysNo(failure) ? await whatIsWrong(credential, url, send, failure) : '';
	// Once the field is known, general advice about the message could only name another one.
	const advice = which === RIGHT_KEY ? '' : ` ${description}`;
	return { status: 'Error', message: redactor.text(`${which}${message}.${advice}`) };
}

const saysNo = ({ kind }: Failure): boolean => kind === 'refused' || kind === 'notAuthorized';

const WRONG_KEY = "Wrong 'Secret Key' or 'Client ID': the service does not accept them together. ";
const RIGHT_KEY =
	"'Client ID' and 'Secret Key' are right: it is 'Sender', a setting under 'Advanced', or the clock of this machine. ";

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
): Promise<string> {
	const url = credential.authUrl + ENDPOINTS.login;
	if (url === tested) return WRONG_KEY;
	const verdict = verdictOf(await attempt(credential, url, send), Date.now());
	if (!verdict.ok) return saysNo(verdict.failure) ? WRONG_KEY : '';
	return ABOUT_IDENTITY.test(serviceMessage ?? '') ? RIGHT_KEY : '';
}

async function attempt(credential: Credential, uri: string, send: Send): Promise<Attempt> {
	const options = {
		method: 'POST',
		uri,
		body: '{}',
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
	const answer = await within(TIMEOUT_MS, readAnswer(response, MOST_BYTES));
	// This helper takes no signal, so what is left of the reply is ended here.
	if (answer?.kind !== 'answered' || answer.unread !== undefined) destroy(response.body);
	return answer ?? { kind: 'unanswered', sent: 'maybe', code: 'ETIMEDOUT' };
}

function destroy(body: unknown): void {
	const stream = body as { destroy?: unknown } | null | undefined;
	if (typeof stream?.destroy === 'function') stream.destroy();
}
