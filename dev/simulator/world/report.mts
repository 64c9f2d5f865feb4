import type { Broken } from '../oracle/facts.mts';

/** What became of a world. */
export interface Report {
	story: string[];
	broken: Broken[];
	counts: {
		events: number;
		faults: number;
		kills: number;
		payments: number;
		taken: number;
		callbacks: number;
	};
	/** What happened when, for the picture of it. */
	marks: Array<{ at: number; what: 'taken' | 'paid' | 'fault' | 'kill' }>;
}
