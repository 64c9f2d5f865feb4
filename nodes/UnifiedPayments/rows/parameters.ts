import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { ADDITIONAL_FIELDS, inputModeOf, propertiesIn } from '../fields/columns';
import type { RawFields } from '../fields/field';
import { createCombined, type Values } from './combined';
import type { Row } from './readRows';
import { mayChange, parseTemplate, type Template } from './template';

const NONE: Values = new Map();

/**
 * Gives what the host gives for each parameter, but asks it less often, because an expression
 * costs it more than half a millisecond. What holds no expression is read once for all rows. The
 * expressions are put together to one, except where that might give anything else.
 */
export function createParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
): (row: number) => Row {
	const saved = context.getNode().parameters;
	const parameters = propertiesIn(inputModeOf(saved).mode, properties).map((property) =>
		parameterFor(property, saved[property.name]),
	);
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
			const { name } = parameter.property;
			if (name === 'options') options = (value ?? {}) as RawFields;
			else if (name === ADDITIONAL_FIELDS) Object.assign(fields, value);
			else fields[name] = value;
		}
		return { fields, options };
	};
}

interface Parameter {
	property: INodeProperties;
	expressions: string[];
	/** How to make its value from those of its templates, unless only the host can read it. */
	plan?: Plan;
}

interface Plan {
	templates: Template[];
	compose(values: Values): unknown;
}

function parameterFor(property: INodeProperties, saved: unknown): Parameter {
	const expressions = expressionsIn(saved);
	// The host checks and converts the values of such a parameter.
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

/** None at all if the host reads an expression that may change what others give: order counts then. */
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
