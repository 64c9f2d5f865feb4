import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import type { RowFiles } from '../operation';
import { ADDITIONAL_FIELDS, columnsOf, inputModeOf, propertiesIn } from '../../fields/columns';
import { isBlank, type RawFields } from '../../fields/field';
import { locatedIn } from '../../fields/locator';
import { isGuard, OPTIONS_OF_RUN } from '../../fields/options';
import { labelOfColumn } from '../../sheet/headings';
import { openSheet, type Sheet } from '../../sheet/sheet';
import { createCombined, type Values } from './combined';
import { mayChange, parseTemplate, type Template } from './template';

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
		unusedColumns: () => (opened === undefined || opened instanceof Error ? [] : opened.unused),
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

const NONE: Values = new Map();

/**
 * Gives what n8n gives for each parameter, but asks it less often, because an expression
 * costs it more than half a millisecond. What holds no expression is read once for all rows. The
 * expressions are put together to one, except where that might give anything else.
 */
function createParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	savedFields: Readonly<Record<string, unknown>>,
	ofRun: OptionsOfRun,
): (row: number) => RowValues {
	const saved: Record<string, unknown> = { ...savedFields, options: ofRun.others };
	const parameters = properties.map((property) => parameterFor(property, saved[property.name]));
	const templates = templatesToCombine(parameters);
	const combined = templates.length > 0 ? createCombined(context, templates) : () => NONE;
	const shared = new Map<string, unknown>();

	const read = ({ property, expressions, plan }: Parameter, row: number, values: Values) => {
		const { name } = property;
		if (plan?.templates.every((template) => values.has(template))) return plan.compose(values);
		const value = () => context.getNodeParameter(name, row, property.default) as unknown;
		if (expressions.length > 0) return value();
		if (!shared.has(name)) shared.set(name, value());
		return shared.get(name);
	};

	return (row) => {
		const values = combined(row);
		const fields: RawFields = {};
		let options: RawFields = {};
		for (const parameter of parameters) {
			const value = read(parameter, row, values);
			const { name, type } = parameter.property;
			if (name === 'options') options = ofRun.added((value ?? {}) as RawFields);
			else if (name === ADDITIONAL_FIELDS) Object.assign(fields, value);
			else fields[name] = type === 'resourceLocator' ? locatedIn(value) : value;
		}
		return { fields, options };
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

interface Parameter {
	property: INodeProperties;
	expressions: string[];
	/** How to make its value from those of its templates, unless only n8n can read it. */
	plan?: Plan;
}

interface Plan {
	templates: Template[];
	compose(values: Values): unknown;
}

function parameterFor(property: INodeProperties, saved: unknown): Parameter {
	const expressions = expressionsIn(saved);
	// n8n checks and converts the values of such a parameter.
	const isChecked = [property, ...(property.options ?? [])].some((each) => 'validateType' in each);
	if (expressions.length === 0 || isChecked) return { property, expressions };
	const isGroup = property.type === 'collection' && isObject(saved) && !Array.isArray(saved);
	return { property, expressions, plan: isGroup ? planForGroup(saved) : planForValue(saved) };
}

function planForValue(saved: unknown): Plan | undefined {
	if (isObject(saved)) return undefined;
	if (!isExpression(saved)) return { templates: [], compose: () => saved };
	const template = parseTemplate(saved);
	return template && { templates: [template], compose: (values) => values.get(template) };
}

function planForGroup(saved: object): Plan | undefined {
	const members: Array<[name: string, plan: Plan]> = [];
	for (const [name, member] of Object.entries(saved)) {
		// Only inside a group can an expression name its neighbours: `$parameter["&amount"]`.
		const plan = /["'`]&/.test(String(member)) ? undefined : planForValue(member);
		if (plan === undefined) return undefined;
		members.push([name, plan]);
	}
	return {
		templates: members.flatMap(([, { templates }]) => templates),
		compose: (values) =>
			Object.fromEntries(members.map(([name, { compose }]) => [name, compose(values)])),
	};
}

/** None at all if n8n reads an expression that may change what others give: order counts then. */
function templatesToCombine(parameters: readonly Parameter[]): Template[] {
	const readByHost = parameters.filter(({ plan }) => plan === undefined);
	if (readByHost.some(({ expressions }) => expressions.some(mayChange))) return [];
	return parameters.flatMap(({ plan }) => plan?.templates ?? []);
}

function expressionsIn(saved: unknown): string[] {
	if (isObject(saved)) return Object.values(saved).flatMap(expressionsIn);
	return isExpression(saved) ? [saved] : [];
}

const isExpression = (saved: unknown): saved is string =>
	typeof saved === 'string' && saved.startsWith('=');

const isObject = (saved: unknown): saved is object => typeof saved === 'object' && saved !== null;
