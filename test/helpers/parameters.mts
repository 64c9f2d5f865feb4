import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';

import { isDeepStrictEqual } from 'node:util';

/**
 * What is wrong with the parameters of a node, by the description of its type: names that do not exist, or
 * that the editor does not show for what is chosen; values that a list does not offer; credentials that
 * the node does not ask for.
 */
export function findProblems(node: INode, description: INodeTypeDescription): string[] {
	const { properties } = description;
	const given = node.parameters;
	const shown = NodeHelpers.getNodeParameters(properties, given, true, false, node, description);
	const required = NodeHelpers.getNodeParametersIssues(properties, node, description);
	return [
		...lost(given, shown ?? {}).map((path) => `there is no '${path}'`),
		...notOffered(given, properties, node, description),
		...Object.values(required?.parameters ?? {}).flat(),
	].map((problem) => `${node.name}: ${problem}`);
}

/** The description that a node of a workflow is read with. */
export function findDescription(
	{ type, typeVersion }: INode,
	descriptions: readonly INodeTypeDescription[],
): INodeTypeDescription | undefined {
	return descriptions.find(
		({ name, version }) =>
			name === type && (Array.isArray(version) ? version : [version]).includes(typeVersion),
	);
}

/** Paths of `given` that the host does not know, and so leaves out. */
function lost(given: unknown, kept: unknown, path: string[] = []): string[] {
	if (isDeepStrictEqual(given, kept)) return [];
	if (Array.isArray(given) && Array.isArray(kept)) {
		return given.flatMap((each, index) => lost(each, kept[index], [...path, String(index)]));
	}
	if (isObject(given) && isObject(kept)) {
		return Object.entries(given).flatMap(([name, value]) =>
			name in kept ? lost(value, kept[name], [...path, name]) : [[...path, name].join('.')],
		);
	}
	return [path.join('.')];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists whose choices are fixed, with something else chosen. */
function notOffered(
	values: INodeParameters,
	properties: readonly INodeProperties[],
	node: INode,
	description: INodeTypeDescription,
	path: string[] = [],
): string[] {
	return properties.flatMap((property) => {
		const { name, type, options = [] } = property;
		const value = values[name];
		const { parameters } = node;
		const isShown = NodeHelpers.displayParameter(values, property, node, description, parameters);
		if (value === undefined || !isShown) return [];
		const here = [...path, name];
		if (type === 'collection' && isObject(value)) {
			const members = options as INodeProperties[];
			return notOffered(value as INodeParameters, members, node, description, here);
		}
		const isList = (type === 'options' || type === 'multiOptions') && options.length > 0;
		if (!isList || property.typeOptions?.loadOptionsMethod || isExpression(value)) return [];
		const choices = options.map((option) => ('value' in option ? option.value : undefined));
		const chosen = Array.isArray(value) ? value : [value];
		return chosen
			.filter((each) => !choices.includes(each as string))
			.map((each) => `'${here.join('.')}' does not offer '${String(each)}'`);
	});
}

const isExpression = (value: NodeParameterValueType): boolean =>
	typeof value === 'string' && value.startsWith('=');
