import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authorize } from '../protocol/authorize';
import { readCredential, secretsIn, type Credential } from '../protocol/credential';
import { ENDPOINTS } from '../protocol/endpoints';
import { SetupError } from '../protocol/setupError';
import { readThrown, type Attempt } from './attempt';
import { explainFailure } from './explain';
import { Redactor } from './redact';
import { verdictOf } from './verdict';

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
	const { message, description } = explainFailure(verdict.failure, {
		name: 'the test request',
		creates: false,
	});
	return { status: 'Error', message: redactor.text(`${message}. ${description}`) };
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
	};
	try {
		const response = (await send(authorize(credential, options, Date.now()))) as {
			statusCode: number;
			headers: Record<string, unknown>;
			body: unknown;
		};
		const { statusCode: status, headers, body } = response;
		return { kind: 'answered', status, headers, body };
	} catch (error) {
		return readThrown(error);
	}
}
