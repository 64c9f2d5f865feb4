import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../../dev/sandbox/index.mts';
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
interface Findings {
	/** References that the service took more than once. */
	twice: string[];
	/** Rows without exactly one outcome, and rows that came out of their order. */
	unclear: number[];
	/** References the service took, of which we say neither "accepted" nor "unknown" nor "sent before". */
	lost: string[];
	/** References that we say were taken, and which the service does not have. */
	invented: string[];
}

export const CLEAN: Findings = { twice: [], unclear: [], lost: [], invented: [] };

const MAY_BE_TAKEN = ['accepted', 'unknown', 'duplicate'];
const OUTCOMES = [...MAY_BE_TAKEN, 'rejected', 'not_sent'];

/** Compares what was said with what the service really took: `taken` counts by reference. */
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
	rows.forEach(({ reference }, row) => first.has(reference) || first.set(reference, row));

	const found: Findings = {
		twice: Object.keys(taken).filter((reference) => taken[reference]! > 1),
		unclear: [],
		lost: [],
		invented: [],
	};
	rows.forEach(({ reference }, row) => {
		const own = outcomes.get(row) ?? [];
		const [outcome = ''] = own;
		if (own.length !== 1 || !OUTCOMES.includes(outcome) || said[row]?.row !== row) {
			found.unclear.push(row);
		}
		const isTaken = reference in taken;
		if (isTaken && !MAY_BE_TAKEN.includes(outcome)) found.lost.push(reference);
		// The same row earlier in this very sheet may have been sent without an answer.
		const isRepeat = first.get(reference) !== row;
		const claimed = outcome === 'accepted' || (outcome === 'duplicate' && !isRepeat);
		if (claimed && !isTaken) found.invented.push(reference);
	});
	for (const reference of Object.keys(taken)) if (!first.has(reference)) found.lost.push(reference);
	return found;
}

/** Rows with a link that the service made for another, or for none. */
function strayLinks(
	rows: readonly SheetRow[],
	items: readonly INodeExecutionData[],
	links: ReadonlyArray<{ item_name: string; link: string }>,
): number[] {
	const made = new Map(links.map(({ item_name: reference, link }) => [link, reference]));
	return items.flatMap(({ json }, row) => {
		const isStray = json.link && made.get(String(json.link)) !== rows[row]!.reference;
		return isStray ? [row] : [];
	});
}

/** All of it about one run: `field` of the ledger holds the reference of a row. */
export function judge(
	rows: readonly SheetRow[],
	items: readonly INodeExecutionData[],
	{ ledger, links }: Sandbox['state'],
	field: string,
) {
	const said = saidBy(items);
	const taken = ledger.countBy(field);
	return {
		found: audit(rows, said, taken),
		outcomes: tally(said),
		taken: ledger.accepted,
		/** References that the service took, and of which we say that we do not know it. */
		notFound: said
			.filter(({ outcome }) => outcome === 'unknown')
			.map(({ row }) => rows[row]!.reference)
			.filter((reference) => reference in taken),
		strayLinks: strayLinks(rows, items, links),
	};
}

/** How many rows ended how, e.g. for a report. */
export function tally(said: readonly Said[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome } of said) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

/** "twice 0, unclear 0, lost 0, invented 0": printed with the figures, so that a log alone is evidence. */
export const inBrief = (found: Findings): string =>
	Object.entries(found)
		.map(([what, list]: [string, unknown[]]) => `${what} ${list.length}`)
		.join(', ');
