import { createHmac } from 'node:crypto';

import { SetupError } from './setupError';

export const SIGNATURE_ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const;
export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

/** How a signature is written, for requests and callbacks alike. */
export interface SignatureFormat {
	algorithm: SignatureAlgorithm;
	encoding: SignatureEncoding;
}

/** How a request is signed. The specification does not show it, so each part is a setting. */
export interface SignatureRecipe extends SignatureFormat {
	template: string;
}

export const SIGNATURE_DEFAULTS: SignatureRecipe = {
	template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
	algorithm: SIGNATURE_ALGORITHMS[0],
	encoding: SIGNATURE_ENCODINGS[0],
};

const PLACEHOLDERS = ['client_id', 'sender', 'timestamp', 'salt', 'params'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export type SignedFields = Record<Placeholder, string>;

const isPlaceholder = (name: string): name is Placeholder =>
	(PLACEHOLDERS as readonly string[]).includes(name);

const PATTERN = /\{(\w*)\}/g;

/** Gives the template back, or says which placeholder is unknown, before anything is signed. */
export function checkTemplate(template: string): string {
	for (const match of template.matchAll(PATTERN)) {
		const name = match[1]!;
		if (!isPlaceholder(name)) {
			const known = PLACEHOLDERS.map((each) => `{${each}}`).join(', ');
			throw new SetupError(
				`The credential's 'Signature Template' holds the unknown placeholder {${name}}. Known are ${known}.`,
			);
		}
	}
	return template;
}

/**
 * The text that is signed. Replaced in one pass, so a value that itself looks like
 * a placeholder is never replaced again.
 */
export const textToSign = (template: string, fields: SignedFields): string =>
	checkTemplate(template).replace(PATTERN, (_, name: Placeholder) => fields[name]);

export function signature(text: string, secretKey: string, recipe: SignatureRecipe): string {
	return createHmac(recipe.algorithm, secretKey).update(text).digest(recipe.encoding);
}
