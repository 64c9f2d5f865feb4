import { prng } from '../sandbox/faults/prng.mts';

/** Draws from a seed. Each purpose has draws of its own, so that leaving one thing out changes no other. */
export class Random {
	private readonly next: () => number;

	constructor(seed: number, purpose = '') {
		this.next = prng(mixed(seed, purpose));
	}

	/** At least 0, below 1. */
	share(): number {
		return this.next();
	}

	/** From `least` to `most`, both included. */
	whole(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		const chosen = choices[Math.floor(this.next() * choices.length)];
		if (chosen === undefined) throw new Error('There is nothing to pick from');
		return chosen;
	}

	/** By weight: `[[9, 'usual'], [1, 'rare']]`. */
	weighted<T>(choices: ReadonlyArray<readonly [weight: number, choice: T]>): T {
		let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
		for (const [weight, choice] of choices) {
			left -= weight;
			if (left < 0) return choice;
		}
		throw new Error('There is nothing to pick from');
	}
}

/** FNV-1a over the purpose, from the seed on. */
function mixed(seed: number, purpose: string): number {
	let hash = (0x811c9dc5 ^ seed) >>> 0;
	for (const character of purpose) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}
