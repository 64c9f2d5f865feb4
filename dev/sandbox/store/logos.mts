import { createHash } from 'node:crypto';
import type { Keep, KeptEntry } from './journal.mts';

/** A batch that sends the same logo a thousand times stores it once, so this is enough for many brands. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;

const SIGNATURES: readonly [base64Start: string, mime: string][] = [
	['iVBORw0KGgo', 'image/png'],
	['/9j/', 'image/jpeg'],
	['R0lGOD', 'image/gif'],
	['UklGR', 'image/webp'],
];

export class Logos {
	private readonly byHash = new Map<string, string>();
	private readonly hashOf = new Map<string, string>();
	private characters = 0;

	constructor(private readonly kept: Keep | null) {}

	keep(reference: string, base64: string): void {
		const hash = createHash('sha256').update(base64).digest('base64');
		this.assign(reference, hash);
		if (!this.byHash.has(hash)) this.add(hash, base64);
	}

	assign(reference: string, hash: string): void {
		this.hashOf.set(reference, hash);
		this.kept?.('logoOf', { reference, hash });
	}

	add(hash: string, base64: string): void {
		this.byHash.set(hash, base64);
		this.kept?.('logo', { hash, base64 });
		this.characters += base64.length;
		for (const [oldest, logo] of this.byHash) {
			if (this.characters <= KEPT_CHARACTERS) break;
			this.byHash.delete(oldest);
			this.characters -= logo.length;
		}
	}

	dataUrl(reference: string): string | null {
		const base64 = this.byHash.get(this.hashOf.get(reference) ?? '');
		if (base64 === undefined) return null;
		const known = SIGNATURES.find(([start]) => base64.startsWith(start));
		return `data:${known?.[1] ?? 'image/svg+xml'};base64,${base64}`;
	}

	*entries(): Iterable<KeptEntry> {
		for (const [hash, base64] of this.byHash) yield ['logo', { hash, base64 }];
		for (const [reference, hash] of this.hashOf) yield ['logoOf', { reference, hash }];
	}

	clear(): void {
		this.byHash.clear();
		this.hashOf.clear();
		this.characters = 0;
	}
}
