import type { NodeExecutionHint } from 'n8n-workflow';

import { outcomeIn, toRowError, type DoorSettings } from '../transport/errors';
import type { Outcome } from '../transport/outcome';
import type { Json } from '../actions/operation';
import { failed, type RowResult } from './result';

const WORDS: Readonly<Record<Outcome, string>> = {
	accepted: 'accepted',
	valid: 'valid',
	duplicate: 'skipped as duplicates',
	rejected: 'rejected',
	unknown: 'unknown',
	not_sent: 'not sent',
};

const outcome = (result: RowResult): Outcome =>
	failed(result) ? (outcomeIn(result.thrown) ?? 'not_sent') : (result.items[0]?.outcome as Outcome);

function count(results: readonly RowResult[]): Array<[Outcome, number[]]> {
	const rows = new Map<Outcome, number[]>();
	results.forEach((result, index) => {
		const key = outcome(result);
		const known = rows.get(key) ?? [];
		known.push(index + 1);
		rows.set(key, known);
	});
	return (Object.keys(WORDS) as Outcome[]).flatMap((key) => {
		const found = rows.get(key);
		return found ? [[key, found]] : [];
	});
}

/** "97 accepted, 3 rejected": what the editor shows above the output. */
export function summaryHint(name: string, results: readonly RowResult[]): NodeExecutionHint {
	const parts = count(results).map(([key, rows]) => `${rows.length} ${WORDS[key]}`);
	const allWell = results.every((result) => ['accepted', 'valid'].includes(outcome(result)));
	return {
		message: `${results.length} rows for ${name}: ${parts.join(', ')}`,
		type: allWell ? 'info' : 'warning',
		location: 'outputPane',
	};
}

/** "Rows 1-2 accepted, row 3 rejected": for an error that ends the run, so that nothing is lost. */
export function summaryText(results: readonly RowResult[]): string {
	const parts = count(results).map(([key, rows]) => {
		const word = rows.length === 1 ? 'row' : 'rows';
		return `${word} ${ranges(rows)} ${WORDS[key]}`;
	});
	return `In all: ${parts.join('; ')}.`;
}

/** [1, 2, 3, 7] → "1-3, 7" */
function ranges(rows: readonly number[]): string {
	const spans: Array<[number, number]> = [];
	for (const row of rows) {
		const last = spans.at(-1);
		if (last && last[1] === row - 1) last[1] = row;
		else spans.push([row, row]);
	}
	return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** One line for each row that left this machine, with what it takes to find it again. */
export function sentLines(results: readonly RowResult[], door: DoorSettings): string[] {
	return results.flatMap((result, index) => {
		const key = outcome(result);
		if (key !== 'accepted' && key !== 'unknown') return [];
		if (failed(result))
			return [`Row ${index + 1} ${key}: ${toRowError(result.thrown, index, door).error.message}`];
		const { reference, link, message } = result.items[0] as Json;
		const known = [reference, link].filter((each) => typeof each === 'string');
		return [`Row ${index + 1} ${key}: ${known.join(' ') || String(message ?? '')}`];
	});
}
