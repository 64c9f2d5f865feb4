import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeCredentialsDetails,
} from 'n8n-workflow';

import {
	CREDENTIAL_NAME,
	readCredential,
	secretsIn,
	type Credential,
} from '../protocol/credential';
import type { Redactor } from './redact';

interface CredentialSource {
	getCredentials(type: string, itemIndex?: number): Promise<ICredentialDataDecryptedObject>;
}

export interface OpenCredential {
	saved: ICredentialDataDecryptedObject;
	credential: Credential;
	/** What it says, as a text: the same for rows of one account. */
	content: string;
}

/** Asks n8n for the node's credential, and reads it; its secrets are never shown from then on. */
export async function openCredential(
	source: CredentialSource,
	redactor: Redactor,
	row?: number,
): Promise<OpenCredential> {
	const saved = await source.getCredentials(CREDENTIAL_NAME, row);
	redactor.add(secretsIn(saved));
	return { saved, credential: readCredential(saved), content: JSON.stringify(saved) };
}

/**
 * The credential of each row. A credential may hold expressions such as `{{ $json.account }}`, and
 * reading one takes n8n milliseconds: one that is the same for every row is read once.
 */
export function createAccounts(
	context: IExecuteFunctions,
	redactor: Redactor,
): (row: number) => Promise<OpenCredential> {
	const opened = new Map<number, Promise<OpenCredential>>();
	let varies: Promise<boolean> | undefined;
	return async (row) => {
		varies ??= mayVary(context);
		const own = (await varies) ? row : 0;
		const known = opened.get(own) ?? openCredential(context, redactor, own);
		opened.set(own, known);
		return await known;
	};
}

/** Yes if in doubt: a row that is sent from the wrong account cannot be undone. */
async function mayVary(context: IExecuteFunctions): Promise<boolean> {
	if (context.getInputData().length <= 1) return false;
	const raw = await readRaw(context);
	return raw === null || Object.values(raw).some(holdsExpression);
}

/** Whether an expression in the credential asks for the row: nobody can read it once the run waits. */
export async function dependsOnRow(context: IExecuteFunctions): Promise<boolean> {
	const raw = await readRaw(context);
	return raw !== null && Object.values(raw).some(holdsExpression);
}

/** What is the same for every row of a run: n8n's own variables and secrets. */
const SAME_FOR_ALL = /\{\{\s*\$(?:secrets|vars|env)(?:\.\w+|\[(?:'[^']*'|"[^"]*")\])+\s*\}\}/g;

/** The fields of the credential are texts, choices and switches. */
const holdsExpression = (value: unknown): boolean =>
	typeof value === 'string' &&
	value.startsWith('=') &&
	value.replace(SAME_FOR_ALL, '').includes('{{');

/** The part of n8n by which it reads credentials itself. No public type promises it, so it may be missing. */
interface HostInside {
	additionalData: {
		credentialsHelper: {
			getDecrypted(
				additionalData: object,
				details: INodeCredentialsDetails | undefined,
				type: string,
				mode: string,
				executeData: undefined,
				raw: true,
			): Promise<unknown>;
		};
	};
}

/** The credential as it was saved, expressions and all; null on a host that does not give it. */
async function readRaw(context: IExecuteFunctions): Promise<object | null> {
	const { additionalData } = context as IExecuteFunctions & HostInside;
	const details = context.getNode().credentials?.[CREDENTIAL_NAME];
	try {
		const raw = await additionalData.credentialsHelper.getDecrypted(
			additionalData,
			details,
			CREDENTIAL_NAME,
			context.getMode(),
			undefined,
			true,
		);
		return typeof raw === 'object' ? raw : null;
	} catch {
		return null;
	}
}
