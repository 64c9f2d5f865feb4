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

	it('is sealed into a body that carries the signed bytes, and recognised as our own', () => {
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
		const opened = openEnvelope(identityOf(vector), body)!;
		expect(opened.paramsText).toBe(params_text);
		expect(isOurs(identityOf(vector), recipe, opened)).toBe(true);
	});
});

describe('the vectors', () => {
	it('cover every algorithm in every encoding', () => {
		const pairs = new Set(vectors.map(([, each]) => `${each.algorithm} ${each.encoding}`));
		expect(pairs.size).toBe(3 * 2);
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
