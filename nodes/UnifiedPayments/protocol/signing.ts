import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

import { isRecord, parseJson } from './parse';
import { SetupError } from './explainedError';

export const SIGNATURE_ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;
type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const;
type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

/** How a signature is written, for requests and callbacks alike. */
export interface SignatureFormat {
	algorithm: SignatureAlgorithm;
	encoding: SignatureEncoding;
}

/** How a request is signed. The specification does not show it, so each part is a setting. */
export interface SignatureRecipe extends SignatureFormat {
	/** `checkTemplate` gave it back. */
	template: string;
}

export const SIGNATURE_DEFAULTS: SignatureRecipe = {
	template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
	algorithm: SIGNATURE_ALGORITHMS[0],
	encoding: SIGNATURE_ENCODINGS[0],
};

/** What a signature is made of. */
interface Signed {
	identity: Identity;
	freshness: Freshness;
	paramsText: string;
}

/** What each stands for, worked out when it is needed: sorting takes time. */
const PLACEHOLDERS: Readonly<Record<string, (signed: Signed) => string>> = {
	client_id: ({ identity }) => identity.clientId,
	sender: ({ identity }) => identity.sender,
	timestamp: ({ freshness }) => String(freshness.timestamp),
	salt: ({ freshness }) => freshness.salt,
	params: ({ paramsText }) => paramsText,
	timestamp_ms: ({ freshness }) => `${freshness.timestamp}000`,
	params_sorted: ({ paramsText }) => sortedText(paramsText),
	key_hex: () => '',
	key_base64: () => '',
};

/** These add nothing to the text: they say that the secret key stands for bytes. */
const KEY_ENCODINGS = [
	['{key_hex}', 'hex'],
	['{key_base64}', 'base64'],
] as const;

const PATTERN = /\{(\w*)\}/g;

/** Gives the template back, or says which placeholder is unknown, before anything is signed. */
export function checkTemplate(template: string): string {
	for (const match of template.matchAll(PATTERN)) {
		const name = match[1]!;
		if (!Object.hasOwn(PLACEHOLDERS, name)) {
			const known = Object.keys(PLACEHOLDERS)
				.map((each) => `{${each}}`)
				.join(', ');
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
const textToSign = (template: string, signed: Signed): string =>
	template.replace(PATTERN, (_, name: string) => PLACEHOLDERS[name]!(signed));

function keyFor({ template }: SignatureRecipe, secretKey: string): string | Buffer {
	const found = KEY_ENCODINGS.find(([placeholder]) => template.includes(placeholder));
	return found ? Buffer.from(secretKey, found[1]) : secretKey;
}

/** The same JSON, compact and with the names of every object in order. */
const sortedText = (paramsText: string): string => JSON.stringify(sorted(parseJson(paramsText)));

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isRecord(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** Who sends: the integration as its owner created it. */
export interface Identity {
	clientId: string;
	sender: string;
	secretKey: string;
}

/** The values that are new for every attempt. */
interface Freshness {
	/** Unix seconds. */
	timestamp: number;
	salt: string;
}

export const fresh = (nowMs: number): Freshness => ({
	timestamp: Math.floor(nowMs / 1000),
	// Node draws random bytes for many of these together, which is faster than asking the system each time.
	salt: randomUUID().replace(/-/g, ''),
});

export function sign(
	identity: Identity,
	recipe: SignatureRecipe,
	paramsText: string,
	freshness: Freshness,
): string {
	const text = textToSign(recipe.template, { identity, freshness, paramsText });
	return createHmac(recipe.algorithm, keyFor(recipe, identity.secretKey))
		.update(text)
		.digest(recipe.encoding);
}

/** Signs `paramsText` and writes the whole body around it, so both hold the same bytes. */
export function seal(
	identity: Identity,
	recipe: SignatureRecipe,
	paramsText: string,
	freshness: Freshness,
): string {
	const signature = sign(identity, recipe, paramsText, freshness);
	return withSignature(identity, paramsText, freshness, signature);
}

/** What the signing endpoint is asked to sign: the envelope before it has a signature, and the key. */
export const unsignedEnvelope = (
	identity: Identity,
	paramsText: string,
	freshness: Freshness,
): string =>
	`${head(identity, freshness)},"params":${paramsText},"secret_key":${JSON.stringify(identity.secretKey)}}`;

/** The whole body, with a signature made here or by the signing endpoint. */
export const withSignature = (
	identity: Identity,
	paramsText: string,
	freshness: Freshness,
	signature: string,
): string =>
	`${head(identity, freshness)},"signature":${JSON.stringify(signature)},"params":${paramsText}}`;

/** An envelope of this identity, taken apart again. */
interface OpenedEnvelope {
	freshness: Freshness;
	signature: string;
	paramsText: string;
}

/**
 * Takes apart a body that was sealed for this identity; null for any other.
 * It compares the text itself, so only our own bytes are recognised, whatever object carries them.
 */
export function openEnvelope(identity: Identity, body: string): OpenedEnvelope | null {
	// Sticky, so that it is tried at the beginning only: a body may be megabytes long.
	const match = /.*?,"timestamp":(\d+),"salt":("[^"]*"),"signature":("[^"]*"),"params":/sy.exec(
		body,
	);
	if (!match) return null;
	const freshness = { timestamp: Number(match[1]), salt: JSON.parse(match[2]!) as string };
	const received = JSON.parse(match[3]!) as string;
	const paramsText = body.slice(match[0].length, -1);
	const rewritten = withSignature(identity, paramsText, freshness, received);
	return rewritten === body ? { freshness, signature: received, paramsText } : null;
}

/** True when the signature is the one we would have made: proof that we sealed it ourselves. */
export function isOurs(
	identity: Identity,
	recipe: SignatureRecipe,
	envelope: OpenedEnvelope,
): boolean {
	const { paramsText, freshness } = envelope;
	const expected = Buffer.from(sign(identity, recipe, paramsText, freshness));
	const received = Buffer.from(envelope.signature);
	return expected.length === received.length && timingSafeEqual(expected, received);
}

const head = (identity: Identity, { timestamp, salt }: Freshness) =>
	`{"client_id":${JSON.stringify(identity.clientId)},"sender":${JSON.stringify(identity.sender)},` +
	`"timestamp":${timestamp},"salt":${JSON.stringify(salt)}`;

/** The JSON text of `params`. Only text can say 80.00: as a number it is 80. */
export function writeParams(
	params: Readonly<Record<string, unknown>>,
	twoDecimals = false,
): string {
	const { amount } = params;
	if (!twoDecimals || typeof amount !== 'number') return JSON.stringify(params);
	const members = Object.entries(params).map(([name, value]) => {
		const text = name === 'amount' ? amount.toFixed(2) : JSON.stringify(value);
		return `${JSON.stringify(name)}:${text}`;
	});
	return `{${members.join(',')}}`;
}
