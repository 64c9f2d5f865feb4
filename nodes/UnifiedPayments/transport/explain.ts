import { LONGEST } from '../protocol/limits';
import type { Failure } from './verdict';

/** What a user reads: what happened, and how to get going again. */
export interface Explanation {
	message: string;
	description: string;
}

/** A request, in the user's words: "the collection", "the balance". */
export interface Subject {
	name: string;
	/** True when it may have made something happen: then nobody is told to send it again. */
	creates: boolean;
}

const LOOK_UP = 'Look it up in the service first: it may have been processed already.';

/** An account belongs to one address, so payments are not recognised at a new one. */
const NEW_HOST =
	'If the service has moved to another host, run only rows that were not accepted: those that were are not known there.';

/** An operator's setting of n8n, and so nothing that the credential could change. */
const BLOCKED_BY_HOST =
	"n8n does not send to private addresses here. Check the credential's 'Base URL'; if it is right, whoever runs n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES";

export function explainFailure(failure: Failure, subject: Subject): Explanation {
	const { name, creates } = subject;
	const status = failure.status === null ? '' : ` (HTTP ${failure.status})`;
	const words = failure.serviceMessage ? `: ${failure.serviceMessage}` : '';
	const next = creates ? LOOK_UP : 'Run it again later.';
	const newHost = creates ? ` ${NEW_HOST}` : '';
	const cause = failure.code ? ` (${failure.code})` : '';
	switch (failure.kind) {
		case 'refused':
			return {
				message: `The service declined ${name}${words || ' without a reason'}${status}`,
				description: hintText(failure, creates),
			};
		case 'unnamedRefusal':
			return {
				message: `The service declined ${name} in words that are not in its documentation${words || ', without a reason'}${status}`,
				description: `That may still mean that it was taken. ${next}`,
			};
		case 'notAuthorized':
			return {
				message: `The service did not authorize ${name}${words}${status}`,
				description: hintText(
					failure,
					creates,
					"Check the credential's 'Client ID', 'Sender' and 'Secret Key'.",
				),
			};
		case 'notConnected':
			return {
				message: `No connection to the service for ${name}: nothing was sent`,
				description: failure.code?.startsWith('Ssrf')
					? `${BLOCKED_BY_HOST}${cause}.${newHost}`
					: `Check the credential's 'Base URL', and that this machine can reach it${cause}.${newHost}`,
			};
		case 'noReply':
			return {
				message: `The service did not answer ${name}: the request may have reached it`,
				description: `The connection ended without a complete reply${cause}. ${next}`,
			};
		case 'rateLimited':
			return {
				message: `The service asked to slow down at ${name}${words}${status}`,
				description: `Lower 'Concurrency' or set 'Requests per Second' in the options. ${next}`,
			};
		case 'serverFault':
			return {
				message: `The service could not handle ${name}${words}${status}`,
				description: `It answered with a status that says nothing about the request itself. ${next}`,
			};
		case 'redirected':
			return {
				message: `The service pointed ${name} to another address${status}`,
				description:
					`Redirects are not followed, so that nothing signed reaches another host. Check the credential's 'Base URL' (https or http, spelling).${newHost} ${creates ? LOOK_UP : ''}`.trim(),
			};
		case 'invalidReply':
			return {
				message: `The reply to ${name} could not be read${words}${status}`,
				description: `${failure.code ? `It is ${failure.code}, so it was not read to its end.` : "It is not the JSON with 'success' that the service promises."} Check the credential's 'Base URL'.${newHost} ${next}`,
			};
		case 'mismatch':
			return {
				message: `The reply to ${name} is about another '${failure.code}' than was sent${status}`,
				description: `It is not believed. ${next}`,
			};
		case 'namedTwice':
			return {
				message: `The reply to ${name} names the same link or reference as the reply to another row`,
				description: `Neither is believed. ${next}`,
			};
		case 'recordFailed':
			return {
				message: `No answer came, and the service has ${name} on record as ${failure.code ?? 'failed'}`,
				description:
					'Nothing was paid, so the next run may send this row. Correct it first, if something in it was wrong.',
			};
	}
}

function hintText(
	failure: Failure,
	creates: boolean,
	fallback = 'Check the values that were sent.',
): string {
	const hints = hintsFor(failure.serviceMessage, creates);
	return hints.length > 0 ? hints.join(' ') : fallback;
}

/** Of a status that was asked for, the service says the same as of a request that it declined. */
const NOT_CREATED = /transaction was not created/i;
const OTHER_REFERENCE =
	"The service knows no payment by this reference. Enter the reference that the service gave it: 'reference' in the item of the payment. It is usually not your order reference.";

/**
 * What to do about each message of the specification's error table. Where a message lists
 * alternatives joined by "or", each alternative has its hint, so the whole line finds them too.
 */
const HINTS: ReadonlyArray<[words: RegExp, hint: string]> = [
	[
		/entity integration record not found/i,
		"The service knows no integration for these credentials. Check the credential's 'Client ID' and 'Base URL'.",
	],
	[
		/client id not matched/i,
		"The 'Client ID' of the credential does not belong to this integration. Copy it from the application.",
	],
	[
		/request was not verified/i,
		"The signature was not accepted. Check the credential's 'Secret Key', 'Sender' (it must equal the integration's title) and 'Signature Template', and this machine's clock.",
	],
	[
		/country was not found/i,
		"The service does not offer this country here. Check 'Country' and 'Currency'.",
	],
	[
		NOT_CREATED,
		'The service created no transaction. Check the amount, mobile number and payment method.',
	],
	[
		/payment link was not created/i,
		"The service did not create the link. Check 'Amount', 'Country', 'Currency' and the web addresses.",
	],
	[
		/user not found/i,
		"The service found no user for these credentials. Check the credential's 'Client ID', and that the account is active.",
	],
];

/** All hints that fit the service's message; empty when none is known. */
export function hintsFor(serviceMessage: string | null, creates: boolean): string[] {
	const message = String(serviceMessage).slice(0, LONGEST.sentence);
	return HINTS.filter(([words]) => words.test(message)).map(([words, hint]) =>
		!creates && words === NOT_CREATED ? OTHER_REFERENCE : hint,
	);
}
