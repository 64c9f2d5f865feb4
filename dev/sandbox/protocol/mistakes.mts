import { createHash, createHmac } from 'node:crypto';
import type { Integration } from '../integrations.mts';
import { serialisations } from './serialisations.mts';
import { ALGORITHMS, fieldsFor, keyOf, textToSign, type SignedFields } from './signature.mts';
import type { Evidence } from './verify.mts';

interface Candidate {
	explanation: string;
	digest: () => Buffer;
}

/** Longer texts get only the cheap guesses, because hundreds of HMACs over a logo would block the sandbox. */
const FULL_SEARCH_CHARACTERS = 64 * 1024;

/** Tries the mistakes people make with signatures and names the one that gives the received value. */
export function guessMistake(
	{ received, integration, now }: Evidence,
	integrations: readonly Integration[],
): string | null {
	const signature = received.signature ?? '';
	if (integration === null) return null;
	if (signature === '') return 'The signature is empty.';
	const fields = fieldsFor(integration.signature, {
		client_id: integration.clientId,
		sender: integration.title,
		timestamp: received.timestamp ?? 0,
		salt: received.salt ?? '',
		params: received.params ?? '',
	});
	const receivedBytes = decodings(signature);
	const matches = ({ digest }: Candidate) => {
		const value = digest();
		return receivedBytes.some((bytes) => bytes.equals(value));
	};
	const found = [...candidates(fields, integration, integrations, now)].find(matches);
	return found?.explanation ?? null;
}

/** The signature decoded in every likely way, so that the right bytes are recognised in a wrong encoding. */
function decodings(signature: string): Buffer[] {
	const trimmed = signature.trim();
	const decoded = [Buffer.from(trimmed, 'base64')];
	if (/^[0-9a-f]+$/i.test(trimmed)) decoded.push(Buffer.from(trimmed, 'hex'));
	return decoded;
}

function* candidates(
	fields: SignedFields,
	integration: Integration,
	integrations: readonly Integration[],
	now: number,
): Generator<Candidate> {
	const { template, algorithm, encoding } = integration.signature;
	const text = textToSign(template, fields);
	const mac = (
		explanation: string,
		message: string,
		key: string | Buffer = keyOf(integration.signature, integration.secretKey),
		hash: string = algorithm,
	): Candidate => ({
		explanation,
		digest: () => createHmac(hash, key).update(message, 'utf8').digest(),
	});

	yield mac(
		`The bytes are right, but not their encoding: write the signature as ${encoding === 'hex' ? 'lowercase hexadecimal' : 'standard base64'}.`,
		text,
	);
	for (const hash of [...ALGORITHMS, 'sha1', 'md5'])
		if (hash !== algorithm)
			yield mac(
				`The signature was made with ${hash}; ${algorithm} is needed.`,
				text,
				undefined,
				hash,
			);
	for (const other of integrations)
		if (other !== integration)
			yield mac(
				`The signature was made with the secret key of "${other.title}".`,
				text,
				other.secretKey,
			);
	yield mac('The client id was used as the key; the secret key is needed.', text, fields.client_id);
	for (const [what, key] of keyForms(integration))
		yield mac(`The secret key was used ${what}.`, text, key);
	for (const [what, end] of [
		['newline', '\n'],
		['CR LF', '\r\n'],
		['space', ' '],
	] as const)
		yield mac(
			`A ${what} at the end of the text was signed too (echo adds one; use printf).`,
			`${text}${end}`,
		);
	yield {
		explanation: 'This is a plain hash of the text; an HMAC with the secret key is needed.',
		digest: () => createHash(algorithm).update(text, 'utf8').digest(),
	};
	for (const [what, joined] of [
		['after', text + integration.secretKey],
		['before', integration.secretKey + text],
	] as const)
		yield {
			explanation: `This is a plain hash with the secret key put ${what} the text; an HMAC is needed.`,
			digest: () => createHash(algorithm).update(joined, 'utf8').digest(),
		};
	for (const [what, timestamp] of timestampForms(Number(fields.timestamp), now))
		yield mac(
			`The signed timestamp is ${what}; it must be the one that is sent.`,
			textToSign(template, { ...fields, timestamp }),
		);
	if (text.length > FULL_SEARCH_CHARACTERS) return;
	for (const [what, params] of serialisations(fields.params))
		yield mac(
			`The signed params are ${what}, but the body was sent with another text; sign exactly the text that is sent.`,
			textToSign(template, { ...fields, params }),
		);
	for (const [what, changed] of templateForms(template))
		yield mac(
			`The signed text follows the template ${what}; this integration's is ${template}`,
			textToSign(changed, fields),
		);
}

const KEY_FORMS = {
	text: 'text',
	hex: 'hexadecimal bytes',
	base64: 'base64 bytes',
} as const;

const keyForms = ({ secretKey, signature }: Integration): [string, string | Buffer][] => [
	['with a newline at its end', `${secretKey}\n`],
	['with a space at its end', `${secretKey} `],
	...(['text', 'hex', 'base64'] as const)
		.filter((form) => form !== signature.key)
		.map((form): [string, Buffer] => [
			`as ${KEY_FORMS[form]}; it is ${KEY_FORMS[signature.key]}`,
			keyOf({ ...signature, key: form }, secretKey),
		]),
	['empty', ''],
];

const timestampForms = (sent: number, now: number): [string, number | string][] => [
	['in milliseconds', sent * 1000],
	['in seconds while milliseconds were sent', Math.floor(sent / 1000)],
	...[-2, -1, 1, 2].map((off): [string, number] => [
		`${Math.abs(off)} s ${off < 0 ? 'earlier' : 'later'} than the sent one`,
		sent + off,
	]),
	['the time of arrival', now],
	['missing', ''],
];

const FIELD_ORDER = ['{client_id}', '{sender}', '{timestamp}', '{salt}', '{params}'];
const SEPARATORS = ['|', '', ':', '.', ',', '&', '-', '_', ';', ' ', '\n'];

function* templateForms(own: string): Generator<[string, string]> {
	for (const separator of SEPARATORS)
		for (const order of permutations(FIELD_ORDER)) {
			const template = order.join(separator);
			if (template !== own) yield [JSON.stringify(template), template];
		}
	for (const field of FIELD_ORDER) {
		const without = FIELD_ORDER.filter((one) => one !== field).join('|');
		yield [`${without}, without ${field}`, without];
	}
	yield ['{params} alone', '{params}'];
}

function permutations(items: readonly string[]): string[][] {
	if (items.length <= 1) return [[...items]];
	return items.flatMap((item) =>
		permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
	);
}
