import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import { isBlank, type RawFields } from '../input/fields';
import { createParameters } from '../rows/parameters';
import { columnsOf, openSheet } from './columns';

export interface Row {
	fields: RawFields;
	options: RawFields;
}

/** Reads the rows of a run, however its parameters say where their values are. */
export interface Reader {
	row(row: number): Row;
	/** The words a user knows a field by: the editor's label, or the heading of the sheet. */
	label(field: string): string;
	/** What there is to say about how the rows were read. */
	hints(): NodeExecutionHint[];
}

export function createReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
): Reader {
	const parameters = createParameters(context, properties);
	const named = (field: string) => labelIn(properties, field);
	if (context.getNode().parameters.inputMode !== 'columns') {
		return { row: parameters, label: named, hints: () => [] };
	}
	const { mappingMode } = (context.getNode().parameters.columns ?? {}) as { mappingMode?: string };
	if (mappingMode === 'defineBelow') {
		return {
			row: (row) => withMapped(context, parameters(row), row),
			label: named,
			hints: () => [],
		};
	}
	const sheet = once(() =>
		openSheet(
			context.getInputData().map(({ json }) => json),
			columnsOf(properties),
		),
	);
	return {
		row(row) {
			const { fields, options } = parameters(row);
			return { fields: sheet().fields(row, fields), options };
		},
		label(field) {
			const heading = sheet().heading(field);
			return heading === undefined ? named(field) : `${named(field)} (column "${heading}")`;
		},
		hints: () => [sheet().hint()],
	};
}

/** What the mapper says of this row; a field that was left empty there is as good as not there. */
function withMapped(context: IExecuteFunctions, { fields, options }: Row, row: number): Row {
	const mapped = context.getNodeParameter('columns.value', row, {}) as RawFields | null;
	const filled = Object.entries(mapped ?? {}).filter(([, value]) => !isBlank(value));
	return { fields: { ...fields, ...Object.fromEntries(filled) }, options };
}

function once<T>(make: () => T): () => T {
	let made: { value: T } | { thrown: unknown } | undefined;
	return () => {
		if (made === undefined) {
			try {
				made = { value: make() };
			} catch (thrown) {
				made = { thrown };
			}
		}
		if ('thrown' in made) throw made.thrown;
		return made.value;
	};
}

/** The words the editor shows for a parameter name. */
export function labelIn(properties: readonly INodeProperties[], name: string): string {
	for (const property of properties) {
		if (property.name === name) return property.displayName;
		const inner = (property.options ?? []).find(
			(option): option is INodeProperties => 'displayName' in option && option.name === name,
		);
		if (inner) return inner.displayName;
	}
	return name;
}
