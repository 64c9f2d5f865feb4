import { createHash } from 'node:crypto';

import type { Prepared } from '../actions/operation';
import type { RowOptions } from '../fields/options';
import type { Credential } from '../protocol/credential';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** Of what is sent, without the callback token, which may change; a logo is hashed once. */
export function createFingerprints(): (prepared: Prepared) => string {
	const logos = new Map<unknown, string>();
	return ({ shown, params: { logo } }) => {
		if (typeof logo !== 'string') return sha256(JSON.stringify(shown));
		const known = logos.get(logo) ?? sha256(logo);
		logos.set(logo, known);
		return sha256(`${JSON.stringify(shown)} ${known}`);
	};
}

/**
 * What makes a row the same as another one of the same account and operation, as a hash; null when
 * it is not to be compared.
 */
export function identityOf(
	{ baseUrl, identity: { clientId } }: Credential,
	path: string,
	{ duplicateProtection, onDuplicate, duplicateKey }: RowOptions,
	fingerprint: string,
): string | null {
	if (!duplicateProtection || onDuplicate === 'sendAnyway') return null;
	const key = duplicateKey === null ? `all ${fingerprint}` : `key ${duplicateKey}`;
	return sha256(JSON.stringify([baseUrl, clientId, path, key]));
}

/** For each identity, the index of the first row that has it, when that is an earlier row. */
export function findRepeats(identities: ReadonlyArray<string | null>): Array<number | null> {
	const first = new Map<string, number>();
	return identities.map((identity, index) => {
		if (identity === null) return null;
		const earlier = first.get(identity);
		if (earlier === undefined) first.set(identity, index);
		return earlier ?? null;
	});
}
