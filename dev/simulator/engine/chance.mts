import { createRequire, syncBuiltinESMExports } from 'node:module';

import type { Random } from '../random.mts';

const crypto = createRequire(import.meta.url)('node:crypto') as Record<string, unknown>;

/** Salts, names of deliveries and jitter come from the seed, too. Gives what takes it back. */
export function drawFrom(random: Random): () => void {
	const real = {
		randomUUID: crypto.randomUUID,
		randomBytes: crypto.randomBytes,
		random: Math.random,
	};
	const bytes = (size: number) =>
		Buffer.from(Array.from({ length: size }, () => random.whole(0, 255)));
	crypto.randomBytes = (size: number, done?: (error: null, bytes: Buffer) => void) =>
		done === undefined ? bytes(size) : done(null, bytes(size));
	crypto.randomUUID = () =>
		bytes(16)
			.toString('hex')
			.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
	Math.random = () => random.share();
	syncBuiltinESMExports();
	return () => {
		crypto.randomUUID = real.randomUUID;
		crypto.randomBytes = real.randomBytes;
		Math.random = real.random;
		syncBuiltinESMExports();
	};
}
