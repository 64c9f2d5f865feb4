import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { sortedJson } from './serialisations.mts';

export const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;

export interface SignatureRecipe {
	/** Placeholders: {client_id} {sender} {timestamp} {salt} {params}. */
	template: string;
	algorithm: (typeof ALGORITHMS)[number];
	encoding: 'hex' | 'base64';
	/** Whether {params} is its text as it was sent, or written again with sorted keys. */
	params: 'asSent' | 'sorted';
	/** What {timestamp} is, whatever the envelope says: that always has Unix seconds. */
	timestamp: 'seconds' | 'milliseconds';
	/** Whether the secret key is text, or text that stands for bytes. */
	key: 'text' | 'hex' | 'base64';
}

/** Parts of a recipe, as somebody gives them. */
export const recipeSchema = z
	.object({
		template: z.string(),
		algorithm: z.enum(ALGORITHMS),
		encoding: z.enum(['hex', 'base64']),
		params: z.enum(['asSent', 'sorted']),
		timestamp: z.enum(['seconds', 'milliseconds']),
		key: z.enum(['text', 'hex', 'base64']),
	})
	.partial()
	.strict();

/** The specification shows no recipe; this one gives 64 lowercase hexadecimal characters, as its sample has. */
export const DEFAULT_RECIPE: SignatureRecipe = {
	template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
	algorithm: 'sha256',
	encoding: 'hex',
	params: 'asSent',
	timestamp: 'seconds',
	key: 'text',
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

/** The fields as this recipe writes them into its text. */
export const fieldsFor = (recipe: SignatureRecipe, fields: SignedFields): SignedFields => ({
	...fields,
	timestamp: recipe.timestamp === 'milliseconds' ? `${fields.timestamp}000` : fields.timestamp,
	params: recipe.params === 'sorted' ? sortedJson(fields.params) : fields.params,
});

export const keyOf = (recipe: SignatureRecipe, secretKey: string): Buffer =>
	Buffer.from(secretKey, recipe.key === 'text' ? 'utf8' : recipe.key);

export const sign = (text: string, secretKey: string, recipe: SignatureRecipe): string =>
	createHmac(recipe.algorithm, keyOf(recipe, secretKey))
		.update(text, 'utf8')
		.digest(recipe.encoding);

/** Constant time for equal lengths; the length of a signature is no secret. */
export function sameText(expected: string, received: string): boolean {
	const a = Buffer.from(expected, 'utf8');
	const b = Buffer.from(received, 'utf8');
	return a.length === b.length && timingSafeEqual(a, b);
}
