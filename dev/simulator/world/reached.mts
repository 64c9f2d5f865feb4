import { DELIVERY_KINDS, EVENT_KINDS } from '../plan/plan.mts';
import { ENDPOINT_NAMES, kindsFor, playOf } from '../service/faults.mts';

/** How often something has happened, by its name. */
export class Reached {
	readonly counts = new Map<string, number>();

	note(name: string, times = 1): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + times);
	}

	add({ counts }: Reached): void {
		for (const [name, times] of counts) this.note(name, times);
	}

	/** What must happen when many worlds are played, and has not. */
	missing(): string[] {
		return WANTED.filter((name) => !this.counts.has(name));
	}

	/** A line for each thing that happened or must happen. */
	table(): string[] {
		const names = [...new Set([...WANTED, ...this.counts.keys()])].sort();
		const width = Math.max(...names.map(({ length }) => length));
		return names.map((name) => {
			const times = this.counts.get(name) ?? 0;
			return `${name.padEnd(width)} ${String(times).padStart(7)}${times === 0 ? '  never' : ''}`;
		});
	}
}

/** What a read comes to that a fault has hit: the same execution asks again and is answered, or gives up. */
export const READ_ENDS = ['answered', 'given up'] as const;

const OUTCOMES = ['accepted', 'rejected', 'unknown', 'not_sent', 'duplicate', 'valid'];
const STATES = ['success', 'failed', 'pending', 'timedOut'];

/** A fault at an endpoint, with what a row or a read comes to. */
const FAULTS = ENDPOINT_NAMES.flatMap((endpoint) =>
	kindsFor(endpoint).flatMap((kind) => {
		const { ends, slow } = playOf(kind);
		const isHarmless = slow !== undefined || kind === 'echo';
		// Few services are asked for signatures, and few worlds give up on that.
		const isAnswered = isHarmless || endpoint === 'sign';
		const all = endpoint === 'create' ? ends : isAnswered ? ['answered'] : READ_ENDS;
		return all.map((end) => `${endpoint} ${kind}: ${end}`);
	}),
);

const WANTED: readonly string[] = [
	...FAULTS,
	...EVENT_KINDS.map((kind) => `event ${kind}`),
	...DELIVERY_KINDS.map((kind) => `delivery ${kind}`),
	...OUTCOMES.map((outcome) => `row ${outcome}`),
	...STATES.map((state) => `waited ${state}`),
];
