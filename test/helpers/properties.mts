import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

interface WithOptions {
	options?: object[];
}

const isProperty = (option: object): option is INodeProperties => 'displayName' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** The fields of a group. */
export const membersOf = ({ options = [] }: WithOptions): INodeProperties[] =>
	options.filter(isProperty);

/** The choices of a list. */
export const choicesOf = ({ options = [] }: WithOptions): INodePropertyOptions[] =>
	options.filter(isChoice);

/** A parameter and the members of its group, however deep. */
export const withMembers = (property: INodeProperties): INodeProperties[] => [
	property,
	...membersOf(property).flatMap(withMembers),
];
