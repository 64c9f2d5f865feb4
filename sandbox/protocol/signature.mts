import { createHmac, timingSafeEqual } from 'node:crypto';

export const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;

export interface SignatureRecipe {
	/** Placeholders: {client_id} {sender} {timestamp} {salt} {params}. */
	template: string;
	algorithm: (typeof ALGORITHMS)[number];
	encoding: 'hex' | 'base64';
}

/** The specification shows no recipe; this one gives 64 lowercase hexadecimal characters, as its sample has. */
export const DEFAULT_RECIPE: SignatureRecipe = {
	template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
	algorithm: 'sha256',
	encoding: 'hex',
};

export interface SignedFields {
	client_id: string;
	sender: string;
	timestamp: number | string;
	salt: string;
	/** The JSON text of `params`, exactly as it was in the body. */
	params: string;
}

type Part = { field: keyof SignedFields } | { text: string };

const FIELDS: readonly string[] = ['client_id', 'sender', 'timestamp', 'salt', 'params'];
const parsed = new Map<string, readonly Part[]>();

function partsOf(template: string): readonly Part[] {
	const known = parsed.get(template);
	if (known !== undefined) return known;
	// Splitting by a group keeps what the group matched, so every second part is a name.
	const parts = template
		.split(new RegExp(`\\{(${FIELDS.join('|')})\\}`))
		.map((part, index): Part =>
			index % 2 === 0 ? { text: part } : { field: part as keyof SignedFields },
		);
	parsed.set(template, parts);
	return parts;
}

/** The template is split before the values are filled in, so that a placeholder inside a value stays plain text. */
export function textToSign(template: string, fields: SignedFields): string {
	let text = '';
	for (const part of partsOf(template)) text += 'field' in part ? fields[part.field] : part.text;
	return text;
}

export const sign = (text: string, secretKey: string, recipe: SignatureRecipe): string =>
	createHmac(recipe.algorithm, secretKey).update(text, 'utf8').digest(recipe.encoding);

/** Constant time for equal lengths; the length of a signature is no secret. */
export function sameText(expected: string, received: string): boolean {
	const a = Buffer.from(expected, 'utf8');
	const b = Buffer.from(received, 'utf8');
	return a.length === b.length && timingSafeEqual(a, b);
}
