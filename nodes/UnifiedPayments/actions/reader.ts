import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { RawFields } from '../input/fields';

/** Groups of the editor whose members count as fields of the operation itself. */
const FLATTENED = 'additionalFields';

export interface Row {
	fields: RawFields;
	options: RawFields;
}

/**
 * Reads an operation's parameters row by row. An expression costs the host more than half a
 * millisecond, so what holds no expression is read once for all rows.
 */
export function createReader(context: IExecuteFunctions, properties: readonly INodeProperties[]) {
	const saved = context.getNode().parameters;
	const shared = new Map<string, unknown>();

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
		for (const property of properties) {
			const value = read(property, row);
			if (property.name === 'options') options = { ...(value as RawFields) };
			else if (property.name === FLATTENED) Object.assign(fields, value);
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
