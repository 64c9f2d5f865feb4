import { sleep } from 'n8n-workflow';

import { ENDPOINTS } from '../../protocol/endpoints';
import { entriesOf, type Reply } from '../../protocol/reply';
import type { SignatureRecipe } from '../../protocol/signing';
import type { CallOptions, Client, Params } from '../../transport/client';
import { findSignature, isAboutSignature, UNSORTED } from '../../transport/findSignature';
import { finding, isNo, said, type Asked, type Finding } from './finding';

export const ofToken = (token: Asked<unknown>): Finding =>
	'value' in token
		? finding('token', 'yes', 'A token was given')
		: isNo(token.failure)
			? finding('token', 'no', said(token.failure), 'copyAgain')
			: finding('token', 'cannotTell', said(token.failure), 'runAgain');

/** What is signed with a wrong key, or asked for without a token, says nothing about the rest. */
const isDeclined = (token: Asked<unknown>): boolean => 'failure' in token && isNo(token.failure);

/** Between two signatures that are tried. */
const PAUSE_MS = 400;
/** More than a service that looks at the time lets pass. */
const MOST_SECONDS_OFF = 120;

/** Whether requests are signed as the service expects; looks for the way, if it may. */
export async function ofSignature(
	token: Asked<unknown>,
	balance: Asked<Reply>,
	client: Client,
	options: CallOptions,
	mayLook: boolean,
): Promise<Finding> {
	const refusal = 'value' in balance ? null : balance.failure;
	if (refusal !== null) {
		if (!isNo(refusal) || !isAboutSignature(refusal)) {
			return finding('signature', 'cannotTell', said(refusal), 'runAgain');
		}
		if (isDeclined(token)) return finding('signature', 'cannotTell', said(refusal), 'keyFirst');
		const ahead = (await client.secondsAhead()) ?? 0;
		if (Math.abs(ahead) > MOST_SECONDS_OFF) {
			const seen = `This machine's clock is off by ${Math.abs(ahead)} seconds`;
			return finding('signature', 'no', seen, 'setClock');
		}
	}
	const { identity, recipe: own, signatureSource } = await client.credential();
	const ask = async (recipe: SignatureRecipe, params: Params) =>
		await client.signedBy(recipe, ENDPOINTS.balance, params, options);
	const accepted = finding('signature', 'yes', 'A signed request was accepted');
	if (!mayLook || signatureSource === 'endpoint') {
		if (refusal !== null) return finding('signature', 'no', said(refusal), 'turnOnFind');
		if (signatureSource === 'endpoint') return accepted;
		const two = await ask(own, UNSORTED);
		const isRefused = !two.ok && isNo(two.failure) && isAboutSignature(two.failure);
		const seen = 'Accepted without parameters, and refused with two';
		return isRefused ? finding('signature', 'no', seen, 'turnOnFind') : accepted;
	}
	const pause = async () => await sleep(PAUSE_MS);
	const search = await findSignature(own, identity.secretKey, refusal, { ask, pause });
	const tried = `${search.asked} signatures were tried`;
	switch (search.kind) {
		case 'found': {
			const { template, algorithm, encoding } = search.recipe;
			if (JSON.stringify(search.recipe) === JSON.stringify(own)) return accepted;
			return finding('signature', 'no', `${tried}, and the last was accepted`, 'enter', {
				'Signature Template': template,
				'Signature Algorithm': `HMAC-${algorithm.toUpperCase()}`,
				'Signature Encoding': encoding === 'hex' ? 'Hexadecimal' : 'Base64',
			});
		}
		case 'stopped':
			return finding('signature', 'cannotTell', `${tried}. ${said(search.failure)}`, 'runAgain');
		default:
			return finding('signature', 'no', `${tried}, and none was accepted`, 'askForSigning');
	}
}

export async function ofList(
	token: Asked<unknown>,
	list: Asked<Reply>,
	client: Client,
): Promise<Finding> {
	const { listAuthentication } = await client.credential();
	const isBearer = listAuthentication === 'bearer';
	if ('value' in list) {
		const entries = entriesOf(list.value);
		return entries === null
			? finding('list', 'cannotTell', "The reply has no list in 'data'")
			: finding('list', 'yes', `A list with ${entries.length} links was given`);
	}
	// Without a token, the list was not even asked for.
	if (isBearer && 'failure' in token) {
		return finding('list', 'cannotTell', 'No token', isDeclined(token) ? 'keyFirst' : 'runAgain');
	}
	if (!isNo(list.failure)) return finding('list', 'cannotTell', said(list.failure), 'runAgain');
	const other = { 'List Authentication': isBearer ? 'None' : 'Bearer Token' };
	return finding('list', 'no', said(list.failure), 'askForList', other);
}
