import { createHmac } from 'node:crypto';

import { ProtocolError, type SignatureRecipe } from './settings';

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
			throw new ProtocolError(
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
