import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Json } from '../protocol/parse';
import type { RawFields } from './field';

/** What there is to choose from when an AI agent wants only some of the fields. */
interface Choices {
	/** Names and labels. */
	fields: ReadonlyArray<[name: string, label: string]>;
	chosen: string[];
	/** "the transaction" */
	of: string;
	/** When there is anything to choose at all. */
	show?: IDisplayOptions['show'];
}

export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** In the editor a switch; as a tool for an AI agent, n8n wants a choice of what to return. */
export const outputProperties = ({ fields, chosen, of, show }: Choices): INodeProperties[] => [
	{ ...simplifyProperty, displayOptions: { ...(show && { show }), hide: { '@tool': [true] } } },
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: `All fields of ${of}` },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'Only the chosen fields' },
			{ name: 'Simplified', value: 'simplified', description: 'The ten most used fields' },
		],
		default: 'simplified',
		displayOptions: { show: { ...show, '@tool': [true] } },
		description: `Which fields of ${of} to return`,
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: fields.map(([value, name]) => ({ name, value })),
		default: [...chosen],
		displayOptions: { show: { ...show, '@tool': [true], output: ['selectedFields'] } },
		description: `The fields of ${of} to return. Its identifiers are always included.`,
	},
];

/** The record as the switch, or the choice of an AI agent, wants it. */
export function chosenOutput(
	{ simplify, output, fields }: RawFields,
	record: Json,
	id: string,
	simplified: (record: Json) => Json,
): Json {
	if (output === 'selectedFields') return selectFields(record, [id, ...namesIn(fields)]);
	// Hidden parameters keep their defaults, so a tool that asks for raw data says so in `output`.
	return simplify === false || output === 'raw' ? record : simplified(record);
}

const namesIn = (chosen: unknown): string[] => (Array.isArray(chosen) ? chosen.map(String) : []);

const selectFields = (record: Json, names: readonly string[]): Json =>
	Object.fromEntries(
		names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
	);
