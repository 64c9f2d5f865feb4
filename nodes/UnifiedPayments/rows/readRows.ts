import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import { isBlank, type RawFields } from '../fields/text';
import { columnsOf, openSheet } from './sheet';

/** Groups of the editor whose members count as fields of the operation itself. */
const FLATTENED = 'additionalFields';

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

/**
 * An expression costs the host more than half a millisecond, so what holds no expression is read
 * once for all rows.
 */
function createParameters(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const saved = context.getNode().parameters;
	const shared = new Map<string, unknown>();
	const shown = properties.filter((property) => isShown(property, saved.inputMode));

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
			else if (property.name === FLATTENED) Object.assign(fields, value);
			else fields[property.name] = value;
		}
		return { fields, options };
	};
}

/** The fields of one input mode say nothing in the other; the mode itself is no field at all. */
function isShown({ name, displayOptions }: INodeProperties, mode: unknown): boolean {
	if (['inputMode', 'columns', 'columnsNotice'].includes(name)) return false;
	const modes = displayOptions?.show?.inputMode;
	return modes === undefined || modes.includes(mode === 'columns' ? 'columns' : 'fields');
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

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(holdsExpression);
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
