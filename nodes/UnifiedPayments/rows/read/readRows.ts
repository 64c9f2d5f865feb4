import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import type { RowFiles } from '../operation';
import { ADDITIONAL_FIELDS, columnsOf, inputModeOf, propertiesIn } from '../../fields/columns';
import { isBlank, type RawFields } from '../../fields/field';
import { locatedIn } from '../../fields/locator';
import { isGuard, OPTIONS_OF_RUN } from '../../fields/options';
import { labelOfColumn } from '../../sheet/headings';
import { openSheet, type Sheet } from '../../sheet/sheet';
import { pathOf, valueAt } from './dragged';

/** The raw values of a row, before they are checked. */
export interface RowValues {
	fields: RawFields;
	options: RawFields;
}

/** Reads the rows of a run, however its parameters say where their values are. */
export interface RowReader {
	/** True when the values come from the columns of a sheet. */
	readsColumns: boolean;
	/** The options that hold for the run as a whole, read by themselves. It may throw. */
	optionsOfRun(): RawFields;
	row(row: number): RowValues;
	/** Whether an option that limits or forbids is an expression, which may fail for some row. */
	readsGuards: boolean;
	/** The words a user knows a field by: the editor's label, or the heading of the sheet. */
	label(field: string): string;
	/** Columns of the sheet that fill no field. */
	unusedColumns(): readonly string[];
	/** The customer of a row, where a column names one. */
	customer(row: number): unknown;
	/** The currency that the heading of the amount names. */
	currencyInHeading(): string | null;
	/** What there is to say about how the rows were read. */
	hints(): NodeExecutionHint[];
}

export function createRowReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
): RowReader {
	const { options: savedOptions, ...savedFields } = context.getNode().parameters;
	const { mode, mappedByHand } = inputModeOf(savedFields);
	const ofRun = createOptionsOfRun(context, savedOptions);
	const parameters = createParameters(context, propertiesIn(mode, properties), savedFields, ofRun);
	const named = (field: string) => labelIn(properties, field);
	const reader: RowReader = {
		readsColumns: mode === 'columns',
		readsGuards: ofRun.expressions.some(isGuard),
		optionsOfRun: ofRun.values,
		row: parameters,
		label: named,
		unusedColumns: () => [],
		customer: () => undefined,
		currencyInHeading: () => null,
		hints: () => [],
	};
	if (mode === 'fields') return reader;
	if (mappedByHand) return { ...reader, row: (row) => withMapped(context, parameters(row), row) };
	let opened: Sheet | Error | undefined;
	/** A sheet that cannot be opened is looked at once, too, and told to each row. */
	const sheet = (): Sheet => {
		try {
			opened ??= openSheet(
				context.getInputData().map(({ json }) => json),
				columnsOf(properties),
			);
		} catch (error) {
			opened = error as Error;
		}
		if (opened instanceof Error) throw opened;
		return opened;
	};
	const known = () => (opened instanceof Error ? undefined : opened);
	return {
		...reader,
		row(row) {
			const { fields, options } = parameters(row);
			return { fields: sheet().fields(row, fields), options };
		},
		label(field) {
			const heading = sheet().heading(field);
			return heading === undefined ? named(field) : labelOfColumn(named(field), heading);
		},
		unusedColumns: () => known()?.unused ?? [],
		customer: (row) => known()?.customer(row),
		currencyInHeading: () => known()?.currency ?? null,
		hints: () => [sheet().hint()],
	};
}

