import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import type { RawFields } from '../fields/field';
import { matchHeadings, type Column, type Headings } from '../fields/headings';
import { isBlank } from '../fields/text';
import { NotSentError } from '../transport/errors';

/** A sheet whose headings are matched to the fields once, and whose cells are then read directly. */
export interface Sheet {
	fields(row: number, fallback: RawFields): RawFields;
	/** The heading of a field, when it is not the field's own name. */
	heading(field: string): string | undefined;
	hint(): NodeExecutionHint;
}

/** Throws when the headings do not say where the required fields are. */
export function openSheet(rows: readonly IDataObject[], columns: readonly Column[]): Sheet {
	const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const found = matchHeadings(headings, columns);
	refuse(found, headings);
	const { matched, currency, ignored } = found;
	return {
		fields(row, fallback) {
			const cells = rows[row] ?? {};
			const fields: RawFields = { ...fallback };
			if (currency !== null) fields.currency = currency;
			for (const { column, heading } of matched) {
				const cell = cells[heading];
				if (!isBlank(cell)) fields[column.field] = cell;
			}
			return fields;
		},
		heading: (field) => matched.find(({ column }) => column.field === field)?.heading,
		hint: () => ({
			message: [
				`Columns: ${matched.map(({ column, heading }) => `"${heading}" → ${column.label}`).join(', ')}`,
				...(ignored.length > 0 ? [`Ignored: ${quoted(ignored)}`] : []),
			].join('. '),
			type: 'info',
			location: 'outputPane',
		}),
	};
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function refuse({ missing, ambiguous }: Headings, headings: readonly string[]): void {
	const [doubt] = ambiguous;
	if (doubt) {
		throw new NotSentError(
			`Several columns fit '${doubt.column.label}': ${quoted(doubt.headings)}`,
			"Rename all but one of them, or set 'Columns' to map each column manually. Nothing was sent.",
		);
	}
	if (missing.length === 0) return;
	const names = missing.map(({ label }) => `'${label}'`).join(', ');
	throw new NotSentError(
		`The input has no column for ${names}`,
		`Its columns are ${quoted(headings) || 'none'}. Rename one of them, add the column, or set 'Columns' to map each column manually. Nothing was sent.`,
	);
}
