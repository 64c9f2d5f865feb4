import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import type { RowFiles } from '../actions/operation';
import { columnsOf, inputModeOf } from '../fields/columns';
import { isBlank, type RawFields } from '../fields/field';
import { openSheet, type Sheet } from '../fields/sheet';
import { createParameters } from './parameters';

export interface Row {
	fields: RawFields;
	options: RawFields;
}

/** Reads the rows of a run, however its parameters say where their values are. */
export interface RowReader {
	row(row: number): Row;
	/** The words a user knows a field by: the editor's label, or the heading of the sheet. */
	label(field: string): string;
	/** What there is to say about how the rows were read. */
	hints(): NodeExecutionHint[];
}

export function createRowReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
): RowReader {
	const parameters = createParameters(context, properties);
	const named = (field: string) => labelIn(properties, field);
	const { mode, mappedByHand } = inputModeOf(context.getNode().parameters);
	if (mode === 'fields') return { row: parameters, label: named, hints: () => [] };
	if (mappedByHand) {
		return {
			row: (row) => withMapped(context, parameters(row), row),
			label: named,
			hints: () => [],
		};
	}
	const open = () =>
		openSheet(
			context.getInputData().map(({ json }) => json),
			columnsOf(properties),
		);
	let opened: Sheet | Error | undefined;
	// A sheet that cannot be opened is looked at once, too, and told to each row.
	const sheet = (): Sheet => {
		opened ??= attempt(open);
		if (opened instanceof Error) throw opened;
		return opened;
	};
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

function attempt<T>(work: () => T): T | Error {
	try {
		return work();
	} catch (error) {
		return error as Error;
	}
}

/** What the mapper says of this row; a field that was left empty there is as good as not there. */
function withMapped(context: IExecuteFunctions, { fields, options }: Row, row: number): Row {
	const mapped = context.getNodeParameter('columns.value', row, {}) as RawFields | null;
	const filled = Object.entries(mapped ?? {}).filter(([, value]) => !isBlank(value));
	return { fields: { ...fields, ...Object.fromEntries(filled) }, options };
}

/** The words the editor shows for a parameter name. */
function labelIn(properties: readonly INodeProperties[], name: string): string {
	for (const property of properties) {
		if (property.name === name) return property.displayName;
		const inner = (property.options ?? []).find(
			(option): option is INodeProperties => 'displayName' in option && option.name === name,
		);
		if (inner) return inner.displayName;
	}
	return name;
}

/** Files of the input. One that every row shares, such as a logo, is read once. */
export function createFiles(context: IExecuteFunctions): (row: number) => RowFiles {
	const contents = new Map<string, Promise<Buffer>>();
	const shared = new Map<unknown, unknown>();
	const items = context.getInputData();
	return (row) => ({
		async binary(property) {
			const file = items[row]?.binary?.[property];
			if (!file) return null;
			// Stored files have an id; small ones carry their content in `data` itself.
			const key = file.id ?? file.data;
			const content = contents.get(key) ?? context.helpers.getBinaryDataBuffer(row, property);
			contents.set(key, content);
			return await content;
		},

		shared<T>(source: unknown, make: () => T): T {
			if (!shared.has(source)) shared.set(source, make());
			return shared.get(source) as T;
		},
	});
}
