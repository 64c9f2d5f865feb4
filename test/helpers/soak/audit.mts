import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SheetRow } from './sheet.mts';

/** What a run said about one row of its input, counted from 0. */
export interface Said {
	row: number;
	outcome: string;
}

/** Items of the node, also those with an error, as what they say about which row. */
export const saidBy = (items: readonly INodeExecutionData[]): Said[] =>
	items.map(({ json, pairedItem }) => {
		const { outcome, error, success } = json as IDataObject & { error?: IDataObject };
		// The naive node knows no outcomes, only whether it was told yes.
		const naive = success === true ? 'accepted' : 'failed';
		return {
			row: (pairedItem as { item: number }).item,
			outcome: String(outcome ?? error?.outcome ?? naive),
		};
	});

/** Everything that must not be; each list is empty after a run that kept its promises. */
export interface Findings {
	/** Orders that the service took more than once. */
	twice: string[];
	/** Rows without exactly one outcome, and rows that came out of their order. */
	unclear: number[];
	/** Orders the service took, of which we say neither "accepted" nor "unknown" nor "sent before". */
	lost: string[];
	/** Orders that we say were taken, and which the service does not have. */
	invented: string[];
}

export const CLEAN: Findings = { twice: [], unclear: [], lost: [], invented: [] };

const MAY_BE_TAKEN = ['accepted', 'unknown', 'duplicate'];
const OUTCOMES = [...MAY_BE_TAKEN, 'rejected', 'not_sent'];

/** Compares what was said with what the service really took: `taken` counts by order. */
export function audit(
	rows: readonly SheetRow[],
	said: readonly Said[],
	taken: Readonly<Record<string, number>>,
): Findings {
	const outcomes = new Map<number, string[]>();
	for (const { row, outcome } of said) {
		outcomes.set(row, [...(outcomes.get(row) ?? []), outcome]);
	}
	const first = new Map<string, number>();
	rows.forEach(({ order }, row) => first.has(order) || first.set(order, row));

	const found: Findings = {
		twice: Object.keys(taken).filter((order) => taken[order]! > 1),
		unclear: [],
		lost: [],
		invented: [],
	};
	rows.forEach(({ order }, row) => {
		const own = outcomes.get(row) ?? [];
		const [outcome = ''] = own;
		if (own.length !== 1 || !OUTCOMES.includes(outcome) || said[row]?.row !== row) {
			found.unclear.push(row);
		}
		const isTaken = order in taken;
		if (isTaken && !MAY_BE_TAKEN.includes(outcome)) found.lost.push(order);
		// The same row earlier in this very sheet may have been sent without an answer.
		const isRepeat = first.get(order) !== row;
		const claimed = outcome === 'accepted' || (outcome === 'duplicate' && !isRepeat);
		if (claimed && !isTaken) found.invented.push(order);
	});
	for (const order of Object.keys(taken)) if (!first.has(order)) found.lost.push(order);
	return found;
}

/** How many rows ended how, e.g. for a report. */
export function tally(said: readonly Said[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome } of said) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}
