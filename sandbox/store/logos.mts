import { createHash } from 'node:crypto';

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

	keep(reference: string, base64: string): void {
		const hash = createHash('sha256').update(base64).digest('base64');
		this.hashOf.set(reference, hash);
		if (this.byHash.has(hash)) return;
		this.byHash.set(hash, base64);
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

	clear(): void {
		this.byHash.clear();
		this.hashOf.clear();
		this.characters = 0;
	}
}
