import { entriesOf, type Reply } from '../../../protocol/reply';
import type { Client } from '../../../transport/client';
import { isAboutSignature } from '../../../transport/findSignature';
import { finding, isNo, said, type Asked, type Finding } from './finding';

export function ofToken(token: Asked<unknown>): Finding {
	const about = "'Client ID' and 'Secret Key' give a token";
	if ('value' in token) return finding(about, 'yes', 'A token was given');
	return finding(about, isNo(token.failure) ? 'no' : 'cannotTell', said(token.failure), [
		"Credential: 'Client ID', 'Secret Key', 'Auth URL'",
		'Copy both again from the application of the service.',
	]);
}

/** What is signed with a wrong key, or asked for without a token, says nothing about the rest. */
const isDeclined = (token: Asked<unknown>): boolean => 'failure' in token && isNo(token.failure);

const KEY_FIRST = "Cannot be told before 'Client ID' and 'Secret Key' are right";

export function ofSignature(
	token: Asked<unknown>,
	balance: Asked<Reply>,
	two: Asked<Reply>,
): Finding {
	const about = 'Requests are signed as the service expects it';
	const where = [
		"Credential: 'Signature Template', 'Signature Algorithm', 'Signature Encoding'",
		"Turn on 'Find Signature Settings' in the credential, and test it. It says what to enter.",
	] as const;
	const [first, second] = [balance, two].map((each) => ('value' in each ? null : each.failure));
	if (first && isNo(first) && isAboutSignature(first)) {
		return isDeclined(token)
			? finding(about, 'cannotTell', KEY_FIRST, where)
			: finding(about, 'no', said(first), where);
	}
	if (second && isNo(second) && isAboutSignature(second)) {
		const seen = `Accepted without parameters, but not with two. ${said(second)}`;
		return finding(about, 'no', seen, where);
	}
	if ('value' in balance) return finding(about, 'yes', 'A signed request was accepted', where);
	return finding(about, 'cannotTell', said(balance.failure), where);
}

export async function ofList(
	token: Asked<unknown>,
	list: Asked<Reply>,
	client: Client,
): Promise<Finding> {
	const { listAuthentication } = await client.credential();
	const isBearer = listAuthentication === 'bearer';
	const about = `The list of links is given to requests ${isBearer ? 'with a token' : 'without a proof'}`;
	const where = [
		"Credential: 'List Authentication'",
		`Set it to '${isBearer ? 'None' : 'Bearer Token'}', or ask the service how the list is authenticated.`,
	] as const;
	if (!('value' in list)) {
		// Without a token, the list was not even asked for.
		if (isBearer && 'failure' in token) {
			const seen = isDeclined(token) ? KEY_FIRST : 'There is no token to ask with';
			return finding(about, 'cannotTell', seen, where);
		}
		return finding(about, isNo(list.failure) ? 'no' : 'cannotTell', said(list.failure), where);
	}
	const entries = entriesOf(list.value);
	return entries === null
		? finding(about, 'cannotTell', "The reply has no list in 'data'", where)
		: finding(about, 'yes', `A list with ${entries.length} links was given`, where);
}

const SECONDS_OFF = 60;

/** The clock and rate limits, which replies show in their headers. */
export async function ofNoticed(client: Client): Promise<Finding[]> {
	const { secondsAhead, slowedDown, limits } = await client.noticed();
	const clock = 'The clocks of this machine and of the service agree';
	const limit = 'The service sets no limit to the number of requests';
	const headers = Object.entries(limits)
		// A service that is away says it, too.
		.filter(([name]) => slowedDown > 0 || name !== 'retry-after')
		.map(([name, value]) => `${name}: ${value.slice(0, 40)}`);
	return [
		secondsAhead === null
			? finding(clock, 'cannotTell', 'The service does not tell its time')
			: finding(
					clock,
					Math.abs(secondsAhead) <= SECONDS_OFF ? 'yes' : 'no',
					`Seconds that this machine is ${secondsAhead < 0 ? 'behind' : 'ahead'}: ${Math.abs(secondsAhead)}`,
					['', 'Correct the clock of the machine that n8n runs on.'],
				),
		finding(
			limit,
			slowedDown > 0 || headers.length > 0 ? 'no' : 'cannotTell',
			headers.join(', ') ||
				(slowedDown > 0 ? 'It asked to slow down' : 'It did not ask to slow down while this ran'),
			["Node: 'Concurrency', 'Requests per Second'", 'Stay below the limit.'],
		),
	];
}
