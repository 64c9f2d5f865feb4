import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isOurs, openEnvelope, seal } from '../../../nodes/UnifiedPayments/protocol/signing.ts';
import { bash } from '../../helpers/shell.mts';
import { readVectors, VECTORS_DIRECTORY, vectorFiles, type Vector } from '../../vectors/read.mts';

const vectors = readVectors();

const identityOf = (vector: Vector) => ({
	clientId: vector.client_id,
	sender: vector.sender,
	secretKey: vector.secret,
});

describe.each(vectors)('vector %s', (_, vector) => {
	const { template, algorithm, encoding, timestamp, salt, params_text } = vector;
	const recipe = { template, algorithm, encoding };

	it('is sealed into a body that carries the signed bytes', () => {
		const body = seal(identityOf(vector), recipe, params_text, { timestamp, salt });
		expect(JSON.parse(body)).toEqual({
			client_id: vector.client_id,
			sender: vector.sender,
			timestamp,
			salt,
			signature: vector.signature,
			params: JSON.parse(params_text) as unknown,
		});
		expect(body.endsWith(`,"params":${params_text}}`)).toBe(true);
	});

	it('is recognised as our own once sealed', () => {
		const body = seal(identityOf(vector), recipe, params_text, { timestamp, salt });
		const opened = openEnvelope(identityOf(vector), body);
		expect(opened).toEqual({
			freshness: { timestamp, salt },
			signature: vector.signature,
			paramsText: params_text,
		});
		expect(opened && isOurs(identityOf(vector), recipe, opened)).toBe(true);
	});
});

describe('the vectors', () => {
	it('cover every algorithm in every encoding', () => {
		const pairs = new Set(vectors.map(([, each]) => `${each.algorithm} ${each.encoding}`));
		expect([...pairs].sort()).toEqual([
			'sha256 base64',
			'sha256 hex',
			'sha384 base64',
			'sha384 hex',
			'sha512 base64',
			'sha512 hex',
		]);
	});

	it('agree with a signature written out by hand', () => {
		const ascii = vectors.find(([name]) => name === 'ascii')?.[1];
		const text =
			'7f0c2b1e-55aa|Amina Shop|1767225600|00112233445566778899aabbccddeeff|{"amount":1500,"currency":"KES"}';
		const expected = createHmac('sha256', 'sk_test_0123456789abcdef').update(text).digest('hex');
		expect(ascii?.signature).toBe(expected);
		expect(ascii?.signature).toMatch(/^[0-9a-f]{64}$/);
	});

	it('are what openssl writes today', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'vectors-'));
		try {
			await bash(`bash '${join(VECTORS_DIRECTORY, 'make.sh')}' '${directory}'`);
			expect(vectorFiles(directory)).toEqual(vectorFiles(VECTORS_DIRECTORY));
			for (const file of vectorFiles(directory)) {
				const made = readFileSync(join(directory, file), 'utf8');
				expect([file, made]).toEqual([file, readFileSync(join(VECTORS_DIRECTORY, file), 'utf8')]);
			}
		} finally {
			rmSync(directory, { recursive: true });
		}
	}, 60_000);
});
