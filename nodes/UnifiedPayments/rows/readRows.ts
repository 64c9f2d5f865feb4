import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import type { RowFiles } from '../actions/operation';
import { ADDITIONAL_FIELDS, columnsOf, inputModeOf, propertiesIn } from '../fields/columns';
import { isBlank, type RawFields } from '../fields/field';
import { openSheet, type Sheet } from '../fields/sheet';

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
	let opened: Sheet | undefined;
	const sheet = () =>
		(opened ??= openSheet(
			context.getInputData().map(({ json }) => json),
			columnsOf(properties),
		));
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

/**
 * An expression costs the host more than half a millisecond, so what holds no expression is read
 * once for all rows.
 */
function createParameters(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const saved = context.getNode().parameters;
	const shared = new Map<string, unknown>();
	const { mode } = inputModeOf(saved);
	const shown = propertiesIn(mode, properties);

	const read = (property: INodeProperties, row: number): unknown => {
		const { name } = property;
		const value = () => context.getNodeParameter(name, row, property.default);
		if (holdsExpression(saved[name])) return value();
		if (!shared.has(name)) shared.set(name, value());
		return shared.get(name);
	};

	return (row: number): Row => {
		const fields: RawFields = {};
		let options: RawFields = {};
		for (const property of shown) {
			const value = read(property, row);
			if (property.name === 'options') options = (value ?? {}) as RawFields;
			else if (property.name === ADDITIONAL_FIELDS) Object.assign(fields, value);
			else fields[property.name] = value;
		}
		return { fields, options };
	};
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(holdsExpression);
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
