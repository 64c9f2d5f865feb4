import { ADVICE, type Advice } from '../protocol/advice';
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

/** An operator's setting of n8n, and so nothing that the credential could change. */
const BLOCKED_BY_HOST = `n8n does not send to private addresses here. ${ADVICE.blockedByHost}`;

export function explainFailure(failure: Failure, subject: Subject): Explanation {
	const { name, creates } = subject;
	const status = failure.status === null ? '' : ` (HTTP ${failure.status})`;
	const words = failure.serviceMessage ? `: ${failure.serviceMessage}` : '';
	const next = creates ? ADVICE.lookUpFirst : ADVICE.runLater;
	// An account belongs to one address, so payments are not recognised at a new one.
	const newHost = creates ? ` ${ADVICE.newHost}` : '';
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
				description: hintText(failure, creates, 'account'),
			};
		case 'notConnected':
			return {
				message: `No connection to the service for ${name}: nothing was sent`,
				description: failure.code?.startsWith('Ssrf')
					? `${BLOCKED_BY_HOST}${cause}.${newHost}`
					: `${ADVICE.unreachable}${cause}.${newHost}`,
			};
		case 'noReply':
			return {
				message: `The service did not answer ${name}: the request may have reached it`,
				description: `The connection ended without a complete reply${cause}. ${next}`,
			};
		case 'rateLimited':
			return {
				message: `The service asked to slow down at ${name}${words}${status}`,
				description: `${ADVICE.slower} ${next}`,
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
					`Redirects are not followed, so that nothing signed reaches another host. ${ADVICE.redirected}${newHost} ${creates ? ADVICE.lookUpFirst : ''}`.trim(),
			};
		case 'invalidReply':
			return {
				message: `The reply to ${name} could not be read${words}${status}`,
				description: `${failure.code ? `It is ${failure.code}, so it was not read to its end.` : "It is not the JSON with 'success' that the service promises."} ${ADVICE.baseUrl}${newHost} ${next}`,
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
				description: `Nothing was paid, so the next run may send this row. ${ADVICE.correctFirst}`,
			};
	}
}

function hintText(failure: Failure, creates: boolean, fallback: Advice = 'values'): string {
	const hints = hintsFor(failure.serviceMessage, creates);
	return (hints.length > 0 ? hints : [fallback]).map((each) => ADVICE[each]).join(' ');
}

/** Of a status that was asked for, the service says the same as of a request that it declined. */
const NOT_CREATED = /transaction was not created/i;

/**
 * What to do about each message of the specification's error table. Where a message lists
 * alternatives joined by "or", each alternative has its hint, so the whole line finds them too.
 */
const HINTS: ReadonlyArray<[words: RegExp, hint: Advice]> = [
	[/entity integration record not found/i, 'unknownIntegration'],
	[/client id not matched/i, 'otherClient'],
	[/request was not verified/i, 'notVerified'],
	[/country was not found/i, 'countryNotOffered'],
	[NOT_CREATED, 'noTransaction'],
	[/payment link was not created/i, 'noLink'],
	[/user not found/i, 'noUser'],
];

/** All hints that fit the service's message; empty when none is known. */
export function hintsFor(serviceMessage: string | null, creates: boolean): Advice[] {
	const message = String(serviceMessage).slice(0, LONGEST.sentence);
	return HINTS.filter(([words]) => words.test(message)).map(([words, hint]) =>
		!creates && words === NOT_CREATED ? 'otherReference' : hint,
	);
}
