import type {
	IDataObject,
	INodeProperties,
	NodeExecutionHint,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isBlank, type RawFields } from '../fields/text';
import { matchHeadings, type Column, type Headings } from '../fields/headings';
import { NotSentError } from '../transport/errors';

/** Not fields of a row, or files, which no cell can hold. */
const NO_COLUMNS = [
	'inputMode',
	'columns',
	'columnsNotice',
	'options',
	'logoBase64',
	'logoBinaryProperty',
];

const members = (property: INodeProperties): INodeProperties[] =>
	property.name === 'additionalFields' ? (property.options as INodeProperties[]) : [property];

/** The fields of an operation that the columns of a sheet can fill. */
export const columnsOf = (properties: readonly INodeProperties[]): Column[] =>
	properties
		.flatMap(members)
		.filter(({ name }) => !NO_COLUMNS.includes(name))
		.map(({ name, displayName, required }) => ({
			field: name,
			// The words that lists with a search must carry mean nothing to a sheet.
			label: displayName.replace(/ Name or ID$/, ''),
			required: required === true,
		}));

/** What the editor offers to map to. */
export const mapperFields = (columns: readonly Column[]): ResourceMapperFields => ({
	fields: columns.map(({ field, label, required }) => ({
		id: field,
		displayName: label,
		required,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: 'string',
	})),
});

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
