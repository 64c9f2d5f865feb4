import type { Broken } from '../oracle/facts.mts';
import type { Reached } from './reached.mts';

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
	reached: Reached;
}