/** What the mapper says of this row; a field that was left empty there is as good as not there. */
function withMapped(
	context: IExecuteFunctions,
	{ fields, options }: RowValues,
	row: number,
): RowValues {
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

/**
 * Gives what n8n gives for each parameter, but asks it less often, because an expression costs it more
 * than half a millisecond. What holds no expression is read once for all rows, and a column that was
 * dragged from the input is read from the item itself.
 */
function createParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	savedFields: Readonly<Record<string, unknown>>,
	ofRun: OptionsOfRun,
): (row: number) => RowValues {
	const saved: Record<string, unknown> = { ...savedFields, options: ofRun.others };
	const parameters = properties.map((property) => ({
		property,
		isExpression: holdsExpression(saved[property.name]),
		dragged: draggedIn(property, saved[property.name]),
	}));
	const shared = new Map<string, unknown>();
	const items = context.getInputData();

	return (row) => {
		const fields: RawFields = {};
		let options: RawFields = {};
		for (const { property, isExpression: isRead, dragged } of parameters) {
			const { name, type } = property;
			const own = dragged?.(items[row]?.json ?? {}) ?? null;
			if (own === null && (isRead || !shared.has(name))) {
				shared.set(name, context.getNodeParameter(name, row, property.default));
			}
			const value = own === null ? shared.get(name) : own.value;
			if (name === 'options') options = ofRun.added((value ?? {}) as RawFields);
			else if (name === ADDITIONAL_FIELDS) Object.assign(fields, value);
			else fields[name] = type === 'resourceLocator' ? locatedIn(value) : value;
		}
		return { fields, options };
	};
}

type Dragged = (json: object) => { value: unknown } | null;

/** How to read a parameter from the item itself; null where only n8n can. */
function draggedIn(property: INodeProperties, saved: unknown): Dragged | null {
	// n8n checks and converts the values of such a parameter.
	if ([property, ...(property.options ?? [])].some((each) => 'validateType' in each)) return null;
	const path = pathOf(saved);
	if (path !== null) return (json) => valueAt(path, json);
	if (property.type !== 'collection' || !isObject(saved) || Array.isArray(saved)) return null;
	const members = Object.entries(saved).map(([name, member]) => ({
		name,
		member: member as unknown,
		path: pathOf(member),
	}));
	const isMixed = ({ path: own, member }: (typeof members)[number]) =>
		own === null && (isObject(member) || isExpression(member));
	if (members.every(({ path: own }) => own === null) || members.some(isMixed)) return null;
	return (json) => {
		const group: RawFields = {};
		for (const { name, member, path: own } of members) {
			const read = own === null ? { value: member } : valueAt(own, json);
			if (read === null) return null;
			group[name] = read.value;
		}
		return { value: group };
	};
}

type OptionsOfRun = ReturnType<typeof createOptionsOfRun>;

/**
 * Options that hold for the run as a whole are those of its first row. An expression in one is read
 * once: it may look into an item with thousands of rows, as that of an approval does.
 */
function createOptionsOfRun(context: IExecuteFunctions, saved: unknown) {
	const entries = isObject(saved) ? Object.entries(saved) : [];
	const ofRun = entries.filter(([name]) => OPTIONS_OF_RUN.has(name));
	const expressions = ofRun.filter(([, value]) => isExpression(value)).map(([name]) => name);
	const added = new WeakMap<RawFields, RawFields>();
	let read: RawFields | undefined;
	const valuesOfExpressions = () =>
		(read ??= Object.fromEntries(
			expressions.map((name) => [name, context.getNodeParameter(`options.${name}`, 0)]),
		));
	return {
		/** The names of all options that are expressions. */
		expressions: entries.filter(([, value]) => isExpression(value)).map(([name]) => name),
		values: (): RawFields => ({ ...Object.fromEntries(ofRun), ...valuesOfExpressions() }),
		others: isObject(saved)
			? Object.fromEntries(entries.filter(([name]) => !expressions.includes(name)))
			: saved,
		/** Rows that share their other options share the whole object. */
		added(options: RawFields): RawFields {
			if (expressions.length === 0) return options;
			const whole = added.get(options) ?? { ...options, ...valuesOfExpressions() };
			added.set(options, whole);
			return whole;
		},
	};
}

const holdsExpression = (saved: unknown): boolean =>
	isObject(saved) ? Object.values(saved).some(holdsExpression) : isExpression(saved);

const isExpression = (saved: unknown): saved is string =>
	typeof saved === 'string' && saved.startsWith('=');

const isObject = (saved: unknown): saved is object => typeof saved === 'object' && saved !== null;
