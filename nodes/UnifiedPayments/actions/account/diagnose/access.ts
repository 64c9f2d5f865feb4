import { sleep } from 'n8n-workflow';

import { ENDPOINTS } from '../../../protocol/endpoints';
import { entriesOf, type Reply } from '../../../protocol/reply';
import type { SignatureRecipe } from '../../../protocol/signing';
import type { CallOptions, Client, Params } from '../../../transport/client';
import { findSignature, isAboutSignature, UNSORTED } from '../../../transport/findSignature';
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

/** Between two signatures that are tried. */
const PAUSE_MS = 400;

/** Whether requests are signed as the service expects; looks for the way, if it may. */
export async function ofSignature(
	token: Asked<unknown>,
	balance: Asked<Reply>,
	client: Client,
	options: CallOptions,
	looks: boolean,
): Promise<Finding> {
	const about = 'Requests are signed as the service expects it';
	const setting = "Credential: 'Signature Template', 'Signature Algorithm', 'Signature Encoding'";
	const refusal = 'value' in balance ? null : balance.failure;
	const isRefused = refusal !== null && isNo(refusal) && isAboutSignature(refusal);
	if (refusal !== null && !isRefused) return finding(about, 'cannotTell', said(refusal));
	if (isRefused && isDeclined(token)) return finding(about, 'cannotTell', KEY_FIRST);
	const ask = async (recipe: SignatureRecipe, params: Params) =>
		await client.signedBy(recipe, ENDPOINTS.balance, params, options);
	const { identity, recipe: own, signatureSource } = await client.credential();
	const mayLook = looks && signatureSource === 'local';
	if (!mayLook && isRefused) return finding(about, 'no', said(refusal), [setting, TURN_ON]);
	if (!mayLook) {
		const two = await ask(own, UNSORTED);
		return !two.ok && isNo(two.failure) && isAboutSignature(two.failure)
			? finding(
					about,
					'no',
					`Accepted without parameters, but not with two. ${said(two.failure)}`,
					[setting, TURN_ON],
				)
			: finding(about, 'yes', 'A signed request was accepted');
	}
	const pause = async () => await sleep(PAUSE_MS);
	const search = await findSignature(own, identity.secretKey, refusal, { ask, pause });
	const tried = `${search.asked} signatures were tried`;
	switch (search.kind) {
		case 'found': {
			const { template, algorithm, encoding } = search.recipe;
			if (JSON.stringify(search.recipe) === JSON.stringify(own))
				return finding(about, 'yes', 'A signed request was accepted');
			const enter = {
				'Signature Template': template,
				'Signature Algorithm': `HMAC-${algorithm.toUpperCase()}`,
				'Signature Encoding': encoding === 'hex' ? 'Hexadecimal' : 'Base64',
			};
			const seen = `${tried}, and the last was accepted`;
			return finding(about, 'no', seen, [setting, ENTER], enter);
		}
		case 'stopped':
			return finding(about, 'cannotTell', `${tried}. ${said(search.failure)}`);
		default:
			return finding(about, 'no', `${tried}, and none was accepted`, [setting, ASK_SERVICE]);
	}
}

const ENTER = "Enter these under 'Advanced' of the credential.";
const TURN_ON = "Turn on 'Find Signature' and run this again. It says what to enter.";
const ASK_SERVICE = 'Ask the support of the service how the signature is computed.';

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
