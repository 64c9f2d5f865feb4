import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { readReply, readSignature } from '../../../nodes/UnifiedPayments/protocol/reply.ts';
import {
	seal,
	SIGNATURE_DEFAULTS,
	type SignatureRecipe,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const RUNS = { numRuns: 10_000 };

const recipes = fc.record({
	template: fc.constant(SIGNATURE_DEFAULTS.template),
	algorithm: fc.constantFrom('sha256' as const, 'sha384' as const, 'sha512' as const),
	encoding: fc.constantFrom('hex' as const, 'base64' as const),
});

/** Any characters that UTF-8 can carry. */
const text = fc.string({ unit: 'binary', maxLength: 40 });

/** RFC 2104 written out with nothing but a hash, so that it shares no HMAC code with ours. */
function hmacByHand(signed: string, key: string, recipe: SignatureRecipe): string {
	const block = recipe.algorithm === 'sha256' ? 64 : 128;
	const hash = (...parts: Buffer[]) =>
		createHash(recipe.algorithm).update(Buffer.concat(parts)).digest();
	const raw = Buffer.from(key, 'utf8');
	const padded = Buffer.alloc(block);
	(raw.length > block ? hash(raw) : raw).copy(padded);
	const pad = (byte: number) => Buffer.from(padded.map((each) => each ^ byte));
	return hash(pad(0x5c), hash(pad(0x36), Buffer.from(signed, 'utf8'))).toString(recipe.encoding);
}

const keys = fc.oneof(
	text,
	fc.integer({ min: 60, max: 140 }).map((size) => 'k'.repeat(size)),
);

it('what is sealed is what is sent, and its signature is that of an independent implementation', () => {
	const params = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), {
		maxKeys: 4,
	});
	fc.assert(
		fc.property(text, text, keys, recipes, params, (clientId, sender, key, recipe, values) => {
			const paramsText = JSON.stringify(values);
			const identity = { clientId, sender, secretKey: key };
			const body = seal(identity, recipe, paramsText, { timestamp: 1, salt: 'ff' });
			const sent = JSON.parse(body) as Record<string, unknown>;
			const signed = `${clientId}|${sender}|1|ff|${paramsText}`;
			return (
				sent.client_id === clientId &&
				sent.sender === sender &&
				sent.signature === hmacByHand(signed, key, recipe) &&
				body.endsWith(`,"params":${paramsText}}`)
			);
		}),
		RUNS,
	);
});

const small = { maxDepth: 1, maxKeys: 3 } as const;

const bodies = fc.oneof(
	fc.anything({ ...small, withBigInt: true, withDate: true, withNullPrototype: true }),
	fc.json({ maxDepth: 1 }),
	fc.json({ maxDepth: 1 }).map((json) => json.slice(0, -1)),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.record(
		{
			success: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', 'TRUE', 1, 0, null)),
			message: fc.oneof(fc.string(), fc.anything(small)),
			data: fc.anything(small),
			signature: fc.oneof(fc.string(), fc.integer()),
		},
		{ requiredKeys: [] },
	),
);

it('a reply or a signature is read whatever the service says, and reading never throws', () => {
	fc.assert(
		fc.property(bodies, (body) => {
			const { success, message } = readReply(body);
			const found = readSignature(body);
			return (
				(success === null || typeof success === 'boolean') &&
				(message === null || typeof message === 'string') &&
				(found === null || (typeof found === 'string' && found !== ''))
			);
		}),
		RUNS,
	);
});
