import { createHmac } from 'node:crypto';

import { ProtocolError, type SignatureRecipe } from './settings';

const PLACEHOLDERS = ['client_id', 'sender', 'timestamp', 'salt', 'params'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export type SignedFields = Record<Placeholder, string>;

const isPlaceholder = (name: string): name is Placeholder =>
	(PLACEHOLDERS as readonly string[]).includes(name);

/**
 * The text that is signed. Replaced in one pass, so a value that itself looks like
 * a placeholder is never replaced again.
 */
export function textToSign(template: string, fields: SignedFields): string {
	if (template === '') {
		throw new ProtocolError("The credential's 'Signature Template' is empty");
	}
	return template.replace(/\{(\w*)\}/g, (_, name: string) => {
		if (!isPlaceholder(name)) {
			const known = PLACEHOLDERS.map((each) => `{${each}}`).join(', ');
			throw new ProtocolError(
				`The credential's 'Signature Template' holds the unknown placeholder {${name}}. Known are ${known}.`,
			);
		}
		return fields[name];
	});
}

export function signature(text: string, secretKey: string, recipe: SignatureRecipe): string {
	return createHmac(recipe.algorithm, secretKey).update(text, 'utf8').digest(recipe.encoding);
}
